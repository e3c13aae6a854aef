import { createContext, use } from 'react';

/** A document that was scanned in this page: what the export can choose from. */
export interface ScannedDocument {
  readonly documentId: string;
  readonly fileName: string;
  /** The name on the card, where it was found. */
  readonly holder: string | null;
}

interface ScannedDocuments {
  readonly documents: readonly ScannedDocument[];
  add(document: ScannedDocument): void;
}

export const ScannedDocumentsContext = createContext<ScannedDocuments | null>(null);

export function useScannedDocuments(): ScannedDocuments {
  const state = use(ScannedDocumentsContext);
  if (state === null) throw new Error('There is no ScannedDocumentsContext above.');
  return state;
}

/** The same document, scanned again under the same key, stands in the list once. */
export function withDocument(
  documents: readonly ScannedDocument[],
  document: ScannedDocument,
): readonly ScannedDocument[] {
  return [...documents.filter(({ documentId }) => documentId !== document.documentId), document];
}
