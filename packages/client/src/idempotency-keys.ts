/** Whether a mutation can be sent again after its connection was lost: every write of it has an idempotency key. */
import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type SelectionSetNode,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';

type Variables = Readonly<Record<string, unknown>>;

/**
 * Reads the value that the document passes as `idempotencyKey`, from variables of any name and from literals. A member of that
 * name elsewhere, such as in `extra` of an invoice, is not a key.
 */
export function hasKeyForEveryWrite(document: DocumentNode, variables: unknown): boolean {
  const given = { ...defaultsOf(document), ...definedMembers(variables) };
  const writes = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? rootFields(definition.selectionSet, document) : [],
  );
  return writes.length > 0 && writes.every((write) => hasKey(write, given));
}

function rootFields({ selections }: SelectionSetNode, document: DocumentNode): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return selection.name.value.startsWith('__') ? [] : [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootFields(selection.selectionSet, document);
    const fragment = document.definitions.find(
      (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === selection.name.value,
    );
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? rootFields(fragment.selectionSet, document) : [];
  });
}

/** Each input of a list needs a key. */
function hasKey({ arguments: given = [] }: FieldNode, variables: Variables): boolean {
  const input = given.find(({ name }) => name.value === 'input');
  const inputs = [input && literalOrGiven(input.value, variables)].flat();
  return inputs.length > 0 && inputs.every((one) => isRecord(one) && one['idempotencyKey'] != null);
}

/** The value of a node of the document; undefined: a variable without a value. */
function literalOrGiven(node: ValueNode, variables: Variables): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variables[node.name.value];
    case Kind.NULL:
      return null;
    case Kind.LIST:
      return node.values.map((member) => literalOrGiven(member, variables));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, literalOrGiven(value, variables)] as const),
      );
    default:
      return node.value;
  }
}

function defaultsOf({ definitions }: DocumentNode): Variables {
  const declared = definitions.flatMap((definition): readonly VariableDefinitionNode[] =>
    definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
  );
  return Object.fromEntries(
    declared.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, literalOrGiven(defaultValue, {})] as const] : [],
    ),
  );
}

/** A member that is undefined is not sent, so the default applies. */
function definedMembers(variables: unknown): Variables {
  if (!isRecord(variables)) return {};
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));
}

function isRecord(value: unknown): value is Variables {
  return typeof value === 'object' && value !== null;
}
