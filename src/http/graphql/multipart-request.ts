/** GraphQL multipart request specification, streamed: the operation runs while the file is still on its way. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { badRequest, type GatewayError, payloadTooLarge } from '../../errors.ts';
import { UploadedFile } from '../../graphql/uploaded-file.ts';
import type { OperationRequest } from '../../operation/request.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { mediaTypeOf } from '../media-type.ts';
import { type MultipartField, readField } from './multipart-field.ts';
import {
  bodyDeadlineMs,
  discardRest,
  objectFromJson,
  operationFromJson,
  type ReadableMessage,
} from './request-body.ts';

export interface UploadLimits {
  /** Of the file, in bytes. */
  readonly maxUploadBytes: number;
  /** Of `operations` and of `map`, each, in bytes. */
  readonly maxRequestBytes: number;
}

/** Longest time without a byte while we read (ms): 30 seconds. */
const standstillMs = 30_000;

/**
 * Resolves once the file's headers are read, with the file in its place among the variables; rejects with a
 * BAD_REQUEST that says what is wrong with the request.
 */
export function readMultipart(
  { request, response, bodies }: ReadableMessage,
  limits: UploadLimits,
  metrics: Metrics,
): Promise<OperationRequest> {
  return new Promise((resolve, reject) => {
    const parser = createParser(request);
    const whole = Promise.withResolvers<void>();
    // The reader of the file learns of a broken request from its stream; there may be no reader.
    whole.promise.catch(() => {});
    let operation: OperationRequest | undefined;
    let isRead = false;
    let place: FilePlace | undefined;
    let mapped = false;
    let file: Readable | undefined;
    let field: MultipartField | undefined;
    const share = bodies.open((error) => fail(error));

    const beginning = setTimeout(
      () => fail(badRequest('The upload took too long to begin.', 408)),
      bodyDeadlineMs,
    );
    const standstill = setTimeout(() => {
      // Not reading, since the file is not taken as fast as it comes, is no standstill of the caller.
      if (request.isPaused()) standstill.refresh();
      else fail(badRequest('The upload stood still for too long and was given up; nothing was done.', 408));
    }, standstillMs);
    const settle = (how: () => void) => {
      clearTimeout(beginning);
      share.close();
      how();
    };
    const fail = (error: Error) =>
      settle(() => {
        clearTimeout(standstill);
        whole.reject(error);
        file?.destroy(error);
        request.unpipe(parser);
        discardRest(request, response);
        reject(error);
      });

    /** Passes the operation on, which is not kept here while it runs. */
    const begin = () => {
      const read = operation as OperationRequest;
      operation = undefined;
      isRead = true;
      settle(() => resolve(read));
    };

    const onField = (name: string, bytes: Buffer) => {
      try {
        if (name === 'operations' && operation === undefined && !isRead) {
          operation = operationFromJson(bytes, '`operations`');
        } else if (name === 'map' && operation !== undefined && !mapped) {
          mapped = true;
          place = filePlace(operation, bytes);
          if (place === undefined) begin();
        } else {
          throw badRequest(
            'A multipart request has `operations`, then `map`, then its file, and nothing else.',
          );
        }
      } catch (error) {
        fail(error as Error);
      }
    };

    // The parser gives every part as a stream: the text parts are collected in bounded memory, as bytes.
    parser.on('file', (name, stream: Readable, filename, _encoding, contentType) => {
      // The stream may fail a tick before the parser does.
      stream.on('error', () => fail(fileCutShort()));
      field?.finish();
      if (filename === undefined && contentType !== 'application/octet-stream') {
        field = readField(stream, {
          maxBytes: limits.maxRequestBytes,
          share,
          onTooLarge: () => fail(payloadTooLarge(`\`${name}\``, limits.maxRequestBytes)),
          onBytes: (bytes) => onField(name, bytes),
        });
        return;
      }
      if (file) {
        stream.resume();
        return tooMuch();
      }
      if (place === undefined || name !== place.key) {
        stream.resume();
        return fail(badRequest(`The part "${name}" comes before \`map\`, or \`map\` does not name it.`));
      }
      file = stream;
      metrics.uploads.inc();
      response.on('close', () => metrics.uploads.dec());
      place.put(
        new UploadedFile(
          filename || 'file',
          mediaTypeOf(contentType).type || 'application/octet-stream',
          wholeFile(stream, whole.promise, metrics, limits.maxUploadBytes, () =>
            fail(payloadTooLarge('The file', limits.maxUploadBytes)),
          ),
        ),
      );
      begin();
    });

    const tooMuch = () =>
      fail(badRequest('A multipart request holds `operations`, `map` and at most one file.'));
    parser.on('filesLimit', tooMuch).on('partsLimit', tooMuch);
    parser.on('error', () => fail(badRequest('The multipart body is malformed.')));
    parser.on('finish', () => {
      field?.finish();
      if (!mapped) fail(badRequest('`operations` or `map` is missing.'));
      else if (place !== undefined && file === undefined)
        fail(badRequest(`The file "${place.key}" is missing.`));
      else whole.resolve();
      clearTimeout(standstill);
    });
    request.on('close', () => {
      if (!request.complete) fail(badRequest('The request ended before its body.'));
    });
    response.on('close', () => {
      clearTimeout(standstill);
      // Responded, or left, before its end: a reader of the file must not wait for the rest.
      whole.reject(fileCutShort());
      if (!request.complete) file?.destroy(fileCutShort());
      request.unpipe(parser);
      discardRest(request, response);
    });
    request.on('data', () => standstill.refresh());
    request.pipe(parser);
  });
}

function createParser(request: IncomingMessage): BusboyInstance {
  const contentType = request.headers['content-type'] ?? '';
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: () => true,
      limits: {
        files: 3,
        parts: 4,
        fieldNameSize: 100,
        headerPairs: 20,
        headerSize: 16_384,
      },
    });
  } catch {
    throw badRequest('The content type of a multipart request needs a boundary.');
  }
}

/**
 * The file's bytes; they end only once the whole request was read and found well. Throws the reason why the
 * request failed, always a GatewayError without side effect.
 */
async function* wholeFile(
  stream: Readable,
  whole: Promise<void>,
  { uploadBytes }: Metrics,
  maxBytes: number,
  onTooLarge: () => void,
): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        onTooLarge();
        await whole;
      }
      uploadBytes.inc(chunk.length);
      yield chunk;
    }
  } catch (error) {
    await whole;
    throw error;
  }
  await whole;
}

interface FilePlace {
  /** Name of the file's part. */
  readonly key: string;
  put(file: UploadedFile): void;
}

/** undefined: the map names no file. */
function filePlace(operation: OperationRequest, json: Buffer): FilePlace | undefined {
  const entries = Object.entries(objectFromJson(json, '`map`'));
  if (entries.length === 0) return undefined;
  const [[key, paths] = ['', null]] = entries;
  if (entries.length > 1 || !Array.isArray(paths) || paths.length !== 1 || typeof paths[0] !== 'string') {
    throw badRequest('`map` names one file with one path, e.g. {"0": ["variables.input.file"]}.');
  }
  const [root, ...steps] = paths[0].split('.');
  const last = steps.pop();
  const parent = root === 'variables' ? steps.reduce<unknown>(member, operation.variables) : undefined;
  if (last === undefined || last.length > 100 || member(parent, last) !== null) {
    throw badRequest('The path in `map` must name a variable, or a member of one, whose value is null.');
  }
  return { key, put: (file) => void Object.assign(parent as object, { [last]: file }) };
}

/** An own member, or undefined: no prototype, no `length`, no index past 99. */
function member(parent: unknown, step: string): unknown {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, step)) return undefined;
  if (Array.isArray(parent) && !/^\d{1,2}$/.test(step)) return undefined;
  return step === '__proto__' ? undefined : (parent as Record<string, unknown>)[step];
}

function fileCutShort(): GatewayError {
  return badRequest('The request ended before its file; nothing was done.');
}
