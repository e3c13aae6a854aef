/** The HTTP server: routes, and headers of every response. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestIdFrom } from '../caller.ts';
import { badRequest, GatewayError, shuttingDown } from '../errors.ts';
import type { SubscriptionResults } from '../operation/subscription.ts';
import { admissionShare, createAdmission } from '../shares/admission.ts';
import { ReclaimingBudget } from '../shares/reclaiming-budget.ts';
import { type Holder, shareOf } from '../shares/share.ts';
import { createSockets } from '../shares/sockets.ts';
import { Cancellation } from '../tools/cancellation.ts';
import { mediaTypeFor } from './accept.ts';
import { applicationFromRequest } from './application.ts';
import { createConnectionBytes } from './connection-bytes.ts';
import { createConnectionLanes } from './connection-lanes.ts';
import { corsHeaders, isPreflight } from './cors.ts';
import { type DrainTime, drainServer } from './drain.ts';
import { createGraphiQL } from './graphiql.ts';
import { discardRest } from './graphql/early-response.ts';
import type { GraphQLHttpRequest } from './graphql/http-request.ts';
import { isJsonPost, respondWithJson } from './graphql/json.ts';
import { sendErrors } from './graphql/response.ts';
import type { YogaHandler } from './graphql/yoga.ts';
import { listen } from './listen.ts';
import { maxConnections } from './max-connections.ts';
import type { HttpServerOptions } from './options.ts';
import { PacedRequest } from './paced-request.ts';
import { createParseErrorHandler } from './parse-errors.ts';
import { bufferedBytes, createPipelining } from './pipelining.ts';
import { sendJson, sendMetrics, sendReadiness } from './probes.ts';
import { asksForWebSocket, hasTooManyHeaders, hasValidHost, maxHeaders } from './request-head.ts';
import { ResponsesInFlight, TrackedResponse } from './responses-in-flight.ts';
import { tracedBy } from './traced-by.ts';
import { createUnsentResults } from './unsent-results.ts';
import { createWebSocketServer, refuseUpgrade } from './websocket/server.ts';

export interface HttpServer {
  /** Resolves with the port. */
  listen(): Promise<number>;
  /** `/ready` returns 200 from now on. */
  becomeReady(): void;
  /** What is open at present. */
  load(): { readonly requests: number; readonly webSockets: number; readonly eventStreams: number };
  /** `/ready` returns 503 from now on, and each response asks to close its connection. Resolves after `delayMs`. */
  leave(delayMs: number): Promise<void>;
  /** Stops to listen, finishes what is in progress, and closes all connections. */
  drain(time: DrainTime): Promise<void>;
}

type Phase = 'starting' | 'ready' | 'draining';

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { config, pipeline, laneOf, shares, log, metrics, degraded } = options;
  let phase: Phase = 'starting';
  /** Near the end of a drain. */
  let isRefusing = false;
  let yoga: Promise<YogaHandler> | undefined;
  const unsentResults = createUnsentResults(shares);
  const { requestBodies } = config.memory;
  // Credentials are free to invent, and bodies compete by the time that they take: only the sum is bounded.
  const bodyShare = shareOf('bodies', requestBodies, { newcomers: requestBodies, owner: requestBodies });
  const bodies = new ReclaimingBudget(bodyShare, shares, 'costliest');
  const pipelining = createPipelining(bodies);
  const admission = createAdmission(admissionShare(config.memory.admission), shares);
  const webSockets = createWebSocketServer(options, unsentResults);
  const graphiql = config.graphiql ? createGraphiQL(config) : undefined;
  const responses = new ResponsesInFlight();
  const eventStreams = new Set<ServerResponse>();
  const sockets = createSockets(config.limits.maxSockets, shares);
  // Metrics are for operators, not for the public.
  const servesMetrics = config.metricsPort === undefined && !config.production;
  metrics.gauge('folio_sockets', () => [
    ['websocket', webSockets.openSockets()],
    ['event-stream', eventStreams.size],
  ]);

  const server = createServer({
    IncomingMessage: PacedRequest,
    ServerResponse: TrackedResponse,
    // Headers have 15 s. Bodies have their own timers, since a file may take long.
    headersTimeout: 15_000,
    requestTimeout: 0,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16_384,
    // RFC 9110, section 7.8: a protocol that we do not speak is ignored, e.g. h2c, and the request gets its response.
    // So is one that arrives behind a request: `101` would be sent before the response to that request.
    shouldUpgradeCallback: (request) => asksForWebSocket(request) && !pipelining.isBusy(request.socket),
  });
  // Node drops further headers, so one more than permitted is read.
  server.maxHeadersCount = maxHeaders + 1;
  server.maxConnections = maxConnections(config.limits.maxSockets);
  const parseErrors = createParseErrorHandler();
  const identityOf = createConnectionLanes(laneOf);
  const countBytes = createConnectionBytes(metrics);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0] as string;
    // Liveness: the process responds.
    if (path === '/health') return sendJson(response, 200, { status: 'alive' });
    if (path === '/ready') return sendReadiness(response, phase, degraded());
    if (path === '/metrics' && servesMetrics) return await sendMetrics(request, response, metrics);
    if (graphiql?.handles(request, path)) return await graphiql.respond(request, response, path);
    if (path !== '/graphql') return sendJson(response, 404, { error: 'Not found: the API is at /graphql.' });
    await respondToGraphQL(request, response);
  }

  async function respondToGraphQL(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = requestIdFrom(request.headers['x-request-id']?.toString());
    const headers = ['x-request-id', requestId, 'cache-control', 'no-store'];
    headers.push(...corsHeaders(request, config.corsOrigins));
    if (isPreflight(request, config.corsOrigins)) {
      response.writeHead(204, [...headers, 'content-length', '0']).end();
      return;
    }
    const refuse = (error: unknown) => {
      void discardRest(request, response);
      sendErrors({ request, response, headers }, pipeline.refuse(error, requestId));
    };
    if (request.method !== 'GET' && request.method !== 'POST') {
      headers.push('allow', 'GET, POST');
      return refuse(badRequest('GraphQL only supports GET and POST requests.', 405));
    }
    if (isRefusing) return refuse(shuttingDown());
    if (hasTooManyHeaders(request)) {
      response.shouldKeepAlive = false;
      return refuse(badRequest(`The request has more than ${maxHeaders} headers; nothing was done.`, 431));
    }
    if (mediaTypeFor(request.headers.accept) === undefined) {
      const types = 'application/graphql-response+json, application/json or text/event-stream';
      return refuse(badRequest(`\`accept\` must allow ${types}; nothing was done.`, 406));
    }
    if (!isJsonPost(request) && !hasValidHost(request))
      return refuse(badRequest('The `Host` header is malformed.'));
    const cancellation = new Cancellation();
    response.on('close', () => {
      if (!response.writableFinished) guard(response, () => cancellation.abort());
    });
    const http: GraphQLHttpRequest = {
      request,
      response,
      headers,
      bodies,
      requestId,
      caller() {
        const waitedMs = performance.now() - (request as PacedRequest).readAt;
        const identity = identityOf(request);
        response.on('close', () => countBytes(identity.lane, request.socket));
        const application = applicationFromRequest(request);
        const traced = tracedBy(request, response);
        return { ...identity, application, ...traced, requestId, signal: cancellation, waitedMs };
      },
      onEventStream() {
        if (isRefusing) throw shuttingDown();
        if (response.closed) return;
        const release = sockets.holdStream(identityOf(request));
        eventStreams.add(response);
        response.on('close', () => {
          eventStreams.delete(response);
          release();
        });
      },
      onLargeResult() {
        unsentResults.add(response, {
          unsentBytes: () => response.writableLength,
          isOver: () => response.writableFinished || response.destroyed,
          cut: () => response.destroy(),
          holder: identityOf(request),
        });
      },
    };
    try {
      await enter(request, response);
    } catch (error) {
      return refuse(error);
    }
    if (response.closed) return;
    try {
      const results = await respondWithJson(options, http);
      if (results) await sendEvents(results, http);
    } catch (error) {
      log.error({ err: error, requestId }, 'request');
      if (response.headersSent) response.destroy();
      // The operation may have run, but writing its result failed.
      else
        refuse(
          new GatewayError({
            code: 'INTERNAL_SERVER_ERROR',
            message: 'The gateway failed.',
            sideEffect: 'POSSIBLE',
          }),
        );
    }
  }

  /** Waits until the process has time for the request. Throws a GatewayError when it has not. */
  function enter(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    return admission.enter(identityOf(request), bufferedBytes(request), () => response.closed);
  }

  async function sendEvents(results: SubscriptionResults, http: GraphQLHttpRequest): Promise<void> {
    const { request, response, headers } = http;
    // Yoga would stop the results when the next one arrives, if one ever does.
    if (response.closed) return results.stop();
    response.once('close', () => results.stop());
    for (let at = 0; at < headers.length; at += 2)
      response.setHeader(headers[at] as string, headers[at + 1] as string);
    // Loaded with the first event stream: it is half of the code that a start would load.
    yoga ??= import('./graphql/yoga.ts').then(({ createYogaHandler }) => createYogaHandler(log));
    await (await yoga)(request, response, { results });
  }

  /** The request's caller if the service has accepted it. Most clients send credentials with `connection_init`. */
  function acceptedCallerOf(request: IncomingMessage): Holder | undefined {
    try {
      const identity = identityOf(request);
      return shares.acceptedLanes.has(identity.lane) ? identity : undefined;
    } catch {
      return undefined;
    }
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

  server.on('request', (request: IncomingMessage, response: TrackedResponse) => {
    responses.add(response);
    if (phase === 'draining') response.shouldKeepAlive = false;
    guard(response, () => schedule(request, response));
  });

  /** For a request that has not run. Its body may still be arriving: there is no time to read the rest. */
  function refuseLate(response: TrackedResponse): void {
    const { req: request } = response;
    const requestId = requestIdFrom(request.headers['x-request-id']?.toString());
    response.setHeader('x-request-id', requestId);
    sendJson(response, 503, { errors: pipeline.refuse(shuttingDown(), requestId) });
  }

  function schedule(request: IncomingMessage, response: ServerResponse): void {
    parseErrors.track(request, response);
    // Node drops what follows an upgrade that is ignored.
    if (asksForWebSocket(request)) response.setHeader('connection', 'close');
    pipelining.schedule(request, response, () => {
      respond(request, response).catch((error: unknown) => {
        log.error({ err: error }, 'request');
        if (response.headersSent) response.destroy();
        else sendJson(response, 500, { error: 'The gateway failed.' });
      });
    });
  }

  server.on('upgrade', (request, socket, head) => {
    guard(socket, () => {
      const path = (request.url ?? '/').split('?', 1)[0];
      if (isRefusing) return refuseUpgrade(socket, '503 Service Unavailable');
      if (hasTooManyHeaders(request)) return refuseUpgrade(socket, '431 Request Header Fields Too Large');
      if (path !== '/graphql') return refuseUpgrade(socket, '404 Not Found');
      const share = sockets.hold(acceptedCallerOf(request), () => socket.destroy());
      if (share === undefined) return refuseUpgrade(socket, '503 Service Unavailable');
      socket.on('close', () => share.release());
      webSockets.upgrade(request, socket, head, share);
    });
  });

  server.on('clientError', (error, socket) => guard(socket, () => parseErrors.onClientError(error, socket)));

  return {
    listen: () => listen(server, config.listen),
    becomeReady() {
      phase = 'ready';
    },
    load: () => ({
      requests: responses.size,
      webSockets: webSockets.openSockets(),
      eventStreams: eventStreams.size,
    }),
    async leave(delayMs) {
      phase = 'draining';
      await sleep(delayMs);
    },
    drain(time) {
      const refuse = () => {
        isRefusing = true;
      };
      return drainServer({ server, webSockets, eventStreams, responses, refuse, refuseLate, log }, time);
    },
  };
}
