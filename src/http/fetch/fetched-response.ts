/** A `Response` in the form of Node's own responses, so that both are written by the same code. */
import { Writable } from 'node:stream';
import type { BagItem } from '../../tools/bag.ts';
import type { GraphQLHttpRequest } from '../graphql/graphql-request.ts';
import { headersOf } from '../graphql/response.ts';
import type { GraphQLResponse } from '../request-and-response.ts';
import { leastUnsentBytes, type UnreadResult } from '../unread-results.ts';

/** A response below 64 KiB is returned whole, and a longer one in pieces of that size. */
const pieceBytes = 64 * 1024;

/**
 * A response is finished when its body has been read; one below 64 KiB when it is returned, since the host then has all of
 * it. It is destroyed before that when the caller disconnects: when the request's `signal` aborts, or the host cancels the body.
 */
export class FetchedResponse extends Writable implements GraphQLResponse, BagItem {
  placeInBag = -1;
  /** Resolves when its body begins. Rejects when it is destroyed before. */
  readonly response = Promise.withResolvers<Response>();
  http: GraphQLHttpRequest | undefined;
  /** Counts the bytes that are not read; undefined while there were none. */
  unsent: UnreadResult | undefined;
  /** Called when a large part of a body waits for its reader. */
  onUnsent: () => void = () => {};
  statusCode = 200;
  headersSent = false;
  #headers: readonly string[] = [];
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Ends the write of a piece; undefined once it is called. */
  #written: (() => void) | undefined;
  /** Kept: the signal of a `Request` never aborts once the `Request` has been collected. */
  readonly #request: Pick<Request, 'signal'>;

  constructor(request: Pick<Request, 'signal'>) {
    super({ highWaterMark: 0 });
    this.#request = request;
    const { signal } = request;
    const onAbort = () => void this.destroy();
    signal.addEventListener('abort', onAbort, { once: true });
    this.once('close', () => signal.removeEventListener('abort', onAbort));
  }

  get unsentBytes(): number {
    return this.writableLength;
  }

  writeHead(status: number, headers: readonly string[]): this {
    this.headersSent = true;
    this.statusCode = status;
    this.#headers = headers;
    return this;
  }

  override write(chunk: Uint8Array): boolean {
    // Copies: a part of the chunk would keep all of it, and only what is left of it counts.
    for (let at = 0; at < chunk.length; at += pieceBytes)
      super.write(new Uint8Array(chunk.subarray(at, at + pieceBytes)));
    if (this.writableLength >= leastUnsentBytes) this.onUnsent();
    return !this.writableNeedDrain;
  }

  override end(body?: unknown): this {
    if (body instanceof Uint8Array && body.length >= pieceBytes) this.write(body);
    else if (!this.#body) this.#respond(body as BodyInit | undefined);
    return super.end();
  }

  override _write(piece: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    if (!this.#body) this.#respond(this.#stream());
    this.#written = done;
    this.#body?.enqueue(piece);
  }

  override _final(done: () => void): void {
    this.#body?.close();
    done();
  }

  override _destroy(error: Error | null, done: () => void): void {
    if (!this.writableFinished) {
      const { aborted, reason } = this.#request.signal;
      // As `fetch` does: hosts take an AbortError as a caller who has disconnected, and any other as a failure.
      const cause = aborted ? reason : (error ?? new Error('The gateway has ended the response.'));
      this.#body?.error(cause);
      this.response.reject(cause);
    }
    done();
  }

  #respond(body: BodyInit | undefined): void {
    const init = { status: this.statusCode, headers: headersOf(this.#headers) };
    this.response.resolve(new Response(body ?? null, init));
  }

  /** A piece is written when its reader asks for the next one: until then no event is read, which would wait and grow old. */
  #stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#body = controller;
        },
        pull: () => {
          const written = this.#written;
          this.#written = undefined;
          written?.();
          this.unsent?.sent();
        },
        cancel: () => void this.destroy(),
      },
      { highWaterMark: 0 },
    );
  }
}
