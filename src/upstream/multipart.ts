/** A multipart/form-data body (RFC 7578) as a stream: it holds a few chunks, whatever the size of the file. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { GatewayError } from '../errors.ts';
import type { StreamedBody } from './call/call.ts';

export interface FilePart {
  /** Name of the form part. */
  readonly name: string;
  readonly filename: string;
  readonly contentType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface MultipartOptions {
  /** Operation that errors name. */
  readonly operation: string;
  /** Period in which at least 16 KiB must be passed on, or the upload has stalled (ms). Default 30,000 (30 seconds). */
  readonly stallMs?: number;
}

/** Time that the gateway waits for the caller before the average rate counts (ms): 1 minute. */
const rateGraceMs = 60_000;
/** Lowest average rate after that (bytes per second): 64 KiB. Only time spent waiting for the caller counts. */
const minBytesPerSecond = 64 * 1024;
const rateCheckMs = 5_000;

/** Fewest bytes in `stallMs`, about 500 per second: an upload with less only occupies a slot. */
const minBytes = 16 * 1024;

/** Builds a body of the fields and then the file. It is sent chunked, since the length of the file is not known. */
export function multipartBody(
  fields: Readonly<Record<string, string>>,
  file: FilePart,
  { operation, stallMs = 30_000 }: MultipartOptions,
): { readonly contentType: string; readonly body: StreamedBody } {
  const boundary = `folio-${randomUUID()}`;
  const stall = new AbortController();
  let started = false;
  let bytesSent = 0;
  let failure: unknown;

  const part = (headers: string) => `--${boundary}\r\ncontent-disposition: form-data; ${headers}\r\n\r\n`;

  /** Records errors of the caller's bytes only: an error of the service's connection is thrown into `content`. */
  async function* fromCaller(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of file.content) yield chunk;
    } catch (error) {
      failure = error;
      throw error;
    }
  }

  async function* content(onComplete: () => void): AsyncGenerator<Uint8Array> {
    started = true;
    let waitingFor: 'caller' | 'service' = 'service';
    let waitingSince = 0;
    let waitedMs = 0;
    let bytesInPeriod = 0;
    const rateTimer = setInterval(() => {
      const callerMs = waitedMs + (waitingFor === 'caller' ? performance.now() - waitingSince : 0);
      if (callerMs > rateGraceMs + (bytesSent / minBytesPerSecond) * 1_000) stall.abort(tooSlow());
    }, rateCheckMs);
    const stallTimer = setInterval(() => {
      if (bytesInPeriod < minBytes) stall.abort(stalled(operation, waitingFor));
      bytesInPeriod = 0;
    }, stallMs);
    try {
      for (const [name, value] of Object.entries(fields)) {
        yield Buffer.from(`${part(`name="${escapeName(name)}"`)}${value}\r\n`);
      }
      const disposition = `name="${escapeName(file.name)}"; filename="${escapeName(file.filename)}"`;
      yield Buffer.from(part(`${disposition}\r\ncontent-type: ${file.contentType}`));
      waitingFor = 'caller';
      waitingSince = performance.now();
      for await (const chunk of fromCaller()) {
        waitingFor = 'service';
        waitedMs += performance.now() - waitingSince;
        yield chunk;
        bytesInPeriod += chunk.length;
        bytesSent += chunk.length;
        waitingFor = 'caller';
        waitingSince = performance.now();
      }
      onComplete();
      yield Buffer.from(`\r\n--${boundary}--\r\n`);
    } finally {
      clearInterval(stallTimer);
      clearInterval(rateTimer);
    }
  }

  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: {
      open: (onComplete) =>
        Readable.from(content(onComplete), { objectMode: false, highWaterMark: 64 * 1024 }),
      hasStarted: () => started,
      bytesSent: () => bytesSent,
      failure: () => failure,
      signal: stall.signal,
    },
  };
}

/** Escapes a name as browsers do (HTML, "multipart/form-data encoding algorithm"), so that it cannot end its header. */
function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function tooSlow(): GatewayError {
  return new GatewayError({
    code: 'BAD_REQUEST',
    message:
      'The upload was aborted because it was slower than 64 KiB per second after its first minute; nothing was done.',
    retryable: true,
    httpStatus: 408,
  });
}

function stalled(operation: string, side: 'caller' | 'service'): GatewayError {
  return side === 'caller'
    ? new GatewayError({
        code: 'BAD_REQUEST',
        message: 'The upload was aborted because it stalled; nothing was done.',
        retryable: true,
        httpStatus: 408,
      })
    : new GatewayError({
        code: 'UPSTREAM_TIMEOUT',
        message: `The document service stopped reading the file of ${operation}.`,
        sideEffect: 'POSSIBLE',
        upstream: { operation },
      });
}
