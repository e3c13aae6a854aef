/** The writes of a mutation as a document: Relay sends its hash, and has no text of it. */
import { type ArgumentNode, type DocumentNode, type FieldNode, Kind, OperationTypeNode } from 'graphql';
import type { ConcreteRequest, NormalizationArgument, NormalizationSelection } from 'relay-runtime';

/** Has the root fields with their arguments, and nothing below them. */
export function writesDocumentOf({ operation }: ConcreteRequest): DocumentNode {
  const selectionSet = { kind: Kind.SELECTION_SET, selections: operation.selections.map(fieldOf) } as const;
  const mutation = OperationTypeNode.MUTATION;
  return {
    kind: Kind.DOCUMENT,
    definitions: [{ kind: Kind.OPERATION_DEFINITION, operation: mutation, selectionSet }],
  };
}

const nameOf = (value: string) => ({ kind: Kind.NAME, value }) as const;

/** A selection of another kind, such as a condition, becomes a field without a key: it is not repeated. */
function fieldOf(selection: NormalizationSelection): FieldNode {
  if (selection.kind !== 'LinkedField' && selection.kind !== 'ScalarField')
    return { kind: Kind.FIELD, name: nameOf(selection.kind) };
  return {
    kind: Kind.FIELD,
    name: nameOf(selection.name),
    arguments: (selection.args ?? []).map(argumentOf),
  };
}

function argumentOf(argument: NormalizationArgument): ArgumentNode {
  return { kind: Kind.ARGUMENT, name: nameOf(argument.name), value: nodeOf(argument) };
}

/** A literal counts as a text: only that of a key matters. */
function nodeOf(argument: NormalizationArgument | null): ArgumentNode['value'] {
  if (argument === null) return { kind: Kind.NULL };
  switch (argument.kind) {
    case 'Variable':
      return { kind: Kind.VARIABLE, name: nameOf(argument.variableName) };
    case 'ObjectValue':
      return {
        kind: Kind.OBJECT,
        fields: argument.fields.map((field) => ({ ...argumentOf(field), kind: Kind.OBJECT_FIELD })),
      };
    case 'ListValue':
      return { kind: Kind.LIST, values: argument.items.map(nodeOf) };
    default:
      return argument.value === null
        ? { kind: Kind.NULL }
        : { kind: Kind.STRING, value: `${argument.value}` };
  }
}
