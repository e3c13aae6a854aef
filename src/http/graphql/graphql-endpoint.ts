/** The GraphQL endpoint over HTTP: admits, reads and runs each request, on Node's own server and in a host's. */
import { badRequest, gatewayFailed, shuttingDown } from '../../errors.ts';
import type { SubscriptionResults } from '../../operation/subscription-results.ts';
import { type Admission, createAdmission } from '../../shares/admission.ts';
import { LaneBudget } from '../../shares/lane-budget.ts';
import { ReclaimingBudget } from '../../shares/reclaiming-budget.ts';
import { createSockets, type Sockets } from '../../shares/sockets-and-streams.ts';
import { bufferedBytes } from '../connection/pipelining.ts';
import type { ResponseProgress } from '../request-and-response.ts';
import { checkHost, hasTooManyHeaders, maxHeaders } from '../request-head.ts';
import type { HttpServerOptions } from '../server-options.ts';
import { createUnreadResults, type UnreadResults } from '../unread-results.ts';
import { type Exchange, GraphQLHttpRequest } from './graphql-request.ts';
import { errorResult, type SingleResult } from './response.ts';
import { isJsonPost, runOperation } from './run-operation.ts';

export interface GraphQLEndpoint {
  /** Decides when requests and messages start. */
  readonly admission: Admission;
  /** Bodies that are being read, and requests that wait for their connection. */
  readonly bodies: ReclaimingBudget;
  readonly sockets: Sockets;
  readonly unreadResults: UnreadResults;
  readonly eventStreams: ReadonlySet<ResponseProgress>;
  open(exchange: Exchange): GraphQLHttpRequest;
  /**
   * Runs the operation of the request. Returns undefined when the caller has disconnected; the results of a subscription stop
   * when it does. Throws only for a bug: pass it to `failed`.
   */
  run(http: GraphQLHttpRequest): Promise<SubscriptionResults | SingleResult | undefined>;
  /** Logs a bug, and returns the result that is sent instead: the operation may have run. */
  failed(error: unknown, http: GraphQLHttpRequest): SingleResult;
  /** From now on every request is refused, because the gateway stops. */
  refuseAll(): void;
  isRefusing(): boolean;
}

export function createGraphQLEndpoint(options: HttpServerOptions): GraphQLEndpoint {
  const { config, pipeline, shares, log } = options;
  /** True near the end of a drain. */
  let isRefusing = false;
  const bodies = new ReclaimingBudget(shares.of.bodies, shares, 'costliest');
  const files = new LaneBudget(shares.of.files, shares);
  const admission = createAdmission(shares);
  const sockets = createSockets(shares);
  const unreadResults = createUnreadResults(shares);
  const eventStreams = new Set<ResponseProgress>();
  const environment = {
    ...{ bodies, files, sockets, eventStreams, log },
    corsOrigins: config.corsOrigins,
    scheduler: shares.scheduler,
    isRefusing: () => isRefusing,
  };

  /** Throws the reason why the request is refused before its body is read. Adds headers to its response. */
  function checkHead(http: GraphQLHttpRequest): void {
    const { request, headers } = http;
    if (request.method !== 'GET' && request.method !== 'POST') {
      headers.push('allow', 'GET, POST');
      throw badRequest('GraphQL only supports GET and POST requests.', 405);
    }
    if (isRefusing) throw shuttingDown();
    if (hasTooManyHeaders(request))
      throw badRequest(`The request has more than ${maxHeaders} headers; nothing was done.`, 431);
    if (http.mediaType === undefined) {
      const types = 'application/graphql-response+json, application/json or text/event-stream';
      throw badRequest(`\`accept\` must allow ${types}, in at most 1,024 characters; nothing was done.`, 406);
    }
    if (!isJsonPost(http)) checkHost(request);
  }

  function admit(http: GraphQLHttpRequest): Promise<void> | undefined {
    checkHead(http);
    const { request, response } = http;
    return admission.enter(http.identity, bufferedBytes(request), () => response.closed);
  }

  return {
    admission,
    bodies,
    sockets,
    unreadResults,
    eventStreams,
    open: (exchange) => new GraphQLHttpRequest(exchange, environment),
    run: (http) => runOperation(options, http, admit),
    failed(error, http) {
      log.error({ err: error, requestId: http.requestId }, 'request');
      return errorResult(pipeline.refuse(gatewayFailed(undefined, 'POSSIBLE'), http.requestId));
    },
    refuseAll() {
      isRefusing = true;
    },
    isRefusing: environment.isRefusing,
  };
}
