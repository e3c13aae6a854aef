/** A document whose status is watched. */
export interface Tracked {
  readonly documentId: string;
  /** null: it was imported elsewhere. */
  readonly docNumber: string | null;
}

/** Newest first, without duplicates. */
export function withTracked(before: readonly Tracked[], added: readonly Tracked[]): readonly Tracked[] {
  const known = new Set(before.map(({ documentId }) => documentId));
  return [...added.filter(({ documentId }) => !known.has(documentId)), ...before];
}
