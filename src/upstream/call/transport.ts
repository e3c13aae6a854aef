/** One HTTP exchange with the service: its response, or whether the request may have been sent. */
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
  /** Headers by name. One that is undefined is not sent. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string | Uint8Array | Readable | null;
  /** Most bytes of the response's body, before and after decompression. */
  readonly maxResponseBytes: number;
  /** Ends the exchange with its reason. It belongs to one call, so that listeners need not be removed. */
  readonly signal: AbortSignal;
  /** Called when the whole request has been written. */
  readonly onSent?: () => void;
}

export interface UpstreamResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** null: larger than the bound, or impossible to decompress. */
  readonly body: Buffer | null;
}

/** The exchange ended without a complete response. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** Whether a byte of the request may have left; false only when certainly none has. */
  readonly mayHaveSent: boolean;

  constructor(mayHaveSent: boolean, cause: unknown) {
    super(
      mayHaveSent ? 'The exchange ended before the response was complete.' : 'The request was not sent.',
      { cause },
    );
    this.mayHaveSent = mayHaveSent;
  }
}

/** Sends the request. Rejects only with a `TransportError`, whose cause is the signal's reason when that ended it. Follows no redirects. */
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
          // The call's deadline covers the whole exchange; undici's timers have a resolution of about one second.
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

/** Reads the response to one request. */
class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #request: ExchangeRequest;
  readonly #resolve: (response: UpstreamResponse | Promise<UpstreamResponse>) => void;
  readonly #reject: (error: TransportError) => void;
  #isSettled = false;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  readonly #body = new ByteCollector();

  constructor(
    request: ExchangeRequest,
    resolve: (response: UpstreamResponse | Promise<UpstreamResponse>) => void,
    reject: (error: TransportError) => void,
  ) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    // The listener is not removed: the signal belongs to this call.
    request.signal.addEventListener('abort', () => this.#onAbort(), { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A request that was reported as not sent must not be sent later.
    if (this.#isSettled || this.#request.signal.aborted) controller.abort(new Error('The call was aborted.'));
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
    this.#complete(null);
    controller.abort(new Error('The response is larger than the bound.'));
  }

  onResponseEnd(): void {
    this.#complete(this.#body.take());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  #onAbort(): void {
    if (this.#isSettled) return;
    this.fail(this.#request.signal.reason);
    // undici cannot remove a request that waits for a connection: `onRequestStart` aborts it by the signal.
    this.#controller?.abort(new Error('The call was aborted.'));
  }

  #complete(body: Buffer | null): void {
    this.#isSettled = true;
    const response = { status: this.#status, headers: this.#headers, body };
    this.#resolve(
      this.#headers['content-encoding'] ? decompressed(response, this.#request.maxResponseBytes) : response,
    );
  }

  /** Rejects. undici writes the first byte after `onRequestStart`, and no byte of a request aborted there. */
  fail(cause: unknown): void {
    this.#isSettled = true;
    this.#reject(new TransportError(this.#controller !== undefined, cause));
  }
}

type Decompress = (data: Buffer, options: ZlibOptions) => Promise<Buffer>;

/** By content encoding. A Map: an object would also find members of its prototype by the service's word. */
const decompressors: ReadonlyMap<string, Decompress> = new Map([
  ['gzip', promisify(gunzip) as Decompress],
  ['x-gzip', promisify(gunzip) as Decompress],
  ['deflate', promisify(inflate) as Decompress],
  ['br', promisify(brotliDecompress) as Decompress],
  ['zstd', promisify(zstdDecompress) as Decompress],
]);

/** Decompresses a body within the bound. The gateway requests no compression, but a proxy may compress anyway. */
async function decompressed(
  { status, headers, body }: UpstreamResponse,
  maxOutputLength: number,
): Promise<UpstreamResponse> {
  const encoding = String(headers['content-encoding']).toLowerCase();
  if (body === null || body.length === 0 || encoding === 'identity') return { status, headers, body };
  const decompress = decompressors.get(encoding);
  // Decompression fails at the bound (a zip bomb) and at the first broken byte: the body cannot be read.
  const decompressedBody = decompress ? await decompress(body, { maxOutputLength }).catch(() => null) : null;
  return { status, headers, body: decompressedBody };
}
