/** The progress of a `Response`, in the form of Node's own responses. */
import { EventEmitter } from 'node:events';
import type { BagItem } from '../../tools/bag.ts';
import type { ResponseProgress } from '../request-and-response.ts';

/** A response below 64 KiB is returned whole, and a longer one in pieces of that size. */
const pieceBytes = 64 * 1024;

const noBytes = new Uint8Array();

/**
 * A response is finished when its body has been read; one below 64 KiB when it is returned, since the host then has all of
 * it. It is closed before that when the caller disconnects: when the request's `signal` aborts, or the host cancels the body.
 */
export class FetchedResponse
  extends EventEmitter<{ close: []; finish: [] }>
  implements ResponseProgress, BagItem
{
  placeInBag = -1;
  /** Call to respond with a refusal if the operation has no result yet. */
  end: () => void = () => {};
  /** Called when a piece has been handed out, with the rest of its result or event in `writableLength`. */
  onPiece: () => void = () => {};
  statusCode = 200;
  closed = false;
  writableFinished = false;
  writableLength = 0;
  /** Ends the body with an error. */
  #cut: () => void = () => {};
  /** Kept: the signal of a `Request` never aborts once the `Request` has been collected. */
  readonly #request: Pick<Request, 'signal'>;

  constructor(request: Pick<Request, 'signal'>) {
    super();
    this.#request = request;
    const { signal } = request;
    const onAbort = () => this.destroy();
    signal.addEventListener('abort', onAbort, { once: true });
    this.once('close', () => signal.removeEventListener('abort', onAbort));
  }

  /** Returns the response with a body that reports how much of it has been read. */
  deliver(response: Response): Response {
    const length = response.headers.get('content-length');
    if (this.closed) {
      // Ends the timers and the subscription of the body.
      if (length === null) response.body?.cancel().catch(() => {});
      return response;
    }
    this.end = () => {};
    this.statusCode = response.status;
    if (response.body === null || (length !== null && Number(length) < pieceBytes)) {
      this.#finish();
      return response;
    }
    this.writableLength = Number(length);
    return new Response(this.#tracked(response.body), response);
  }

  destroy(): void {
    if (this.closed) return;
    // Before the body ends: a subscription that ends with it sees that its caller has disconnected.
    this.#close();
    this.#cut();
  }

  #tracked(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    let rest: Uint8Array = noBytes;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#cut = () => {
            rest = noBytes;
            const { aborted, reason } = this.#request.signal;
            // As `fetch` does: hosts take an AbortError as a caller who has disconnected, and any other as a failure.
            controller.error(aborted ? reason : new Error('The gateway has ended the response.'));
            reader.cancel().catch(() => {});
          };
        },
        pull: async (controller) => {
          if (rest.length === 0) {
            const { done, value } = await reader.read().catch((error: unknown) => {
              // A bug of the gateway: nothing more is read, and no timer or listener may stay.
              if (!this.closed) this.#close();
              throw error;
            });
            if (this.closed) return;
            if (done) {
              controller.close();
              this.#finish();
              return;
            }
            rest = value;
          }
          controller.enqueue(rest.subarray(0, pieceBytes));
          rest = rest.subarray(pieceBytes);
          this.writableLength = rest.length;
          this.onPiece();
        },
        cancel: () => this.destroy(),
      },
      { highWaterMark: 0 },
    );
  }

  #finish(): void {
    this.writableFinished = true;
    this.writableLength = 0;
    this.emit('finish');
    this.#close();
  }

  #close(): void {
    this.closed = true;
    this.emit('close');
  }
}
