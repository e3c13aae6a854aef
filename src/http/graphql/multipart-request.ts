/** Reads requests of the GraphQL multipart request specification. The operation runs while its file still arrives. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { badRequest, type GatewayError, payloadTooLarge } from '../../errors.ts';
import { UploadedFile } from '../../graphql/uploaded-file.ts';
import { memoryOf, type OperationRequest } from '../../operation/request.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { mediaTypeOf } from '../media-type.ts';
import { type BodyShare, requestBytes } from './body-budget.ts';
import { type MultipartField, readField } from './multipart-field.ts';
import {
  bodyDeadlineMs,
  discardRest,
  objectFromJson,
  operationFromJson,
  type ReadableMessage,
} from './request-body.ts';

export interface UploadLimits {
  /** Maximum size of the file in bytes. */
  readonly maxUploadBytes: number;
  /** Maximum size of `operations` and of `map`, each, in bytes. */
  readonly maxRequestBytes: number;
}

/** Longest time of a file that is held as a whole: 1 minute, and 1 s for each 64 KiB. */
const fileGraceMs = 60_000;
const minFileBytesPerSecond = 64 * 1024;

/** Longest time without a byte while the gateway reads (ms): 30 seconds. */
const stallMs = 30_000;

/**
 * Resolves when the headers of the file are read, with an `UploadedFile` among the variables. Rejects with BAD_REQUEST
 * or PAYLOAD_TOO_LARGE.
 */
export function readMultipart(
  { request, response, bodies }: ReadableMessage,
  limits: UploadLimits,
  metrics: Metrics,
): Promise<OperationRequest> {
  return new Promise((resolve, reject) => {
    const parser = createParser(request);
    const whole = Promise.withResolvers<void>();
    // The reader of the file gets the error from its stream. Without a reader the rejection is ignored.
    whole.promise.catch(() => {});
    let operation: OperationRequest | undefined;
    let isRead = false;
    let target: FileTarget | undefined;
    let mapped = false;
    let file: Readable | undefined;
    let field: MultipartField | undefined;
    const share = bodies.open((error) => fail(error));
    /** Size of the operation until its file begins; then 0. */
    let operationBytes = 0;
    const holdBody = (bytes: number) => share.hold(requestBytes(request) + operationBytes + bytes);

    const beginning = setTimeout(
      () => fail(badRequest('The file must begin within 30 seconds.', 408)),
      bodyDeadlineMs,
    );
    const stallTimer = setTimeout(() => {
      // A request paused by backpressure does not count as stalled.
      if (request.isPaused()) stallTimer.refresh();
      else
        fail(
          badRequest('The upload was aborted because no byte arrived for 30 seconds; nothing was done.', 408),
        );
    }, stallMs);
    const settle = (how: () => void) => {
      clearTimeout(beginning);
      share.close();
      how();
    };
    const fail = (error: Error) =>
      settle(() => {
        // The rest of the request is still read and dropped.
        operation = undefined;
        target = undefined;
        clearTimeout(stallTimer);
        whole.reject(error);
        file?.destroy(error);
        request.unpipe(parser);
        discardRest(request, response);
        reject(error);
      });

    /** Resolves with the operation, and does not keep it while it runs. */
    const begin = () => {
      const read = operation as OperationRequest;
      operation = undefined;
      isRead = true;
      settle(() => resolve(read));
    };

    const onField = (name: string, bytes: Buffer) => {
      try {
        if (name === 'operations' && operation === undefined && !isRead) {
          operation = operationFromJson(bytes, '"operations"');
          operationBytes = memoryOf(operation);
          holdBody(0);
        } else if (name === 'map' && operation !== undefined && !mapped) {
          mapped = true;
          target = fileTarget(operation, bytes);
          if (target === undefined) begin();
        } else {
          throw badRequest(
            'A multipart request must have the parts "operations", "map" and at most one file, in this order.',
          );
        }
      } catch (error) {
        fail(error as Error);
      }
    };

    // The parser gives every part as a stream: the text parts are collected in bounded memory, as bytes.
    parser.on('file', (name, stream: Readable, filename, _encoding, contentType) => {
      // The stream can fail one tick before the parser does.
      stream.on('error', () => fail(fileCutShort()));
      field?.finish();
      if (filename === undefined && contentType !== 'application/octet-stream') {
        field = readField(stream, {
          maxBytes: limits.maxRequestBytes,
          hold: holdBody,
          onTooLarge: () => fail(payloadTooLarge(`"${name}"`, limits.maxRequestBytes)),
          onBytes: (bytes) => onField(name, bytes),
        });
        return;
      }
      if (file) {
        stream.resume();
        return tooMuch();
      }
      if (target === undefined || name !== target.key) {
        stream.resume();
        return fail(badRequest(`The part "${name}" is not named in "map", or comes before it.`));
      }
      file = stream;
      metrics.uploads.inc();
      response.on('close', () => metrics.uploads.dec());
      target.put(
        new UploadedFile(
          filename || 'file',
          mediaTypeOf(contentType).type || 'application/octet-stream',
          wholeFile(stream, whole.promise, metrics, limits.maxUploadBytes, () =>
            fail(payloadTooLarge('The file', limits.maxUploadBytes)),
          ),
          holdFile,
        ),
      );
      begin();
    });

    /** For files that are held as a whole. */
    let fileShare: BodyShare | undefined;
    let fileSince = 0;
    const holdFile = (bytes: number) => {
      if (!fileShare) {
        fileShare = bodies.open((error) => fail(error));
        response.on('close', fileShare.close);
        fileSince = performance.now();
      }
      fileShare.hold(bytes);
      const allowedMs = fileGraceMs + (bytes / minFileBytesPerSecond) * 1_000;
      if (performance.now() - fileSince > allowedMs) {
        fail(badRequest('The file arrived too slowly; nothing was done.', 408));
      }
    };

    const tooMuch = () =>
      fail(badRequest('A multipart request can have the parts "operations", "map" and at most one file.'));
    parser.on('filesLimit', tooMuch).on('partsLimit', tooMuch);
    parser.on('error', () => fail(badRequest('The multipart body is malformed.')));
    parser.on('finish', () => {
      field?.finish();
      if (!mapped) fail(badRequest('The part "operations" or "map" is missing.'));
      else if (target !== undefined && file === undefined)
        fail(badRequest(`The file part "${target.key}", which "map" names, is missing.`));
      else whole.resolve();
      clearTimeout(stallTimer);
    });
    const onClose = () => {
      if (!request.complete) fail(badRequest('The request ended before its body.'));
    };
    request.on('close', onClose).on('aborted', onClose);
    response.on('close', () => {
      clearTimeout(stallTimer);
      // The response was sent or the caller disconnected before the request ended: a reader must not wait for the rest.
      whole.reject(fileCutShort());
      if (!request.complete) file?.destroy(fileCutShort());
      request.unpipe(parser);
      discardRest(request, response);
    });
    request.on('data', () => stallTimer.refresh());
    request.pipe(parser);
    holdBody(0);
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
    throw badRequest('The content type of a multipart request must have a boundary.');
  }
}

/**
 * The bytes of the file. The iterator ends only when the whole request has been read and is valid. Throws the error of
 * the request: always a GatewayError without side effect.
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

interface FileTarget {
  /** Name of the file's part. */
  readonly key: string;
  put(file: UploadedFile): void;
}

/** Returns undefined when `map` names no file. */
function fileTarget(operation: OperationRequest, json: Buffer): FileTarget | undefined {
  const entries = Object.entries(objectFromJson(json, '"map"'));
  if (entries.length === 0) return undefined;
  const [[key, paths] = ['', null]] = entries;
  if (entries.length > 1 || !Array.isArray(paths) || paths.length !== 1 || typeof paths[0] !== 'string') {
    throw badRequest('"map" must name one file with one path, e.g. {"0": ["variables.input.file"]}.');
  }
  const [root, ...steps] = paths[0].split('.');
  const last = steps.pop();
  const parent = root === 'variables' ? steps.reduce<unknown>(member, operation.variables) : undefined;
  if (last === undefined || last.length > 100 || member(parent, last) !== null) {
    throw badRequest(
      'The path in "map" must name a variable, or a member of a variable, whose value is null.',
    );
  }
  return { key, put: (file) => void Object.assign(parent as object, { [last]: file }) };
}

/** An own member, or undefined. Excludes prototypes, `length` and indexes above 99. */
function member(parent: unknown, step: string): unknown {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, step)) return undefined;
  if (Array.isArray(parent) && !/^\d{1,2}$/.test(step)) return undefined;
  return step === '__proto__' ? undefined : (parent as Record<string, unknown>)[step];
}

function fileCutShort(): GatewayError {
  return badRequest('The request ended before the end of its file; nothing was done.');
}
