/** A multipart/form-data body (RFC 7578) as a stream: whatever the file's size, a few chunks are held. */
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
  readonly operation: string;
  /** In each such time some of the file must flow, or it stands still (ms). Default 30,000 (30 seconds). */
  readonly stallMs?: number;
}

/** Time of an upload's caller before its rate counts (ms): one minute. */
const firstMs = 60_000;
/** Least average rate afterwards (bytes per second): 64 KiB. Only time spent waiting for the caller counts. */
const leastBytesPerSecond = 64 * 1024;
const rateCheckMs = 5_000;

/** Less than this in `stallMs` is no upload but a place held (bytes): about 500 a second. */
const leastBytes = 16 * 1024;

/** The fields, then the file. Sent chunked: its length is known when the caller has sent it all. */
export function multipartBody(
  fields: Readonly<Record<string, string>>,
  file: FilePart,
  { operation, stallMs = 30_000 }: MultipartOptions,
): { readonly contentType: string; readonly body: StreamedBody } {
  const boundary = `folio-${randomUUID()}`;
  const standstill = new AbortController();
  let started = false;
  let bytesSent = 0;
  let failure: unknown;

  const part = (headers: string) => `--${boundary}\r\ncontent-disposition: form-data; ${headers}\r\n\r\n`;

  /** A generator of its own: an error of the service's connection is thrown into `content`, not into this. */
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
    let waitsSince = 0;
    let waitedMs = 0;
    let bytes = 0;
    const rateTimer = setInterval(() => {
      const callersMs = waitedMs + (waitingFor === 'caller' ? performance.now() - waitsSince : 0);
      if (callersMs > firstMs + (bytesSent / leastBytesPerSecond) * 1_000) standstill.abort(tooSlow());
    }, rateCheckMs);
    const timer = setInterval(() => {
      if (bytes < leastBytes) standstill.abort(stalled(operation, waitingFor));
      bytes = 0;
    }, stallMs);
    try {
      for (const [name, value] of Object.entries(fields)) {
        yield Buffer.from(`${part(`name="${escapeName(name)}"`)}${value}\r\n`);
      }
      const disposition = `name="${escapeName(file.name)}"; filename="${escapeName(file.filename)}"`;
      yield Buffer.from(part(`${disposition}\r\ncontent-type: ${file.contentType}`));
      waitingFor = 'caller';
      waitsSince = performance.now();
      for await (const chunk of fromCaller()) {
        waitingFor = 'service';
        waitedMs += performance.now() - waitsSince;
        yield chunk;
        bytes += chunk.length;
        bytesSent += chunk.length;
        waitingFor = 'caller';
        waitsSince = performance.now();
      }
      onComplete();
      yield Buffer.from(`\r\n--${boundary}--\r\n`);
    } finally {
      clearInterval(timer);
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
      signal: standstill.signal,
    },
  };
}

/** As browsers do (HTML, "multipart/form-data encoding algorithm"): no name can end its header. */
function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function tooSlow(): GatewayError {
  return new GatewayError({
    code: 'BAD_REQUEST',
    message:
      'The upload was slower than 64 KiB a second after its first minute and was given up; nothing was done.',
    retryable: true,
    httpStatus: 408,
  });
}

function stalled(operation: string, side: 'caller' | 'service'): GatewayError {
  return side === 'caller'
    ? new GatewayError({
        code: 'BAD_REQUEST',
        message: 'The upload stood still for too long and was given up; nothing was done.',
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
