/**
 * POST requests with one JSON result, whose body is JSON or multipart. Negotiated responses are Yoga's: GET requests,
 * and POST requests whose `accept` names no JSON type (server-sent events, `multipart/mixed`).
 */
import type { IncomingMessage } from 'node:http';
import { type ExecutionResult, OperationTypeNode } from 'graphql';
import type { Config } from '../../config/config.ts';
import { badRequest, type GatewayError } from '../../errors.ts';
import type { Pipeline } from '../../operation/pipeline.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { contentTypes, mediaTypeFor, type ResponseMediaType } from '../accept.ts';
import { checkCsrfHeader } from './csrf.ts';
import type { GraphQLHttpRequest } from './http-request.ts';
import { readOperation } from './read-operation.ts';
import {
  type ErrorWithStatus,
  requestErrorsWithStatus,
  resultErrorWithStatus,
  statusOf,
} from './response-status.ts';
import { textOfResult } from './result-text.ts';

export interface JsonOptions {
  readonly config: Pick<Config, 'limits'>;
  readonly pipeline: Pipeline;
  readonly metrics: Metrics;
}

export function hasJsonResult({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && mediaTypeFor(headers.accept)?.startsWith('application/') === true;
}

export async function respondWithJson(
  { pipeline, config, metrics }: JsonOptions,
  http: GraphQLHttpRequest,
): Promise<void> {
  const { request, response, requestId } = http;
  const type = mediaTypeFor(request.headers.accept) as ResponseMediaType;
  let result: ExecutionResult;
  let errors: ErrorWithStatus[] = [];
  let operationType: OperationTypeNode | undefined;
  try {
    checkCsrfHeader(request);
    const operation = pipeline.prepare(await readOperation(http, config.limits, metrics), requestId);
    operationType = operation.operation.operation;
    if (operationType === OperationTypeNode.SUBSCRIPTION) throw needsEventStream();
    result = await pipeline.execute(operation, http.caller());
    if (result.errors)
      errors = result.errors.map((error) => resultErrorWithStatus(error, !('data' in result)));
  } catch (error) {
    errors = requestErrorsWithStatus(error, pipeline, requestId);
    result = { errors: errors.map(({ error }) => error) };
  }
  const body = textOfResult(result, operationType, pipeline, http);
  const { status, headers = {} } = statusOf(errors, type);
  const length = String(Buffer.byteLength(body));
  const typeAndLength = ['content-type', contentTypes[type], 'content-length', length];
  response.writeHead(status, [...http.headers, ...typeAndLength, ...Object.entries(headers).flat()]);
  response.end(body);
}

/** A subscription was requested with an `accept` that names no event stream. */
export function needsEventStream(): GatewayError {
  return badRequest('A subscription needs `accept: text/event-stream`, or a WebSocket.', 406);
}
