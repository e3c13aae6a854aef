import type { OperationDefinitionNode } from 'graphql';
import type { ValidDocument } from './document-cache.ts';

/** An operation that has been parsed and validated, and can be executed or subscribed to. */
export interface PreparedOperation extends ValidDocument {
  /** The operation's name in the manifest of persisted operations. */
  readonly manifestName: string | undefined;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Memory that the variables hold, estimated (bytes). */
  readonly variableBytes: number;
}
