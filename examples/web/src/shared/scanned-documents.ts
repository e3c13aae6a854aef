import { createContext, use } from 'react';

/** A document that was scanned on this page, and can be selected for an export. */
export interface ScannedDocument {
  readonly documentId: string;
  readonly fileName: string;
  /** The name on the card; absent if it was not found. */
  readonly holder: string | null;
}

interface ScannedDocuments {
  readonly documents: readonly ScannedDocument[];
  add(document: ScannedDocument): void;
}

export const ScannedDocumentsContext = createContext<ScannedDocuments | null>(null);

export function useScannedDocuments(): ScannedDocuments {
  const state = use(ScannedDocumentsContext);
  if (state === null) throw new Error('ScannedDocumentsContext is missing.');
  return state;
}

/** Adds a document. One that was scanned again with the same key is listed once. */
export function withDocument(
  documents: readonly ScannedDocument[],
  document: ScannedDocument,
): readonly ScannedDocument[] {
  return [...documents.filter(({ documentId }) => documentId !== document.documentId), document];
}
