import { useState } from 'react';

/**
 * A key that stays as long as the content stays, so that pressing twice does the thing once; other content has
 * another key. `renew` is for doing the same once more on purpose.
 */
export function useIdempotencyKey(content: string): { readonly key: string; renew(): void } {
  const [made, setMade] = useState(() => ({ content, key: newIdempotencyKey() }));
  if (made.content !== content) setMade({ content, key: newIdempotencyKey() });
  return { key: made.key, renew: () => setMade({ content, key: newIdempotencyKey() }) };
}

/** 128 random bits. Not `crypto.randomUUID`, which pages without TLS do not have. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
