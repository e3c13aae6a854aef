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
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { credentialHeaders } from '../src/caller.ts';
import type { UpstreamCallsExtension } from '../src/graphql/service-field.ts';
import { costOf } from '../src/operation/cost.ts';
import { hashOf } from '../src/operation/persisted/operation-hash.ts';

/** The manifest that PERSISTED_OPERATIONS loads: each operation with its requirements, by the hash of its text. */
export function manifestOf(documents: readonly DocumentNode[], schema: GraphQLSchema): string {
  const operations = Object.values(separateOperations(concatAST(documents)));
  const entries = operations.map(
    (document) =>
      [hashOf(print(document)), { ...summaryOf(document, schema), document: print(document) }] as const,
  );
  // By code units, so that the order does not depend on the locale.
  const byName = entries.sort(([, a], [, b]) => (a.name < b.name ? -1 : 1));
  return `${JSON.stringify({ version: 1, operations: Object.fromEntries(byName) }, null, 2)}\n`;
}

interface OperationSummary {
  readonly name: string;
  /** Calls to the service that it can cause at least. Each further member of a list in variables adds to it. */
  readonly cost: number;
  /** The headers that its root fields require, sorted. */
  readonly credentials: readonly string[];
  readonly writes: boolean;
}

/** What an operation costs and requires. `document`: valid, with one named operation. */
export function summaryOf(document: DocumentNode, schema: GraphQLSchema): OperationSummary {
  const operation = getOperationAST(document);
  if (!operation?.name) throw new Error('An operation for the manifest needs a name.');
  const fragments = Object.fromEntries(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );
  const variableValues = { sources: {}, coerced: {} };
  return {
    name: operation.name.value,
    cost: costOf({ schema, operation, fragmentDefinitions: fragments, variableValues }).calls,
    credentials: credentialsOf(document, schema),
    writes: operation.operation === OperationTypeNode.MUTATION,
  };
}

function credentialsOf(document: DocumentNode, schema: GraphQLSchema): string[] {
  const types = new TypeInfo(schema);
  const required = new Set<string>();
  const Field = () => {
    const { requiredCredentials = [] }: UpstreamCallsExtension = types.getFieldDef()?.extensions ?? {};
    for (const name of requiredCredentials) required.add(credentialHeaders[name].toLowerCase());
  };
  visit(document, visitWithTypeInfo(types, { Field }));
  return [...required].sort();
}
