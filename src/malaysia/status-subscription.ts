import type { Context } from '../graphql/context.ts';
import { checkedId } from '../upstream/endpoint.ts';
import { createConflatingQueue } from './conflating-queue.ts';
import type { MalaysiaStatus } from './malaysia.api.ts';

/**
 * The statuses of several documents as one stream, through one conflating queue. It ends when every document is final,
 * when the caller disconnects, or after the maximum duration. `onError`: returns the last status of a document that
 * cannot be watched; undefined: the stream fails with the error.
 */
export function subscribeToStatuses(
  documentIds: readonly string[],
  context: Context,
  onError: (documentId: string, error: Error) => MalaysiaStatus | undefined,
): AsyncIterable<MalaysiaStatus> {
  const { caller, parts } = context;
  const { statusWatches } = parts;
  const open = new Map<string, () => void>();
  const release = () => {
    clearTimeout(timer);
    caller.signal.removeEventListener('abort', end);
    for (const unsubscribe of open.values()) unsubscribe();
    open.clear();
  };
  const queue = createConflatingQueue<string, MalaysiaStatus>(release);
  const end = () => queue.end();
  const timer = setTimeout(end, statusWatches.maxDurationMs);
  if (caller.signal.aborted) {
    end();
    return queue.values;
  }
  caller.signal.addEventListener('abort', end, { once: true });

  const done = (documentId: string, error?: Error) => {
    const last = error && onError(documentId, error);
    if (last) queue.put(documentId, last);
    open.delete(documentId);
    if (error && !last) queue.end(error);
    else if (open.size === 0) queue.end();
  };
  for (const documentId of new Set(documentIds)) open.set(documentId, () => {});
  for (const documentId of [...open.keys()]) {
    try {
      const unsubscribe = statusWatches.subscribe(caller, checkedId(documentId, 'documentId'), {
        next: (status) => queue.put(documentId, status),
        done: (error) => done(documentId, error),
        span: caller.span,
      });
      if (open.has(documentId)) open.set(documentId, unsubscribe);
      else unsubscribe();
    } catch (error) {
      done(documentId, error as Error);
    }
  }
  if (open.size === 0) queue.end();
  return queue.values;
}
