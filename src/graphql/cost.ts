/** What an operation can cause at the service: known from its variables, before the first resolver. */
import {
  type FieldNode,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  type ValidatedExecutionArgs,
} from 'graphql';

/** What a field's extensions say of its calls. */
export interface CallsExtension {
  /** Headers without which its calls are not made. Default none. */
  readonly credentials?: readonly string[];
  /** Calls of the field itself, for each object it stands on. Default 1 for a root field, else 0. */
  readonly calls?: number;
  /** Name of the list argument each member of which causes the field's calls. */
  readonly callsForEach?: string;
}

type CostedOperation = Pick<
  ValidatedExecutionArgs,
  'schema' | 'operation' | 'fragmentDefinitions' | 'variableValues'
>;

/** Calls to the service. */
export function costOf(operation: CostedOperation): number {
  const { schema, variableValues, fragmentDefinitions } = operation;
  const root = schema.getRootType(operation.operation.operation) as GraphQLObjectType;
  return costOfSelection(operation.operation.selectionSet, root, 1);

  function costOfSelection({ selections }: SelectionSetNode, parent: unknown, times: number): number {
    let cost = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) cost += costOfField(selection, parent, times);
      else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const { typeCondition } = selection;
        const type = typeCondition ? schema.getType(typeCondition.name.value) : parent;
        cost += costOfSelection(selection.selectionSet, type, times);
      } else {
        const fragment = fragmentDefinitions[selection.name.value];
        if (!fragment) continue;
        cost += costOfSelection(
          fragment.selectionSet,
          schema.getType(fragment.typeCondition.name.value),
          times,
        );
      }
    }
    return cost;
  }

  function costOfField(node: FieldNode, parent: unknown, times: number): number {
    const field =
      isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    if (!field) return 0;
    const { calls = parent === root ? 1 : 0, callsForEach } = field.extensions as CallsExtension;
    const each = callsForEach ? lengthOf(node, callsForEach, variableValues) : 1;
    const type = getNamedType(field.type);
    const below =
      node.selectionSet && isCompositeType(type) ? costOfSelection(node.selectionSet, type, times * each) : 0;
    return times * each * calls + below;
  }
}

/** Of a list that is not known a single member. */
function lengthOf(
  { arguments: given = [] }: FieldNode,
  argument: string,
  { coerced }: CostedOperation['variableValues'],
): number {
  const value = given.find(({ name }) => name.value === argument)?.value;
  if (value?.kind === Kind.LIST) return value.values.length;
  const list = value?.kind === Kind.VARIABLE ? coerced[value.name.value] : undefined;
  return Array.isArray(list) ? list.length : 1;
}
