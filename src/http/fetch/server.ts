/** GraphQL for a host that has requests and responses of the Fetch standard, over the same endpoint as Node's server. */
import { identify } from '../../caller.ts';
import { closeStaggered, type DrainTime, finishedOrLate, spreadMsOf } from '../drain.ts';
import { createGraphQLEndpoint } from '../graphql/graphql-endpoint.ts';
// Loaded now: the first event stream would hold up all callers.
import '../graphql/event-stream.ts';
import type { HttpDependencies } from '../http-dependencies.ts';
import { OpenResponses } from '../open-responses.ts';
import { credentialsFromRequest, identityIfValid } from '../read-caller.ts';
import { FetchedRequest } from './fetched-request.ts';
import { FetchedResponse } from './fetched-response.ts';

export function createFetchServer(dependencies: HttpDependencies) {
  const { laneOf, metrics } = dependencies;
  const endpoint = createGraphQLEndpoint(dependencies, {
    identityOf: (request) => identify(credentialsFromRequest(request), laneOf),
  });
  const { eventStreams } = endpoint;
  const responses = new OpenResponses<FetchedResponse>();
  metrics.gauge('folio_sockets', () => [['event-stream', eventStreams.size]]);

  async function fetch(request: Request): Promise<Response> {
    const { signal } = request;
    const incoming = new FetchedRequest(request);
    if (signal.aborted) {
      incoming.destroy();
      throw signal.reason;
    }
    const response = new FetchedResponse(request);
    const http = endpoint.open(incoming, response);
    response.http = http;
    const holder = () => identityIfValid(() => http.identity);
    response.onUnsent = () => endpoint.unreadResults.written(response, holder);
    responses.add(response);
    // Its body may still be arriving: its reader would wait for it.
    response.once('close', () => incoming.destroy());
    endpoint.respond(http);
    return await response.response.promise;
  }

  /** Ends a response that has begun, so that its client subscribes again. Any other is a refusal. */
  function end(response: FetchedResponse): void {
    const { http, headersSent, closed } = response;
    if (http && !headersSent && !closed) endpoint.cutShort(http);
    else response.destroy();
  }

  return {
    fetch,
    load: () => ({ requests: responses.size, webSockets: 0, eventStreams: eventStreams.size }),
    async drain({ graceMs, graceOver }: DrainTime): Promise<void> {
      endpoint.refuseAll();
      const streams = () => responses.toArray().filter((response) => eventStreams.has(response));
      const finished = Promise.all([
        closeStaggered(streams, spreadMsOf(graceMs), end, Promise.resolve()),
        responses.whenIdle(),
      ]);
      await finishedOrLate(finished, graceOver, () => {
        for (const response of responses.toArray()) if (!response.headersSent) end(response);
      });
      for (const response of responses.toArray()) response.destroy();
    },
  };
}
