/** The GraphQL endpoint over HTTP: admits, reads and runs each request, on Node's own server and in a host's. */
import { badRequest, gatewayFailed, mutationCutShort, shuttingDown } from '../../errors.ts';
import { createAdmission } from '../../shares/admission.ts';
import { LaneBudget } from '../../shares/lane-budget.ts';
import { ReclaimingBudget } from '../../shares/reclaiming-budget.ts';
import { createSockets } from '../../shares/sockets-and-streams.ts';
import { bufferedBytes } from '../connection/pipelining.ts';
import type { ResponseProgress } from '../request-and-response.ts';
import { checkHost, hasTooManyHeaders, maxHeaders } from '../request-head.ts';
import type { HttpServerOptions } from '../server-options.ts';
import { createUnreadResults } from '../unread-results.ts';
import { type Exchange, GraphQLHttpRequest } from './graphql-request.ts';
import { errorResult, type SingleResult } from './response.ts';
import { isJsonPost, runOperation } from './run-operation.ts';

export type GraphQLEndpoint = ReturnType<typeof createGraphQLEndpoint>;

export function createGraphQLEndpoint(options: HttpServerOptions) {
  const { pipeline, shares, log } = options;
  /** Bodies that are being read, and requests that wait for their connection. */
  const bodies = new ReclaimingBudget(shares.of.bodies, shares, 'costliest');
  const files = new LaneBudget(shares.of.files, shares);
  const admission = createAdmission(shares);
  const sockets = createSockets(shares);
  const unreadResults = createUnreadResults(shares);
  const eventStreams = new Set<ResponseProgress>();
  const environment = { options, bodies, files, sockets, eventStreams, isRefusing: false };

  /** Throws the reason why the request is refused before its body is read. Adds headers to its response. */
  function checkHead(http: GraphQLHttpRequest): void {
    const { request, headers } = http;
    if (request.method !== 'GET' && request.method !== 'POST') {
      headers.push('allow', 'GET, POST');
      throw badRequest('GraphQL only supports GET and POST requests.', 405);
    }
    if (environment.isRefusing) throw shuttingDown();
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
    /** Decides when requests and messages start. */
    admission,
    bodies,
    sockets,
    unreadResults,
    eventStreams: eventStreams as ReadonlySet<ResponseProgress>,
    open: (exchange: Exchange) => new GraphQLHttpRequest(exchange, environment),
    /** As `runOperation`. Pass what it throws to `failed`. */
    run: (http: GraphQLHttpRequest) => runOperation(http, admit),
    /** Logs a bug, and returns the result that is sent instead: the operation may have run. */
    failed(error: unknown, http: GraphQLHttpRequest) {
      log.error({ err: error, requestId: http.requestId }, 'request');
      return errorResult(pipeline.refuse(gatewayFailed(undefined, 'POSSIBLE'), http.requestId));
    },
    /** The result of a request that has none when the gateway ends. A mutation that has begun may have been done. */
    cutShort({ hasMutation, requestId }: GraphQLHttpRequest): SingleResult {
      const errors = pipeline.refuse(hasMutation ? mutationCutShort() : shuttingDown(), requestId);
      if (!hasMutation) return errorResult(errors);
      return { json: JSON.stringify({ errors, data: null }), errors, isRequestError: false };
    },
    /** From now on every request is refused, because the gateway stops. */
    refuseAll() {
      environment.isRefusing = true;
    },
    isRefusing: () => environment.isRefusing,
  };
}
