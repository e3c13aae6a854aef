/** GraphQL over HTTP: runs the operation of a GET request, or of a POST request whose body is JSON or multipart. */
import { type ExecutionResult, OperationTypeNode } from 'graphql';
import { badRequest, GatewayError } from '../../errors.ts';
import type { OperationRequest } from '../../operation/operation-request.ts';
import { SubscriptionResults } from '../../operation/subscription-results.ts';
import { eventTypeFor } from '../accept.ts';
import { mediaTypeOf } from '../media-type.ts';
import type { ResponseProgress } from '../request-and-response.ts';
import { checkHost } from '../request-head.ts';
import { checkCsrfHeader } from './csrf.ts';
import type { GraphQLHttpRequest } from './graphql-request.ts';
import { readMultipart } from './multipart-request.ts';
import { readQueryString } from './query-string.ts';
import { readJsonBody } from './request-body.ts';
import { errorResult, type SingleResult } from './response.ts';

/** Whether it is a POST request whose `accept` prefers JSON. */
export function isJsonPost({ request, mediaType }: GraphQLHttpRequest): boolean {
  return request.method === 'POST' && mediaType?.startsWith('application/') === true;
}

/**
 * Returns the result, or the results of a subscription, which stop when the caller disconnects; undefined when it has.
 * Throws only for a bug: the operation may have run. `admit`: see `Admission.enter`.
 */
export async function runOperation(
  http: GraphQLHttpRequest,
  admit: (http: GraphQLHttpRequest) => Promise<void> | undefined,
): Promise<SubscriptionResults | SingleResult | undefined> {
  const { request, response, requestId } = http;
  const { pipeline } = http.options;
  let result: SubscriptionResults | ExecutionResult;
  let type: OperationTypeNode;
  try {
    // Until the process has time for the request.
    const turn = admit(http);
    if (turn) await turn;
    if (response.closed) return undefined;
    checkCsrfHeader(request);
    if (request.method === 'GET') await http.waitForTurn();
    const asked = await readOperation(http);
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
    return errorResult(pipeline.refuse(error, requestId));
  }
  if (result instanceof SubscriptionResults) return untilClosed(result, response);
  const json = textOf(result, type, http);
  return { json, errors: result.errors ?? [], isRequestError: !('data' in result) };
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
  { options, requestId }: GraphQLHttpRequest,
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
    return JSON.stringify({ errors: [options.pipeline.mask(error, requestId)], data: null });
  }
}
