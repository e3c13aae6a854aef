import type { OperationDefinitionNode } from 'graphql';
import type { ValidDocument } from './document-cache.ts';
import type { ServedOperation } from './persisted-operations.ts';

/** An operation that has been parsed and validated, and can be executed or subscribed to. */
export interface PreparedOperation extends ValidDocument {
  /** The operation as a manifest has it; undefined when none has it. */
  readonly persisted: ServedOperation | undefined;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Memory that the variables hold, estimated (bytes). */
  readonly variableBytes: number;
}
