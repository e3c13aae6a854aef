/** The documents of all tenants: one sequence of ids; each tenant sees only its own documents. */

import { BoundedMap } from './bounded-map.ts';
import type { Card } from './cards.ts';
import type { Durations } from './course.ts';
import type { Tenant } from './credentials.ts';

interface StoredDocument {
  readonly id: number;
  readonly tenant: Tenant;
  readonly queueId: string;
}

export interface ScannedDocument extends StoredDocument {
  readonly kind: 'scan';
  readonly fileName: string;
  /** null: nothing was found on the document. */
  readonly card: Card | null;
}

export interface ImportedDocument extends StoredDocument, Durations {
  readonly kind: 'malaysia';
  readonly docNumber: string;
  /** Epoch milliseconds. */
  readonly importedAt: number;
  readonly duplicate: boolean;
}

export type Document = ScannedDocument | ImportedDocument;

type WithoutId<D> = D extends Document ? Omit<D, 'id'> : never;

export type Documents = ReturnType<typeof createDocuments>;

const firstDocumentId = 5001;

export function createDocuments() {
  const documents = new BoundedMap<number, Document>();
  let nextId = firstDocumentId;
  return {
    /** Stores the document under the next id and returns the id. */
    add(document: WithoutId<Document>) {
      const id = nextId++;
      documents.set(id, { ...document, id });
      return id;
    },
    find(tenant: Tenant, id: number) {
      const document = documents.get(id);
      return document?.tenant === tenant ? document : undefined;
    },
    /** In the order of ids. */
    of: (tenant: Tenant) => [...documents.values()].filter((document) => document.tenant === tenant),
  };
}
