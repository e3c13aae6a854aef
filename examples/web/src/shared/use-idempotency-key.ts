import { useState } from 'react';

/**
 * An idempotency key for some content: pressing a button twice sends the same key, other content gets another key.
 * `renew` creates and returns a new key, to do the same again on purpose.
 */
export function useIdempotencyKey(content: string): { readonly key: string; renew(): string } {
  const [made, setMade] = useState(() => ({ content, key: newIdempotencyKey() }));
  if (made.content !== content) setMade({ content, key: newIdempotencyKey() });
  function renew(): string {
    const key = newIdempotencyKey();
    setMade({ content, key });
    return key;
  }
  return { key: made.key, renew };
}

/** 128 random bits. `crypto.randomUUID` does not exist in pages without TLS. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
