/** A `Request` in the form of Node's own requests, so that both are read by the same code. */
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { isUint8Array } from 'node:util/types';
import { ByteCollector } from '../../tools/byte-collector.ts';
import { inSharedTurn, isTurnLong } from '../../tools/event-loop-turns.ts';
import type { IncomingRequest } from '../request-and-response.ts';

/** A larger chunk of a body is passed on in pieces of this size (bytes), so that its reader can pause. */
const maxChunkBytes = 64 * 1024;
/**
 * While others wait to be read, smaller chunks are joined until they are as large, or the body ends (bytes): each that waits
 * takes 100 bytes more.
 */
const smallChunkBytes = 1_024;

/** The body is read from the `Request` as fast as it is read here. When that fails, this stream closes before its end. */
export class FetchedRequest extends Readable implements IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[];
  complete: boolean;
  readAt = performance.now();
  readonly #body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #chunk: Uint8Array = new Uint8Array();
  /** Joined chunks. */
  readonly #small = new ByteCollector();

  constructor({ method, url, headers, body }: Request) {
    super();
    const { pathname, search } = new URL(url);
    this.method = method;
    this.url = pathname + search;
    this.headers = Object.fromEntries(headers);
    this.rawHeaders = [...headers].flat();
    this.complete = body === null;
    this.#body = body?.getReader();
    this.once('close', () => this.readableEnded || this.emit('cut'));
  }

  override async _read(): Promise<void> {
    try {
      while (this.#chunk.length === 0) {
        // However many chunks are ready, and however small they are.
        if (isTurnLong()) await new Promise<void>(inSharedTurn);
        const { done = true, value } = (await this.#body?.read()) ?? {};
        if (done) {
          this.complete = true;
          if (this.#small.length > 0) this.push(this.#small.take());
          this.push(null);
          return;
        }
        this.readAt = performance.now();
        // As in `fetch`. Any other value would be read as no bytes.
        if (!isUint8Array(value)) throw new TypeError('A chunk of a body must be a Uint8Array.');
        this.#addChunk(value);
      }
      const piece = this.#chunk.subarray(0, maxChunkBytes);
      this.#chunk = this.#chunk.subarray(maxChunkBytes);
      // The host may read the chunk too, after `request.clone()` for example: it must not be freed with the body.
      this.push(Buffer.from(piece));
    } catch {
      this.destroy();
    }
  }

  #addChunk(chunk: Uint8Array): void {
    if (this.#small.length === 0 && chunk.length >= smallChunkBytes) {
      this.#chunk = chunk;
      return;
    }
    this.#small.push(chunk);
    if (this.#small.length >= smallChunkBytes || this.readableLength === 0) this.#chunk = this.#small.take();
  }

  override _destroy(_error: Error | null, done: () => void): void {
    this.#body?.cancel().catch(() => {});
    done();
  }
}
