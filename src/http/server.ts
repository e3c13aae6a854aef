/** The HTTP server: routes, and headers of every response. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Holder, nobody } from '../caller.ts';
import { shuttingDown } from '../errors.ts';
import { createCallerTraffic } from './connection/caller-traffic.ts';
import { createIdleConnections } from './connection/idle-connections.ts';
import { PacedRequest } from './connection/paced-request.ts';
import { createParseErrorHandler } from './connection/parse-errors.ts';
import { bodyBytes, bufferedBytes, createPipelining } from './connection/pipelining.ts';
import { endWithStatus } from './connection/status-line.ts';
import { closeStaggered, type DrainTime, finishedOrLate, openMsOf, pause, spreadMsOf } from './drain.ts';
import { createGraphiQL } from './graphiql.ts';
import { createGraphQLEndpoint } from './graphql/graphql-endpoint.ts';
import type { HttpDependencies } from './http-dependencies.ts';
import { refuseWithoutOneHost, sendFault, sendJson } from './json-response.ts';
import { type Listening, listen } from './listen.ts';
import { OpenResponses, TrackedResponse } from './open-responses.ts';
import { sendMetrics, sendProbe } from './probes.ts';
import { createIdentityReader, identityIfValid, requestIdOf } from './read-caller.ts';
import {
  asksForWebSocket,
  countOfHeader,
  hasTooManyHeaders,
  headBytes,
  maxHeaders,
  pathOf,
  removeOrigin,
} from './request-head.ts';
import { createWebSocketServer } from './websocket/server.ts';

export type HttpServer = ReturnType<typeof createHttpServer>;

export function createHttpServer(dependencies: HttpDependencies) {
  const { config, pipeline, laneOf, shares, log, metrics, readiness } = dependencies;
  let listening: Listening | undefined;
  const identities = createIdentityReader(laneOf);
  const countTraffic = createCallerTraffic(metrics);
  const endpoint = createGraphQLEndpoint(dependencies, {
    identityOf: (request: PacedRequest) => identities.read(request),
    onClose: ({ lane }, { socket }: PacedRequest) => countTraffic(lane, socket),
  });
  const { bodies, sockets, unreadResults, eventStreams } = endpoint;
  const idle = createIdleConnections(config.counts.idleConnections, shares.acceptedLanes);
  const pipelining = createPipelining(bodies, callerOf, idle);
  const onClientError = createParseErrorHandler(pipelining.newestOf);
  const webSockets = createWebSocketServer(dependencies, endpoint);
  const graphiql = config.graphiql ? createGraphiQL(config) : undefined;
  const responses = new OpenResponses<TrackedResponse>();
  // Metrics are for operators, not for the public.
  const servesMetrics = config.metricsPort === undefined && !config.production;
  metrics.gauge('folio_sockets', () => [
    ['websocket', webSockets.openSockets()],
    ['event-stream', eventStreams.size],
  ]);

  /** Its body is read when its caller is next. */
  class CallerRequest extends PacedRequest {
    override get acceptedCaller(): Holder {
      return acceptedCallerOf(this) ?? nobody;
    }
  }

  const server = createServer({
    IncomingMessage: CallerRequest,
    ServerResponse: TrackedResponse,
    // Headers have 15 s. Bodies have their own timers, since a file may take long.
    headersTimeout: 15_000,
    requestTimeout: 0,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16_384,
    // Node would respond itself to each of thousands of requests in one chunk: those of 100 connections took the whole heap.
    requireHostHeader: false,
    // RFC 9110, section 7.8: a protocol that we do not speak is ignored, e.g. h2c, and the request gets its response.
    // So is one that arrives behind a request: `101` would be sent before the response to that request.
    // And one without exactly one `Host`, which is refused like every such request, and one with a body: Node hands the socket
    // over before the body has come, and would never destroy the request.
    shouldUpgradeCallback: (request) =>
      asksForWebSocket(request) &&
      countOfHeader('host', request.rawHeaders) === 1 &&
      bodyBytes(request) === 0 &&
      !pipelining.newestOf(request.socket),
  });
  // Node 26 refuses more with a 431 without a body. Earlier versions, under which the test kit may run, drop the rest.
  server.maxHeadersCount = maxHeaders + 1;

  function route(request: PacedRequest, response: TrackedResponse): void {
    const path = pathOf(request);
    const fail = (error: unknown) => sendFault(response, log, error);
    try {
      if (refuseWithoutOneHost(request, response) || sendProbe(path, response, readiness)) return;
      if (path === '/metrics' && servesMetrics) sendMetrics(request, response, metrics).catch(fail);
      else if (graphiql?.handles(request, path)) showGraphiQL(request, response, path).catch(fail);
      else if (path === '/graphql') respondToGraphQL(request, response);
      else sendJson(response, 404, { error: 'Not found: the API is at /graphql.' });
    } catch (error) {
      fail(error);
    }
  }

  /** All who open GraphiQL wait as one caller. */
  async function showGraphiQL(request: PacedRequest, response: TrackedResponse, path: string): Promise<void> {
    try {
      await endpoint.admission.enter(nobody, bufferedBytes(request), () => response.closed);
    } catch (error) {
      response.setHeader('retry-after', '1');
      sendJson(response, 503, { error: (error as Error).message });
      return;
    }
    if (!response.closed) await graphiql?.respond(request, response, path);
  }

  function respondToGraphQL(request: PacedRequest, response: TrackedResponse): void {
    const http = endpoint.open(request, response);
    response.http = http;
    if (hasTooManyHeaders(request)) response.shouldKeepAlive = false;
    endpoint.respond(http);
  }

  /** Announces the end of a connection with its last response: if it ended later, it could cut a request that is being sent. */
  function announceEnd(response: TrackedResponse): void {
    const { req: request } = response;
    const isLast = pipelining.newestOf(request.socket) === response;
    if (isLast && idle.isNearlyFull() && idle.hasMost(callerOf(response))) response.shouldKeepAlive = false;
  }

  /** The caller of the response's request; undefined when the credentials are malformed. */
  function callerOf({ req: request, http }: TrackedResponse): Holder | undefined {
    return identityIfValid(() => http?.identity ?? identities.read(request));
  }

  /** The request's caller if the service has accepted it. Most clients send credentials with `connection_init`. */
  function acceptedCallerOf(request: IncomingMessage): Holder | undefined {
    const caller = identityIfValid(() => identities.read(request));
    return caller && shares.acceptedLanes.has(caller.lane) ? caller : undefined;
  }

  /** Handles an event of one connection. A fault closes that connection alone: thrown further, it would end the process. */
  function guard(connection: ServerResponse | Duplex, handle: () => void): void {
    try {
      handle();
    } catch (error) {
      log.error({ err: error }, 'connection event');
      connection.destroy();
    }
  }

  const countUnsent = (response: TrackedResponse) =>
    unreadResults.written(response, () => callerOf(response));

  function onRequest(request: PacedRequest, response: TrackedResponse): void {
    removeOrigin(request);
    responses.add(response);
    response.onUnsent = countUnsent;
    response.onHead = announceEnd;
    if (readiness.phase === 'draining') response.shouldKeepAlive = false;
    guard(response, () => {
      // Node drops what follows an upgrade that is ignored.
      if (asksForWebSocket(request)) response.setHeader('connection', 'close');
      pipelining.schedule(request, response, () => route(request, response));
    });
  }

  server.on('request', onRequest);
  // An unknown `Expect` is ignored (RFC 9110, section 10.1.1). Node would respond itself, as without `Host`.
  server.on('checkExpectation', onRequest);

  /** At the end of a shutdown. */
  function refuseLate(response: TrackedResponse): void {
    const { req: request, http } = response;
    if (http) {
      endpoint.cutShort(http);
      return;
    }
    const requestId = requestIdOf(request);
    response.setHeader('x-request-id', requestId);
    sendJson(response, 503, { errors: pipeline.refuse(shuttingDown(), requestId) });
  }

  server.on('connection', (socket) => idle.open(socket));

  server.on('upgrade', (request, socket, head) => {
    idle.leave(request.socket);
    guard(socket, () => {
      removeOrigin(request);
      if (endpoint.isRefusing()) return endWithStatus(socket, '503 Service Unavailable');
      if (hasTooManyHeaders(request)) return endWithStatus(socket, '431 Request Header Fields Too Large');
      if (pathOf(request) !== '/graphql') return endWithStatus(socket, '404 Not Found');
      // `bind`: a closure would keep the request, since a Set keeps former members in its old tables until a full collection.
      const share = sockets.hold(acceptedCallerOf(request), headBytes(request), socket.destroy.bind(socket));
      if (share === undefined) return endWithStatus(socket, '503 Service Unavailable');
      // The WebSocket gets its own with `connection_init`.
      identities.forget(request.socket);
      // Bound: a closure would keep the request as long as the socket lasts.
      socket.on('close', share.release.bind(share));
      webSockets.upgrade(request, socket, head, share);
    });
  });

  server.on('clientError', (error, socket) => guard(socket, () => onClientError(error, socket)));

  /** Node would also close those on which the rest of a response is being sent. */
  function closeIdleConnections(): void {
    const ended = responses.toArray().filter(({ finished }) => finished);
    for (const response of ended) response.finished = false;
    server.closeIdleConnections();
    for (const response of ended) response.finished = true;
  }

  /**
   * Stops listening, so that a balancer sends requests to another gateway at once: it has sent nothing, and so may send a
   * POST elsewhere. Then closes sockets and event streams evenly, and connections when they are idle.
   */
  async function drain({ graceMs, graceOver }: DrainTime): Promise<void> {
    const spreadMs = spreadMsOf(graceMs);
    const allClosed = listening?.stop();
    const noMoreRequests = Promise.race([allClosed, pause(openMsOf(graceMs))]).then(async () => {
      endpoint.refuseAll();
      await idle.whenRead();
      closeIdleConnections();
    });

    const finished = Promise.all([
      webSockets.close(spreadMs, noMoreRequests),
      // Without `complete`, so that clients reconnect.
      closeStaggered(
        () => [...eventStreams],
        spreadMs,
        (response) => response.destroy(),
        noMoreRequests,
      ),
      noMoreRequests.then(() => responses.whenIdle()),
    ]);
    let late = 0;
    void graceOver.then(() => (late = responses.size));
    await finishedOrLate(finished, graceOver, () => {
      for (const response of responses.toArray()) if (!response.headersSent) refuseLate(response);
    });
    const cut = responses.size;
    server.close();
    server.closeAllConnections();
    if (late > 0) log.warn({ ended: late, cut }, 'requests ended at the end of the grace time');
  }

  return {
    /** Resolves with the port. */
    async listen() {
      listening = await listen(server, config.listen, config.counts.connections);
      return listening.port;
    },
    load: () => ({
      requests: responses.size,
      webSockets: webSockets.openSockets(),
      eventStreams: eventStreams.size,
    }),
    drain,
  };
}
