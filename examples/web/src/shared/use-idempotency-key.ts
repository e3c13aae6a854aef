import { newKey } from '@folio/client';
import { useState } from 'react';

/**
 * An idempotency key for some content: pressing a button twice sends the same key, and other content gets another key.
 * Content that was sent before has the key that it was sent with, because its outcome may be unknown.
 */
export function useIdempotencyKey(content: string) {
  const [sent] = useState(() => new Map<string, string>());
  const [made, setMade] = useState(() => ({ content, key: newKey() }));
  if (made.content !== content) setMade({ content, key: sent.get(content) ?? newKey() });
  function keep(key: string): string {
    sent.set(content, key);
    return key;
  }
  return {
    key: made.key,
    /** Returns the key, to send it. */
    take: () => keep(made.key),
    /** Creates and returns a new key, to do the same again on purpose. */
    renew(): string {
      const key = newKey();
      // The content may have changed since.
      setMade((before) => (before.content === content ? { content, key } : before));
      return keep(key);
    },
  };
}
