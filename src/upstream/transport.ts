/** One HTTP exchange with the service, told as it happened: an answer, or how far it came. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions, zstdDecompress } from 'node:zlib';
import type { Dispatcher } from 'undici';

export interface Exchange {
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Readable | null;
  /** Bound of the answer's body, in bytes, before and after decompression. */
  readonly maxResponseBytes: number;
  /** Ends the exchange; its reason tells why. */
  readonly signal: AbortSignal;
  /** Called once the whole request was written. */
  readonly onSent?: () => void;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** null: larger than the bound, or not to be decompressed. */
  readonly body: Buffer | null;
}

/** No complete answer. `begun`: a byte of the request may have reached the service. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';
  readonly begun: boolean;

  constructor(begun: boolean, cause: unknown) {
    super(begun ? 'the connection broke' : 'no connection', { cause });
    this.begun = begun;
  }
}

/** Rejects with a `TransportFailure`; its cause is the signal's reason when that ended it. Follows no redirect. */
export async function exchange(dispatcher: Dispatcher, request: Exchange): Promise<Answer> {
  const { signal, maxResponseBytes } = request;
  if (signal.aborted) throw new TransportFailure(false, signal.reason);
  const answer = await new Promise<Answer>((resolve, reject) => {
    let begun = false;
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    let chunks: Buffer[] | null = [];
    let length = 0;
    let abort: ((reason: Error) => void) | undefined;

    const onAbort = () => {
      // Before the request has a connection undici offers no way to take it back: its start finds `abort`.
      abort?.(new Error('aborted'));
      settle(() => reject(new TransportFailure(begun, signal.reason)));
    };
    const settle = (how: () => void) => {
      signal.removeEventListener('abort', onAbort);
      how();
    };
    signal.addEventListener('abort', onAbort, { once: true });

    dispatcher.dispatch(
      {
        origin: request.origin,
        method: request.method,
        path: request.path,
        headers: request.headers as Record<string, string>,
        body: request.body as Readable,
        // The call's own deadline is exact and covers the whole; undici's timers are coarse.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(controller) {
          if (signal.aborted) return controller.abort(new Error('aborted'));
          begun = true;
          abort = (reason) => controller.abort(reason);
        },
        onRequestSent() {
          request.onSent?.();
        },
        onResponseStart(_controller, statusCode, responseHeaders) {
          status = statusCode;
          headers = responseHeaders;
        },
        onResponseData(controller, chunk) {
          length += chunk.length;
          if (length <= maxResponseBytes) {
            chunks?.push(chunk);
            return;
          }
          chunks = null;
          settle(() => resolve({ status, headers, body: null }));
          controller.abort(new Error('the answer is larger than the bound'));
        },
        onResponseEnd() {
          settle(() => resolve({ status, headers, body: chunks && Buffer.concat(chunks, length) }));
        },
        onResponseError(_controller, error) {
          settle(() => reject(new TransportFailure(begun, error)));
        },
      },
    );
  });
  return { ...answer, body: await decompressed(answer, maxResponseBytes) };
}

type Decompress = (data: Buffer, options: ZlibOptions) => Promise<Buffer>;

const decompressors: Readonly<Record<string, Decompress>> = {
  gzip: promisify(gunzip) as Decompress,
  'x-gzip': promisify(gunzip) as Decompress,
  deflate: promisify(inflate) as Decompress,
  br: promisify(brotliDecompress) as Decompress,
  zstd: promisify(zstdDecompress) as Decompress,
};

/** We ask for no compression; a service or proxy that compresses all the same is read, within the bound. */
async function decompressed({ headers, body }: Answer, maxOutputLength: number): Promise<Buffer | null> {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (body === null || body.length === 0 || encoding === 'identity') return body;
  const decompress = decompressors[encoding];
  // A bomb ends at the bound, broken data at its first error; either way the body cannot be read.
  return decompress ? decompress(body, { maxOutputLength }).catch(() => null) : null;
}
