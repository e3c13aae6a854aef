/** The GraphQL endpoint over HTTP: admits, reads and runs each request, on Node's own server and in a host's. */
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
import type { HttpDependencies } from '../http-dependencies.ts';
import { mediaTypeOf } from '../media-type.ts';
import type { ResponseProgress } from '../request-and-response.ts';
import { checkHost, hasTooManyHeaders, maxHeaders } from '../request-head.ts';
import { createUnreadResults } from '../unread-results.ts';
import { checkCsrfHeader } from './csrf.ts';
import { type Exchange, GraphQLHttpRequest } from './graphql-request.ts';
import { readMultipart } from './multipart-request.ts';
import { readQueryString } from './query-string.ts';
import { readJsonBody } from './request-body.ts';
import { errorResult, operationResult, type SingleResult } from './response.ts';

export type GraphQLEndpoint = ReturnType<typeof createGraphQLEndpoint>;

export function createGraphQLEndpoint(dependencies: HttpDependencies) {
  const { pipeline, shares, responses } = dependencies;
  /** Bodies that are being read, and requests that wait for their connection. */
  const bodies = new ReclaimingBudget(shares.of.bodies, shares, 'costliest');
  const files = new LaneBudget(shares.of.files, shares);
  const admission = createAdmission(shares);
  const sockets = createSockets(shares);
  const unreadResults = createUnreadResults(shares, responses);
  const eventStreams = new Set<ResponseProgress>();
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

  return {
    /** Decides when requests and messages start. */
    admission,
    bodies,
    sockets,
    unreadResults,
    eventStreams: eventStreams as ReadonlySet<ResponseProgress>,
    open: (exchange: Exchange) => new GraphQLHttpRequest(exchange, environment),

    /**
     * Returns the result, or the results of a subscription, which stop when the caller disconnects; undefined when it has.
     * Throws only for a bug: the operation may have run. Pass what it throws to `failed`.
     */
    async run(http: GraphQLHttpRequest): Promise<SubscriptionResults | SingleResult | undefined> {
      const { request, response, requestId } = http;
      let result: SubscriptionResults | ExecutionResult;
      let type: OperationTypeNode;
      try {
        checkHead(http);
        // Until the process has time for the request.
        const turn = admission.enter(http.identity, bufferedBytes(request), () => response.closed);
        if (turn) await turn;
        if (response.closed) return undefined;
        checkCsrfHeader(request);
        if (request.method === 'GET') await http.waitForTurn();
        const asked = takenFrom(await readOperation(http));
        const operation = pipeline.prepare(asked, requestId, { readOnly: request.method === 'GET' });
        type = operation.operation.operation;
        if (type === OperationTypeNode.SUBSCRIPTION) {
          checkAcceptsEvents(http);
          checkHost(request);
          http.holdEventStream();
          result = await pipeline.subscribe(operation, http.caller(type));
        } else {
          result = await pipeline.execute(operation, http.caller(type));
        }
      } catch (error) {
        // It has begun, and `execute` rejects only for a bug.
        if (http.hasMutation) throw error;
        // RFC 9110, section 15.5.6. Of GET only a mutation is refused.
        if (error instanceof GatewayError && error.httpStatus === 405)
          http.headers.push('allow', request.method === 'GET' ? 'POST' : 'GET, POST');
        return errorResult(pipeline.refuse(error, requestId));
      }
      if (result instanceof SubscriptionResults) return untilClosed(result, response);
      return operationResult(textOf(result, type, http), result);
    },

    /** Logs a bug, and returns the result that is sent instead: a mutation that has begun may have been done. */
    failed(error: unknown, { hasMutation, requestId }: GraphQLHttpRequest) {
      const failure = gatewayFailed(error, hasMutation ? 'POSSIBLE' : 'NONE');
      return errorResult(pipeline.refuse(failure, requestId));
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

function untilClosed(results: SubscriptionResults, response: ResponseProgress) {
  response.once('close', () => results.stop());
  if (!response.closed) return results;
  results.stop();
  return undefined;
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
 * A result as JSON. A result longer than V8's longest string is replaced by an error, which reports that a mutation may
 * have been done. Any other failure is a bug and is thrown.
 */
function textOf(
  result: ExecutionResult,
  type: OperationTypeNode,
  { dependencies, requestId }: GraphQLHttpRequest,
): string {
  try {
    return JSON.stringify(result);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const error = new GatewayError({
      code: 'OPERATION_TOO_EXPENSIVE',
      bound: 'result',
      message: 'The result is too large to be written as JSON: select less.',
      sideEffect: type === OperationTypeNode.MUTATION ? 'POSSIBLE' : 'NONE',
      cause,
    });
    return JSON.stringify({ errors: [dependencies.pipeline.mask(error, requestId)], data: null });
  }
}
