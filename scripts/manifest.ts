/** Generates the manifest of persisted operations from documents. */
import {
  concatAST,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  OperationTypeNode,
  print,
  separateOperations,
} from 'graphql';
import type { UpstreamCallsExtension } from '../src/graphql/upstream-calls.ts';
import { costOf } from '../src/operation/cost.ts';
import { hashOf } from '../src/operation/persisted-operations.ts';

/** The manifest that PERSISTED_OPERATIONS loads: each operation with its requirements, by the hash of its text. */
export function manifestOf(documents: readonly DocumentNode[], schema: GraphQLSchema): string {
  const operations = Object.values(separateOperations(concatAST(documents)));
  const entries = operations.map((document) => [hashOf(print(document)), entryOf(document, schema)] as const);
  const byName = entries.sort(([, a], [, b]) => a.name.localeCompare(b.name));
  return `${JSON.stringify({ version: 1, operations: Object.fromEntries(byName) }, null, 2)}\n`;
}

/** `cost`: the lowest cost. Each further member of a list in variables adds to it. */
function entryOf(document: DocumentNode, schema: GraphQLSchema) {
  const operation = getOperationAST(document);
  if (!operation?.name) throw new Error('An operation for the manifest needs a name.');
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const byName = fragments.map((node: FragmentDefinitionNode) => [node.name.value, node]);
  return {
    name: operation.name.value,
    cost: costOf({
      schema,
      operation,
      fragmentDefinitions: Object.fromEntries(byName),
      variableValues: { sources: {}, coerced: {} },
    }).calls,
    credentials: credentialsOf(operation.operation, document, schema),
    writes: operation.operation === OperationTypeNode.MUTATION,
    document: print(document),
  };
}

/** The headers that the root fields of an operation require, sorted. */
function credentialsOf(type: OperationTypeNode, document: DocumentNode, schema: GraphQLSchema): string[] {
  const fields = schema.getRootType(type)?.getFields() ?? {};
  const selections = getOperationAST(document)?.selectionSet.selections ?? [];
  const required = selections.flatMap((selection) => {
    if (selection.kind !== Kind.FIELD)
      throw new Error('An operation for the manifest must select its root fields without fragments.');
    return (
      (fields[selection.name.value]?.extensions as UpstreamCallsExtension | undefined)?.requiredCredentials ??
      []
    );
  });
  return [...new Set(required)].sort();
}
