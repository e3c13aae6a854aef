/** Whether a mutation can be sent again after its connection was lost: every write of it has an idempotency key. */
import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type SelectionSetNode,
  type VariableDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';

type Variables = Readonly<Record<string, unknown>>;

/**
 * Reads the value that the document passes as `idempotencyKey`, from variables of any name and from literals. A member of that
 * name elsewhere, such as in `extra` of an invoice, is not a key.
 */
export function hasKeyForEveryWrite(document: DocumentNode, variables: unknown): boolean {
  const keys = writesOf(document, variables).flatMap(({ keys }) => keys);
  return keys.length > 0 && keys.every((key) => key != null);
}

/** A root field of a mutation. */
export interface WriteField {
  readonly name: string;
  /** The `idempotencyKey` of each input of the field; undefined for an input without a key. */
  readonly keys: readonly unknown[];
  /** Whether `__typename` of the result is selected: without it a refusal looks like a success. */
  readonly hasTypename: boolean;
}

export function writesOf(document: DocumentNode, variables: unknown): WriteField[] {
  const given = { ...defaultsOf(document), ...definedMembers(variables) };
  return document.definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    return rootFields(definition.selectionSet, document).map((field) => ({
      name: field.name.value,
      keys: keysOf(field, given),
      hasTypename: hasTypename(field),
    }));
  });
}

function hasTypename({ selectionSet }: FieldNode): boolean {
  return (selectionSet?.selections ?? []).some(
    (selection) =>
      selection.kind === Kind.FIELD && selection.name.value === '__typename' && selection.alias === undefined,
  );
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

/** One key for each input of a list. */
function keysOf({ arguments: given = [] }: FieldNode, variables: Variables): unknown[] {
  const input = given.find(({ name }) => name.value === 'input');
  const inputs = [input && valueFromASTUntyped(input.value, variables)].flat();
  return inputs.length > 0
    ? inputs.map((one) => (isRecord(one) ? one['idempotencyKey'] : undefined))
    : [undefined];
}

function defaultsOf({ definitions }: DocumentNode): Variables {
  const declared = definitions.flatMap((definition): readonly VariableDefinitionNode[] =>
    definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
  );
  return Object.fromEntries(
    declared.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
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
