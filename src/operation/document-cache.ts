/** Valid documents by their text. */
import { hashOf } from './persisted/operation-hash.ts';
import { checkLength, type ValidDocument } from './valid-document.ts';

/**
 * Returns a function that finds the document of a text, or parses it. The oldest document is dropped when the cache is full; one that
 * is larger than the cache is not kept.
 * `parse`: returns the document of a text, or throws when it is not valid.
 * `maxBytes`: heap that all cached documents may hold, estimated.
 * `inUse`: finds, by its hash, a document that operations in progress hold although the cache has dropped it.
 */
export function createDocumentCache(
  parse: (query: string, hash: string) => ValidDocument,
  maxBytes: number,
  inUse: (hash: string) => ValidDocument | undefined,
) {
  const known = new Map<string, ValidDocument>();
  let cachedBytes = 0;

  function keep(query: string, valid: ValidDocument): void {
    if (valid.bytes > maxBytes) return;
    known.set(query, valid);
    cachedBytes += valid.bytes;
    // A Map keeps the order of insertion, so the first document is the oldest.
    for (const [oldest, { bytes }] of known) {
      if (cachedBytes <= maxBytes) return;
      known.delete(oldest);
      cachedBytes -= bytes;
    }
  }

  return (query: string): ValidDocument => {
    const cached = known.get(query);
    if (cached) return cached;
    checkLength(query);
    const hash = hashOf(query);
    // A text with half a character, which the parser refuses, has the hash of the one with U+FFFD in its place.
    const valid = (query.isWellFormed() ? inUse(hash) : undefined) ?? parse(query, hash);
    keep(query, valid);
    return valid;
  };
}
