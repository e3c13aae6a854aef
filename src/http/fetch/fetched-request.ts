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
 * Smaller chunks are joined until they are as large, or the body ends (bytes): each that waits takes 100 bytes more, here or
 * where the rest of a file waits for the service.
 */
const smallChunkBytes = 1_024;
/** Joined chunks are passed on so long after the last piece (ms): 20 a second, which take little memory. */
const maxJoinMs = 50;

/**
 * Where Node looks whether a stream has failed. Node 26 writes the body of a form into its stream until this is true: it ends
 * the process when the stream was only cancelled.
 */
const hasFailed = Symbol.for('nodejs.stream.errored');

type NextChunk = ReadableStreamReadResult<Uint8Array>;

/** The body is read from the `Request` as fast as it is read here. When that fails, this stream closes before its end. */
export class FetchedRequest extends Readable implements IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[];
  complete: boolean;
  readAt = performance.now();
  readonly #stream: ReadableStream<Uint8Array> | null;
  readonly #body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #chunk: Uint8Array = new Uint8Array();
  /** Joined chunks. */
  readonly #small = new ByteCollector();
  /** The next chunk, from when it is asked for until it arrives. */
  #next: Promise<NextChunk> | undefined;
  /** When the last piece was passed on. */
  #passedAt = Number.NEGATIVE_INFINITY;

  constructor({ method, url, headers, body }: Request) {
    super();
    const { pathname, search } = new URL(url);
    this.method = method;
    this.url = pathname + search;
    this.headers = Object.fromEntries(headers);
    this.rawHeaders = [...headers].flat();
    this.complete = body === null;
    this.#stream = body;
    this.#body = body?.getReader();
    this.once('close', () => this.readableEnded || this.emit('cut'));
  }

  override async _read(): Promise<void> {
    try {
      while (this.#chunk.length === 0) {
        // However many chunks are ready, and however small they are.
        if (isTurnLong()) await new Promise<void>(inSharedTurn);
        const next = await this.#readNext();
        if (next === undefined) {
          this.#chunk = this.#small.take();
          break;
        }
        this.#next = undefined;
        if (next.done) {
          this.complete = true;
          if (this.#small.length > 0) this.push(this.#small.take());
          this.push(null);
          return;
        }
        this.readAt = performance.now();
        // As in `fetch`. Any other value would be read as no bytes.
        if (!isUint8Array(next.value)) throw new TypeError('A chunk of a body must be a Uint8Array.');
        this.#addChunk(next.value);
      }
      const piece = this.#chunk.subarray(0, maxChunkBytes);
      this.#chunk = this.#chunk.subarray(maxChunkBytes);
      this.#passedAt = performance.now();
      // The host may read the chunk too, after `request.clone()` for example: it must not be freed with the body.
      this.push(Buffer.from(piece));
    } catch {
      this.destroy();
    }
  }

  /** Resolves with undefined when the joined chunks are passed on before the next one arrives. */
  #readNext(): Promise<NextChunk | undefined> {
    this.#next ??= this.#body?.read() ?? Promise.resolve({ done: true, value: undefined });
    const next = this.#next;
    if (this.#small.length === 0) return next;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, Math.max(0, this.#passedAt + maxJoinMs - performance.now()));
      next.finally(() => clearTimeout(timer)).then(resolve, reject);
    });
  }

  /** Passes on a large chunk; joins small ones, and what follows them. */
  #addChunk(chunk: Uint8Array): void {
    if (this.#small.length === 0 && chunk.length >= smallChunkBytes) {
      this.#chunk = chunk;
      return;
    }
    this.#small.push(chunk);
    if (this.#small.length >= smallChunkBytes) this.#chunk = this.#small.take();
  }

  override _destroy(_error: Error | null, done: () => void): void {
    if (!this.complete) Object.defineProperty(this.#stream, hasFailed, { value: true });
    this.#body?.cancel().catch(() => {});
    done();
  }
}
