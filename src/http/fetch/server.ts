/** GraphQL for a host that has requests and responses of the Fetch standard, over the same endpoint as Node's server. */
import { identify } from '../../caller.ts';
import { SubscriptionResults } from '../../operation/subscription-results.ts';
import { isPreflight } from '../cors.ts';
import { closeStaggered, type DrainTime, finishedOrLate, spreadMsOf } from '../drain.ts';
import { eventResponse } from '../graphql/event-stream.ts';
import { createGraphQLEndpoint } from '../graphql/graphql-endpoint.ts';
import type { GraphQLHttpRequest } from '../graphql/graphql-request.ts';
import { errorResult, headersOf, responseOf, type SingleResult } from '../graphql/response.ts';
import { restDropped } from '../graphql/rest-of-body.ts';
import type { HttpDependencies } from '../http-dependencies.ts';
import { OpenResponses } from '../open-responses.ts';
import { credentialsFromRequest } from '../read-caller.ts';
import { unsentOf } from '../unread-results.ts';
import { FetchedRequest } from './fetched-request.ts';
import { FetchedResponse } from './fetched-response.ts';

export function createFetchServer(dependencies: HttpDependencies) {
  const { config, laneOf, metrics } = dependencies;
  const endpoint = createGraphQLEndpoint(dependencies);
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
    const identity = () => identify(credentialsFromRequest(incoming), laneOf);
    const http = endpoint.open({ request: incoming, response, identity });
    const ended = Promise.withResolvers<Response>();
    response.end = () => {
      ended.resolve(responseWith(endpoint.cutShort(http), http));
      // Its body may still be arriving: its reader would wait for it.
      incoming.destroy();
    };
    responses.add(response);
    response.once('close', () => {
      if (response.writableFinished) return;
      incoming.destroy();
      if (signal.aborted) ended.reject(signal.reason);
      // The gateway closes while a subscription begins.
      else response.end();
    });
    // Also one that comes after the caller has disconnected: its events end then.
    const deliver = (result: Response) => response.deliver(result);
    try {
      const results = [respond(http), ended.promise].map((result) => result.then(deliver));
      const delivered = await Promise.race(results);
      if (!response.closed) countUnsent(response, http);
      return delivered;
    } catch (error) {
      response.end = () => {};
      response.destroy();
      throw error;
    }
  }

  /** Counts the rest of a large result, or of an event, until it is read. */
  function countUnsent(response: FetchedResponse, http: GraphQLHttpRequest): void {
    const unsent = unsentOf(endpoint.unreadResults, response, http.identity);
    response.onPiece = () => {
      unsent.sent();
      if (response.writableLength > 0) unsent.written();
    };
    response.onPiece();
  }

  async function respond(http: GraphQLHttpRequest): Promise<Response> {
    if (isPreflight(http.request, config.corsOrigins)) {
      return new Response(null, { status: 204, headers: headersOf(http.headers) });
    }
    try {
      const result = await endpoint.run(http);
      if (result instanceof SubscriptionResults) return await eventResponse(result, http);
      // Without a result the caller has disconnected.
      return await singleResponse(result ?? errorResult([]), http);
    } catch (error) {
      return await singleResponse(endpoint.failed(error, http), http);
    }
  }

  return {
    fetch,
    load: () => ({ requests: responses.size, webSockets: 0, eventStreams: eventStreams.size }),
    async drain({ graceMs, graceOver }: DrainTime): Promise<void> {
      endpoint.refuseAll();
      const spreadMs = spreadMsOf(graceMs);
      const finished = Promise.all([
        closeStaggered(eventStreams, spreadMs, (response) => response.destroy(), Promise.resolve()),
        responses.whenIdle(),
      ]);
      await finishedOrLate(finished, graceOver, () => {
        for (const response of responses.toArray()) response.end();
      });
      for (const response of responses.toArray()) response.destroy();
    },
  };
}

/** Returns the response. A small one waits while the rest of its request is still arriving and is dropped. */
async function singleResponse(result: SingleResult, http: GraphQLHttpRequest): Promise<Response> {
  await restDropped(http, result.json.length);
  return responseWith(result, http);
}

function responseWith(result: SingleResult, http: GraphQLHttpRequest): Response {
  const { status, headers, body } = responseOf(result, http);
  return new Response(body, { status, headers: headersOf(headers) });
}
