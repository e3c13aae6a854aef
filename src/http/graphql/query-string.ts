/** Reads an operation from the query string of a GET request. */
import { isAscii, isUtf8 } from 'node:buffer';
import { badRequest } from '../../errors.ts';
import type { OperationRequest } from '../../operation/operation-request.ts';
import { valueFromJson } from '../caller-json.ts';
import { percentDecoded } from '../percent-decoded.ts';
import type { RequestHead } from '../request-head.ts';

export function readQueryString(request: RequestHead): OperationRequest {
  const [, ...rest] = (request.url ?? '').split('?');
  const search = rest.join('?');
  const parameters = new URLSearchParams(search);
  if (!isAscii(Buffer.from(search)) || !isUtf8(percentDecoded(search))) {
    throw badRequest('The query string must be percent-encoded UTF-8.');
  }
  return {
    query: parameter(parameters, 'query'),
    documentId: parameter(parameters, 'documentId'),
    operationName: parameter(parameters, 'operationName'),
    variables: jsonParameter(parameters, 'variables'),
    extensions: jsonParameter(parameters, 'extensions'),
  };
}

function parameter(parameters: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = parameters.getAll(name);
  if (more.length === 0) return value;
  throw badRequest(`"${name}" is given more than once in the query string: send it once.`);
}

function jsonParameter(parameters: URLSearchParams, name: string): unknown {
  const text = parameter(parameters, name);
  return text ? valueFromJson(Buffer.from(text), `"${name}"`) : undefined;
}
