/** Responds to a GraphQL request, on Node's own server and in a host's. */
import { SubscriptionResults } from '../../operation/subscription-results.ts';
import { ownTurnBytes, sendTogether } from '../../tools/event-loop-turns.ts';
import { isPreflight } from '../cors.ts';
import type { GraphQLResponse } from '../request-and-response.ts';
import type { GraphQLEndpoint } from './graphql-endpoint.ts';
import type { GraphQLHttpRequest } from './graphql-request.ts';
import { responseOf, sendResult } from './response.ts';

export async function respond(
  endpoint: GraphQLEndpoint,
  http: GraphQLHttpRequest,
  response: GraphQLResponse,
): Promise<void> {
  if (isPreflight(http.request, http.dependencies.config.corsOrigins)) {
    response.writeHead(204, http.headers).end();
    return;
  }
  try {
    const result = await endpoint.run(http);
    if (result instanceof SubscriptionResults) {
      // Half of the code, which no first response needs: main.ts loads it later.
      const { sendEvents } = await import('./event-stream.ts');
      await http.waitForTurn();
      return await sendEvents(result, http, response);
    }
    if (!result) return;
    // A longer one would be held meanwhile.
    if (result.json.length < ownTurnBytes) await new Promise<void>(sendTogether);
    // It was too late at the end of a shutdown.
    if (!response.headersSent) sendResult(http, response, result);
  } catch (error) {
    const failure = endpoint.failed(error, http);
    if (response.headersSent) response.destroy();
    else sendResult(http, response, failure);
  }
}

/** At the end of a shutdown. The body of the request may still be arriving: there is no time to read the rest. */
export function cutShort(
  endpoint: GraphQLEndpoint,
  http: GraphQLHttpRequest,
  response: GraphQLResponse,
): void {
  const { status, headers, body } = responseOf(endpoint.cutShort(http), http);
  response.writeHead(status, headers).end(body);
}
