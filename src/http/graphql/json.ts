/**
 * The common case, POST application/json, answered without the fetch API: an adapter to the same pipeline,
 * whose answers are those of Yoga. What it does not take, and Yoga does:
 *
 * - GET and OPTIONS, multipart requests, any other content type, a charset in another spelling, a body that is
 *   compressed (which is refused);
 * - an `accept` that names neither JSON type nor a wildcard: event streams, for one;
 * - subscriptions, which have no plain answer.
 */
import type { IncomingMessage } from 'node:http';
import { type ExecutionResult, OperationTypeNode } from 'graphql';
import type { Config } from '../../config/config.ts';
import type { Pipeline } from '../../operation/pipeline.ts';
import { type AnswerType, answerType, contentTypes } from '../json-response.ts';
import type { GraphQLHttpRequest } from './http-request.ts';
import { readJsonBody } from './request-body.ts';
import { type AnswerError, errorOfResult, errorsOfRequest, statusOf } from './response-status.ts';
import { textOfResult } from './result-text.ts';

const plainJson = /^application\/json(; ?charset=utf-8)?$/i;

/** Whether the request is one; any other content type, encoding or wish for an answer is Yoga's. */
export function takesJsonPost({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    plainJson.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    answerType(headers.accept)?.startsWith('application/') === true
  );
}

/** False: it asks for a subscription, which is Yoga's; what was read of the request stands in `http.operation`. */
export async function answerJsonPost(
  pipeline: Pipeline,
  { limits }: Config,
  http: GraphQLHttpRequest,
): Promise<boolean> {
  const { request, response, requestId } = http;
  const type = answerType(request.headers.accept) as AnswerType;
  let result: ExecutionResult;
  let told: AnswerError[] = [];
  let operationType: OperationTypeNode | undefined;
  try {
    http.operation = await readJsonBody(http, limits.maxRequestBytes);
    const operation = pipeline.prepare(http.operation, requestId);
    operationType = operation.operation.operation;
    if (operationType === OperationTypeNode.SUBSCRIPTION) return false;
    result = await pipeline.execute(operation, http.caller());
    if (result.errors) told = result.errors.map((error) => errorOfResult(error, !('data' in result)));
  } catch (error) {
    told = errorsOfRequest(error, pipeline, requestId);
    result = { errors: told.map(({ error }) => error) };
  }
  const body = textOfResult(result, operationType, pipeline, http);
  const { status, headers } = statusOf(told, type);
  response.writeHead(status, {
    ...headers,
    'content-type': contentTypes[type],
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
  return true;
}
