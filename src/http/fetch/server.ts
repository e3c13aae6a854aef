/** GraphQL for a host that has requests and responses of the Fetch standard: Yoga over the same endpoint and pipeline. */
import { identify } from '../../caller.ts';
import { isPreflight } from '../cors.ts';
import { closeStaggered, type DrainTime, finishedOrLate, spreadMsOf } from '../drain.ts';
import { createGraphQLEndpoint } from '../graphql/graphql-endpoint.ts';
import type { GraphQLHttpRequest } from '../graphql/graphql-request.ts';
import { errorResult } from '../graphql/response.ts';
import { createYogaHandler, headersOf, responseWith, singleResponse } from '../graphql/yoga.ts';
import { OpenResponses } from '../open-responses.ts';
import { credentialsFromRequest } from '../read-caller.ts';
import type { HttpServerOptions } from '../server-options.ts';
import { unsentOf } from '../unread-results.ts';
import { FetchedRequest } from './fetched-request.ts';
import { FetchedResponse } from './fetched-response.ts';

/** The runtime's own classes: hosts accept no others. */
const fetchAPI = { Headers, ReadableStream, Request, Response, TextEncoder };

export function createFetchServer(options: HttpServerOptions) {
  const { config, laneOf, log, metrics } = options;
  const endpoint = createGraphQLEndpoint(options);
  const { eventStreams } = endpoint;
  const yoga = createYogaHandler(log, fetchAPI);
  const responses = new OpenResponses<FetchedResponse>();
  metrics.gauge('folio_sockets', () => [['event-stream', eventStreams.size]]);

  async function fetch(request: Request): Promise<Response> {
    const incoming = new FetchedRequest(request);
    const response = new FetchedResponse(request);
    const identity = () => identify(credentialsFromRequest(incoming), laneOf);
    const http = endpoint.open({ request: incoming, response, identity });
    const ended = Promise.withResolvers<Response>();
    response.end = () => ended.resolve(responseWith(endpoint.cutShort(http), http));
    responses.add(response);
    response.once('close', () => response.writableFinished || incoming.destroy());
    try {
      const delivered = response.deliver(await Promise.race([respond(request, http), ended.promise]));
      if (!response.closed) countUnsent(response, http);
      return delivered;
    } catch (error) {
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

  async function respond(request: Request, http: GraphQLHttpRequest): Promise<Response> {
    if (isPreflight(http.request, config.corsOrigins)) {
      return new Response(null, { status: 204, headers: headersOf(http.headers) });
    }
    try {
      return await yoga.fetch(request, { http, run: () => run(http) });
    } catch (error) {
      // The caller has disconnected.
      if (request.signal.aborted) throw error;
      return await singleResponse(endpoint.failed(error, http), http);
    }
  }

  async function run(http: GraphQLHttpRequest) {
    try {
      // Without a result the caller has disconnected.
      return (await endpoint.run(http)) ?? errorResult([]);
    } catch (error) {
      return endpoint.failed(error, http);
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
