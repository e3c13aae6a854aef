/** Persisted operations: clients send the hash of an operation, and the gateway knows its text from a manifest. */
import type { DocumentNode } from 'graphql';

export interface PersistedOption {
  /**
   * Whether generated documents are sent as hashes. The gateway needs `gql/persisted-documents.json` in PERSISTED_OPERATIONS.
   * Default false.
   */
  readonly persisted?: boolean;
}

/**
 * The hash that the build wrote into a document (`persistedDocuments` in codegen.config.ts), without the `sha256:` before
 * it. Undefined for a document that was made in another way: it is sent as text.
 */
export function persistedHashOf(document: DocumentNode): string | undefined {
  const { hash } = (document as { readonly __meta__?: { readonly hash?: string } }).__meta__ ?? {};
  return hash?.replace(/^sha256:/, '');
}
