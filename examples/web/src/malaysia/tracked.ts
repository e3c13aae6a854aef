/** A document whose way through the portal is followed. */
export interface Tracked {
  readonly documentId: string;
  /** null: it was imported elsewhere. */
  readonly docNumber: string | null;
}

/** The newest first, each once. */
export function withTracked(before: readonly Tracked[], added: readonly Tracked[]): readonly Tracked[] {
  const known = new Set(before.map(({ documentId }) => documentId));
  return [...added.filter(({ documentId }) => !known.has(documentId)), ...before];
}
