import { newKey } from '@folio/client';
import { useState } from 'react';

/**
 * An idempotency key for some content: pressing a button twice sends the same key, other content gets another key.
 * `renew` creates and returns a new key, to do the same again on purpose.
 */
export function useIdempotencyKey(content: string): { readonly key: string; renew(): string } {
  const [made, setMade] = useState(() => ({ content, key: newKey() }));
  if (made.content !== content) setMade({ content, key: newKey() });
  function renew(): string {
    const key = newKey();
    setMade({ content, key });
    return key;
  }
  return { key: made.key, renew };
}
