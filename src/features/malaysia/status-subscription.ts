import type { Context } from '../../graphql/context.ts';
import { checkedId } from '../../upstream/endpoint.ts';
import { ConflatingQueue } from './conflating-queue.ts';
import type { MalaysiaStatus } from './malaysia.api.ts';
import type { StatusListener } from './watch.ts';

/** Returns the last status of a document that cannot be watched. */
type OnError = (documentId: string, error: Error) => MalaysiaStatus;

/**
 * The statuses of several documents as one stream. It ends when every document is final, when the caller disconnects, or
 * after the maximum duration.
 */
export class StatusSubscription extends ConflatingQueue<string, MalaysiaStatus> {
  readonly #context: Context;
  readonly #onError: OnError | undefined;
  readonly #documents: WatchedDocument[];
  readonly #endNow = () => this.end();
  readonly #timer: NodeJS.Timeout;
  #open: number;

  /** Without `onError` the stream fails with the error of a document that cannot be watched. */
  constructor(documentIds: readonly string[], context: Context, onError?: OnError) {
    super();
    const { caller, parts } = context;
    this.#context = context;
    this.#onError = onError;
    this.#documents = Array.from(new Set(documentIds), (id) => new WatchedDocument(this, id, caller.span));
    this.#open = this.#documents.length;
    this.#timer = setTimeout(this.#endNow, parts.statusWatches.maxDurationMs);
    caller.signal.addEventListener('abort', this.#endNow);
    if (this.#open === 0 || caller.signal.aborted) this.end();
    for (const document of this.#documents) this.#watch(document);
  }

  #watch(document: WatchedDocument): void {
    if (this.hasEnded) return;
    const { caller, parts } = this.#context;
    try {
      const id = checkedId(document.id, 'documentId');
      const unsubscribe = parts.statusWatches.subscribe(caller, id, document);
      if (this.hasEnded || document.isOver) unsubscribe();
      else document.unsubscribe = unsubscribe;
    } catch (error) {
      document.done(error as Error);
    }
  }

  /** Called when a document has reached a final state, or cannot be watched any more. */
  documentEnded({ id }: WatchedDocument, error: Error | undefined): void {
    const last = error && this.#onError?.(id, error);
    if (last) this.put(id, last);
    this.#open -= 1;
    if (error && !last) this.end(error);
    else if (this.#open === 0) this.end();
  }

  protected override onEnd(): void {
    clearTimeout(this.#timer);
    this.#context.caller.signal.removeEventListener('abort', this.#endNow);
    for (const { unsubscribe } of this.#documents) unsubscribe?.();
  }
}

class WatchedDocument implements StatusListener {
  readonly #subscription: StatusSubscription;
  readonly id: string;
  readonly span: StatusListener['span'];
  isOver = false;
  unsubscribe: (() => void) | undefined;

  constructor(subscription: StatusSubscription, id: string, span: StatusListener['span']) {
    this.#subscription = subscription;
    this.id = id;
    this.span = span;
  }

  next(status: MalaysiaStatus): void {
    this.#subscription.put(this.id, status);
  }

  done(error?: Error): void {
    this.isOver = true;
    this.unsubscribe = undefined;
    this.#subscription.documentEnded(this, error);
  }
}
