/** The GraphQL endpoint over HTTP: admits and reads each request, and responds to it, on Node's own server and in a host's. */
import { type ExecutionResult, OperationTypeNode } from 'graphql';
import { badRequest, GatewayError, gatewayFailed, mutationCutShort, shuttingDown } from '../../errors.ts';
import { type OperationRequest, takenFrom } from '../../operation/operation-request.ts';
import { SubscriptionResults } from '../../operation/subscription-results.ts';
import { createAdmission } from '../../shares/admission.ts';
import { LaneBudget } from '../../shares/lane-budget.ts';
import { ReclaimingBudget } from '../../shares/reclaiming-budget.ts';
import { createSockets } from '../../shares/sockets-and-streams.ts';
import { eventTypeFor } from '../accept.ts';
import { bufferedBytes } from '../connection/pipelining.ts';
import { isPreflight } from '../cors.ts';
import type { HttpDependencies } from '../http-dependencies.ts';
import { mediaTypeOf } from '../media-type.ts';
import type { GraphQLResponse } from '../request-and-response.ts';
import { checkHost, hasTooManyHeaders, maxHeaders } from '../request-head.ts';
import { createUnreadResults } from '../unread-results.ts';
import { checkCsrfHeader } from './csrf.ts';
import { type Exchange, GraphQLHttpRequest } from './graphql-request.ts';
import { readMultipart } from './multipart-request.ts';
import { readQueryString } from './query-string.ts';
import { readJsonBody } from './request-body.ts';
import { errorResult, operationResult, responseOf, type SingleResult, sendResult } from './response.ts';

export type GraphQLEndpoint = ReturnType<typeof createGraphQLEndpoint>;

export function createGraphQLEndpoint(dependencies: HttpDependencies) {
  const { pipeline, shares, responses } = dependencies;
  /** Bodies that are being read, and requests that wait for their connection. */
  const bodies = new ReclaimingBudget(shares.of.bodies, shares, 'costliest');
  const files = new LaneBudget(shares.of.files, shares);
  const admission = createAdmission(shares);
  const sockets = createSockets(shares);
  const unreadResults = createUnreadResults(shares, responses);
  const eventStreams = new Set<GraphQLResponse>();
  const environment = { dependencies, bodies, files, sockets, eventStreams, isRefusing: false };

  /** Throws the reason why the request is refused before its body is read. Adds headers to its response. */
  function checkHead(http: GraphQLHttpRequest): void {
    const { request, mediaType } = http;
    if (request.method !== 'GET' && request.method !== 'POST')
      throw badRequest('GraphQL only supports GET and POST requests.', 405);
    if (environment.isRefusing) throw shuttingDown();
    if (hasTooManyHeaders(request))
      throw badRequest(`The request has more than ${maxHeaders} headers; nothing was done.`, 431);
    if (mediaType === undefined) {
      const types = 'application/graphql-response+json, application/json or text/event-stream';
      throw badRequest(`\`accept\` must allow ${types}, in at most 1,024 characters; nothing was done.`, 406);
    }
    // Most requests are not checked: nothing depends on their `Host`, and it takes longer than all that is checked before.
    const isJsonPost = request.method === 'POST' && mediaType.startsWith('application/');
    if (!isJsonPost) checkHost(request);
  }

  /** Starts the operation that was asked for. Its text and variables are not kept by the request: a subscription may take hours. */
  function start(
    asked: OperationRequest,
    http: GraphQLHttpRequest,
  ): Promise<SubscriptionResults | ExecutionResult> {
    const { request, requestId } = http;
    const prepared = pipeline.prepare(takenFrom(asked), requestId, { readOnly: request.method === 'GET' });
    const type = prepared.operation.operation;
    if (type !== OperationTypeNode.SUBSCRIPTION) return pipeline.execute(prepared, http.caller(type));
    checkAcceptsEvents(http);
    checkHost(request);
    http.holdEventStream();
    return pipeline.subscribe(prepared, http.caller(type));
  }

  async function respondWithEvents(results: SubscriptionResults, http: GraphQLHttpRequest): Promise<void> {
    const { response } = http;
    response.once('close', () => results.stop());
    if (response.closed) {
      results.stop();
      return;
    }
    // Half of the code, which no first response needs: main.ts loads it later.
    const { sendEvents } = await import('./event-stream.ts');
    await http.waitForTurn();
    await sendEvents(results, http);
  }

  /** The result of a request that is refused, or of a bug, which is logged. */
  function failedResult(error: unknown, http: GraphQLHttpRequest): SingleResult {
    const { request, hasMutation, requestId, headers } = http;
    // A mutation that has begun may have been done. `execute` rejects only for a bug.
    const failure = hasMutation ? gatewayFailed(error, 'POSSIBLE') : error;
    // RFC 9110, section 15.5.6. Of GET only a mutation is refused.
    if (failure instanceof GatewayError && failure.httpStatus === 405)
      headers.push('allow', request.method === 'GET' ? 'POST' : 'GET, POST');
    return errorResult(pipeline.refuse(failure, requestId));
  }

  return {
    /** Decides when requests and messages start. */
    admission,
    bodies,
    sockets,
    unreadResults,
    eventStreams: eventStreams as ReadonlySet<GraphQLResponse>,
    open: (exchange: Exchange) => new GraphQLHttpRequest(exchange, environment),

    /** Responds to the request. Rejects only when that fails. */
    async respond(http: GraphQLHttpRequest): Promise<void> {
      const { request, response } = http;
      if (isPreflight(request, dependencies.config.corsOrigins)) {
        response.writeHead(204, http.headers).end();
        return;
      }
      let result: SingleResult;
      try {
        checkHead(http);
        // Until the process has time for the request.
        const turn = admission.enter(http.identity, bufferedBytes(request), () => response.closed);
        if (turn) await turn;
        if (response.closed) return;
        checkCsrfHeader(request);
        if (request.method === 'GET') await http.waitForTurn();
        const results = await start(await readOperation(http), http);
        if (results instanceof SubscriptionResults) {
          await respondWithEvents(results, http);
          return;
        }
        result = resultOf(results, http);
      } catch (error) {
        result = failedResult(error, http);
        // An event stream has begun.
        if (response.headersSent) response.destroy();
      }
      sendResult(http, result);
    },

    /** Responds at the end of a shutdown. The body of the request may still be arriving: its rest is not read. */
    cutShort(http: GraphQLHttpRequest): void {
      const { hasMutation, requestId, response } = http;
      const errors = pipeline.refuse(hasMutation ? mutationCutShort() : shuttingDown(), requestId);
      // A mutation that has begun may have been done.
      const result = hasMutation
        ? { json: JSON.stringify({ errors, data: null }), errors, isRequestError: false }
        : errorResult(errors);
      const { status, headers, body } = responseOf(result, http);
      response.writeHead(status, headers).end(body);
    },
    /** From now on every request is refused, because the gateway stops. */
    refuseAll() {
      environment.isRefusing = true;
    },
    isRefusing: () => environment.isRefusing,
  };
}

function checkAcceptsEvents(http: GraphQLHttpRequest): void {
  if (eventTypeFor(http.request.headers.accept) !== undefined) return;
  const types = '`accept: text/event-stream`, or `multipart/mixed;subscriptionSpec=1.0`';
  throw badRequest(`A subscription needs ${types}, or a WebSocket.`, 406);
}

function readOperation(http: GraphQLHttpRequest): OperationRequest | Promise<OperationRequest> {
  const { method, headers } = http.request;
  if (method === 'GET') return readQueryString(http.request);
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) {
    // RFC 9110, section 15.5.16: which encodings are read.
    http.headers.push('accept-encoding', 'identity');
    throw badRequest('The body must not be compressed.', 415);
  }
  const isMultipart = mediaTypeOf(headers['content-type'])?.essence === 'multipart/form-data';
  return isMultipart ? readMultipart(http) : readJsonBody(http);
}

/**
 * The result of an operation. One longer than V8's longest string is replaced by an error, which reports that a mutation may
 * have been done. Any other failure is a bug and is thrown.
 */
function resultOf(result: ExecutionResult, http: GraphQLHttpRequest): SingleResult {
  const { dependencies, requestId, hasMutation } = http;
  try {
    return operationResult(JSON.stringify(result), result);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const error = new GatewayError({
      code: 'OPERATION_TOO_EXPENSIVE',
      bound: 'result',
      message: 'The result is too large to be written as JSON: select less.',
      sideEffect: hasMutation ? 'POSSIBLE' : 'NONE',
      cause,
    });
    const errors = [dependencies.pipeline.mask(error, requestId)];
    return operationResult(JSON.stringify({ errors, data: null }), result);
  }
}
