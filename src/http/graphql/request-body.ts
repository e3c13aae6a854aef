/** Reads an operation from a query string or a JSON body, bounded in bytes and time before it is parsed. */
import { isAscii, isUtf8 } from 'node:buffer';
import { badRequest, payloadTooLarge } from '../../errors.ts';
import { type OperationRequest, operationRequestOf } from '../../operation/request.ts';
import type { Holding } from '../../shares/reclaiming-budget.ts';
import { ByteCollector, freeNow } from '../../tools/byte-collector.ts';
import { afterThisTurn, ownTurn, ownTurnBytes } from '../../tools/event-loop-turns.ts';
import { objectFromJson, valueFromJson } from '../caller-json.ts';
import { mediaTypeOf } from '../media-type.ts';
import { requestBytes } from '../request-head.ts';
import type { GraphQLHttpRequest, RequestHead } from './http-request.ts';
import { discardRest } from './refused-body.ts';

/** Longest time for a whole JSON body (ms): 30 seconds. */
export const bodyDeadlineMs = 30_000;

/** Reads the operation from the query string of a GET request. */
export function readQueryString(request: RequestHead): OperationRequest {
  const [, ...rest] = (request.url ?? '').split('?');
  const search = rest.join('?');
  const parameters = new URLSearchParams(search);
  if (!isAscii(Buffer.from(search)) || !isUtf8(percentDecoded(search))) {
    throw badRequest('The query string must be percent-encoded UTF-8.');
  }
  return {
    query: parameters.get('query') ?? undefined,
    documentId: parameters.get('documentId') ?? undefined,
    operationName: parameters.get('operationName') || undefined,
    variables: jsonParameter(parameters, 'variables'),
    extensions: jsonParameter(parameters, 'extensions'),
  };
}

/** Parses an operation; `what` is the subject of the error. */
export function operationFromJson(bytes: Buffer, what: string): OperationRequest {
  return operationRequestOf(objectFromJson(bytes, what));
}

/** Throws for a media type, charset or content encoding that the gateway does not read. */
function checkJsonHeaders({ headers }: RequestHead): void {
  const type = mediaTypeOf(headers['content-type']);
  if (type?.essence !== 'application/json' && type?.essence !== 'application/graphql+json') {
    throw badRequest('The content type must be application/json.', 415);
  }
  const charset = type.params.get('charset')?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8') throw badRequest('The charset must be UTF-8.', 415);
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') throw badRequest('The body must not be compressed.', 415);
}

/** Reads the operation from a JSON body. Throws at once for what `checkJsonHeaders` refuses. */
export function readJsonBody(http: GraphQLHttpRequest, maxBytes: number): Promise<OperationRequest> {
  const { request, response, holdBody, turn } = http;
  checkJsonHeaders(request);
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  return new Promise((resolve, reject) => {
    const body = new ByteCollector();
    let share: Holding | undefined;
    let timer: NodeJS.Timeout | undefined;
    let isReading = true;
    const finish = () => {
      isReading = false;
      clearTimeout(timer);
      share?.close();
      body.clear();
    };
    const refuse = (error: Error) => {
      finish();
      request.off('data', onData).off('end', onEnd).off('aborted', onClose).off('close', onClose);
      void discardRest(http);
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      if (body.length + chunk.length > maxBytes)
        return refuse(payloadTooLarge('The request', maxBytes, 'request'));
      body.push(chunk);
      if (body.length !== declaredBytes) count();
    };
    const count = () => {
      share ??= holdBody(refuse);
      share.hold(requestBytes(request) + body.held);
    };
    // Most bodies are complete in this turn of the event loop, and need neither a share nor a timer.
    afterThisTurn(() => {
      if (!isReading) return;
      timer = setTimeout(
        () => refuse(badRequest('The body must arrive within 30 seconds.', 408)),
        bodyDeadlineMs,
      );
      count();
    });
    const complete = () => {
      const bytes = body.take();
      finish();
      try {
        resolve(operationFromJson(bytes, 'The body'));
      } catch (error) {
        reject(error);
      }
      freeNow(bytes);
    };
    const onEnd = () => {
      const later = body.length <= ownTurnBytes ? turn() : ownTurn();
      if (!later) return complete();
      // The body counts until it is parsed. The request closes before that.
      request.off('aborted', onClose).off('close', onClose);
      clearTimeout(timer);
      count();
      void later.then(() => (response.closed ? onClose() : complete()));
    };
    const onClose = () => {
      if (!isReading) return;
      finish();
      reject(badRequest('The request ended before its body.'));
    };
    request.on('data', onData).on('end', onEnd).on('aborted', onClose).on('close', onClose);
    if (declaredBytes > maxBytes) refuse(payloadTooLarge('The request', maxBytes, 'request'));
  });
}

/** Decodes percent-encoding; a `%` without two hexadecimal digits is kept. */
function percentDecoded(text: string): Buffer {
  const bytes = text.replace(/%([\da-f]{2})/gi, (_match, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}

function jsonParameter(parameters: URLSearchParams, name: string): unknown {
  const text = parameters.get(name);
  return text ? valueFromJson(Buffer.from(text), `"${name}"`) : undefined;
}
