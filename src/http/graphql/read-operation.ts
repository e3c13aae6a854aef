import type { Config } from '../../config/config.ts';
import type { OperationRequest } from '../../operation/request.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { mediaTypeOf } from '../media-type.ts';
import { readMultipart } from './multipart-request.ts';
import { checkJsonHeaders, type ReadableMessage, readJsonBody, readQueryString } from './request-body.ts';

/** Reads the operation from the query string of a GET request, or from a JSON or multipart body, within the limits. */
export function readOperation(
  message: ReadableMessage,
  limits: Config['limits'],
  metrics: Metrics,
): OperationRequest | Promise<OperationRequest> {
  const { request } = message;
  if (request.method === 'GET') return readQueryString(request);
  if (mediaTypeOf(request.headers['content-type'])?.essence === 'multipart/form-data') {
    return readMultipart(message, limits, metrics);
  }
  checkJsonHeaders(request);
  return readJsonBody(message, limits.maxRequestBytes);
}
