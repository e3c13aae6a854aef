/** One HTTP exchange with the service, told as it happened: an answer, or how far it came. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions, zstdDecompress } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { ByteCollector } from '../../byte-collector.ts';

export interface ExchangeRequest {
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** An undefined one is not sent. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string | Uint8Array | Readable | null;
  /** Bound of the answer's body, in bytes, before and after decompression. */
  readonly maxResponseBytes: number;
  /** Ends the exchange; its reason tells why. It belongs to one call: what listens to it stays. */
  readonly signal: AbortSignal;
  /** Called once the whole request was written. */
  readonly onSent?: () => void;
}

export interface UpstreamResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** null: larger than the bound, or not to be decompressed. */
  readonly body: Buffer | null;
}

/** No complete answer. `mayHaveSent`: a byte of the request may have left; false only where none can have. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly mayHaveSent: boolean;

  constructor(mayHaveSent: boolean, cause: unknown) {
    super(mayHaveSent ? 'the connection broke' : 'no connection', { cause });
    this.mayHaveSent = mayHaveSent;
  }
}

/** Rejects with a `TransportError`; its cause is the signal's reason when that ended it. Follows no redirect. */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<UpstreamResponse> {
  const { signal } = request;
  if (signal.aborted) return Promise.reject(new TransportError(false, signal.reason));
  return new Promise((resolve, reject) => {
    const reader = new ResponseReader(request, resolve, reject);
    try {
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
        reader,
      );
    } catch (error) {
      reader.fail(error);
    }
  });
}

/** Takes in the answer of one request. */
class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #request: ExchangeRequest;
  readonly #resolve: (answer: UpstreamResponse | Promise<UpstreamResponse>) => void;
  readonly #reject: (failure: TransportError) => void;
  #isSettled = false;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  readonly #body = new ByteCollector();

  constructor(
    request: ExchangeRequest,
    resolve: (answer: UpstreamResponse | Promise<UpstreamResponse>) => void,
    reject: (failure: TransportError) => void,
  ) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    // Never taken back: the signal ends with its call.
    request.signal.addEventListener('abort', () => this.#leave(), { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A request that was reported as not mayHaveSent must not begin after all.
    if (this.#isSettled || this.#request.signal.aborted) controller.abort(new Error('aborted'));
    else this.#controller = controller;
  }

  onRequestSent(): void {
    this.#request.onSent?.();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body.length + chunk.length <= this.#request.maxResponseBytes) {
      this.#body.push(chunk);
      return;
    }
    this.#answer(null);
    controller.abort(new Error('the answer is larger than the bound'));
  }

  onResponseEnd(): void {
    this.#answer(this.#body.take());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  #leave(): void {
    if (this.#isSettled) return;
    this.fail(this.#request.signal.reason);
    // Before the request has a connection undici offers no way to take it back: its start finds the signal.
    this.#controller?.abort(new Error('aborted'));
  }

  #answer(body: Buffer | null): void {
    this.#isSettled = true;
    const answer = { status: this.#status, headers: this.#headers, body };
    this.#resolve(
      this.#headers['content-encoding'] ? decompressed(answer, this.#request.maxResponseBytes) : answer,
    );
  }

  /** undici writes the first byte after `onRequestStart`, and no byte of a request aborted there. */
  fail(cause: unknown): void {
    this.#isSettled = true;
    this.#reject(new TransportError(this.#controller !== undefined, cause));
  }
}

type Decompress = (data: Buffer, options: ZlibOptions) => Promise<Buffer>;

/** By content encoding. A Map: the service chooses the name, and an object has members of its prototype. */
const decompressors: ReadonlyMap<string, Decompress> = new Map([
  ['gzip', promisify(gunzip) as Decompress],
  ['x-gzip', promisify(gunzip) as Decompress],
  ['deflate', promisify(inflate) as Decompress],
  ['br', promisify(brotliDecompress) as Decompress],
  ['zstd', promisify(zstdDecompress) as Decompress],
]);

/** We ask for no compression; a service or proxy that compresses all the same is read, within the bound. */
async function decompressed(
  { status, headers, body }: UpstreamResponse,
  maxOutputLength: number,
): Promise<UpstreamResponse> {
  const encoding = String(headers['content-encoding']).toLowerCase();
  if (body === null || body.length === 0 || encoding === 'identity') return { status, headers, body };
  const decompress = decompressors.get(encoding);
  // A bomb ends at the bound, broken data at its first error; either way the body cannot be read.
  const read = decompress ? await decompress(body, { maxOutputLength }).catch(() => null) : null;
  return { status, headers, body: read };
}
