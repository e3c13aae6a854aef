/** Persisted operations: clients send the hash of an operation, and the gateway knows its text from a manifest. */
import { type DocumentNode, getOperationAST } from 'graphql';

/** The file of `@apollo/generate-persisted-query-manifest`. */
export interface OperationManifest {
  readonly operations: readonly { readonly id: string; readonly name: string }[];
}

export interface PersistedOption {
  /**
   * Whether documents are sent as the hashes that graphql-codegen or gql.tada wrote into them; a manifest of Apollo's tool
   * gives the hash of each operation by its name. The gateway needs the manifest in PERSISTED_OPERATIONS. Default false.
   */
  readonly persisted?: boolean | OperationManifest;
}

/** The hash of a document; undefined for one that is sent as text. */
export type HashOf = (document: DocumentNode) => string | undefined;

export function hashOfDocuments(persisted: PersistedOption['persisted'] = false): HashOf {
  if (persisted === false) return () => undefined;
  if (persisted === true) return persistedHashOf;
  const ids = new Map(persisted.operations.map(({ name, id }) => [name, id]));
  return (document) => ids.get(getOperationAST(document)?.name?.value ?? '');
}

/**
 * The hash that the build wrote into a document, without the `sha256:` before it: `__meta__` of graphql-codegen
 * (`persistedDocuments` in codegen.config.ts), `documentId` of gql.tada.
 */
export function persistedHashOf(document: DocumentNode): string | undefined {
  const { __meta__, documentId } = document as {
    readonly __meta__?: { readonly hash?: string };
    readonly documentId?: string;
  };
  return (__meta__?.hash ?? documentId)?.replace(/^sha256:/, '');
}
