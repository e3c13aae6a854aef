/** Estimates the cost of an operation from its document and variables, before the first resolver runs. */
import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidatedExecutionArgs,
  type ValueNode,
} from 'graphql';
import type { UpstreamCallsExtension } from '../graphql/upstream-calls.ts';

export interface OperationCost {
  /** Most calls to the document service. */
  readonly calls: number;
  /** Most values of the result: fields and list members. A list of unknown length counts as one member. */
  readonly values: number;
  /**
   * Values of the input that variables repeat beyond their first use. Each 16 characters of a string count as one more.
   * Not exact far above `maxRepeatedInput`.
   */
  readonly repeatedInput: number;
}

/** Enough for 200 problems of each of 100 invoices, with every field. `resultLimit` bounds the actual result. */
export const maxEstimatedValues = 250_000;

/** As many values as an invoice with about 5,000 lines and taxes has, so that one operation can check and import it. */
export const maxRepeatedInput = 25_000;

type CostedOperation = Pick<
  ValidatedExecutionArgs,
  'schema' | 'operation' | 'fragmentDefinitions' | 'variableValues'
>;

/** What the walk through a document counts. */
interface CountedOperation {
  readonly schema: GraphQLSchema;
  readonly calls: number;
  readonly values: number;
  /** Uses of each variable. */
  readonly uses: ReadonlyMap<string, number>;
}

/** The counts of operations without list variables, whose documents need to be counted only once. */
const countedOnce = new WeakMap<OperationDefinitionNode, CountedOperation>();

export function costOf(operation: CostedOperation): OperationCost {
  const known = countedOnce.get(operation.operation);
  const counted = known?.schema === operation.schema ? known : count(operation);
  const { calls, values, uses } = counted;
  return { calls, values, repeatedInput: repeatedInput(uses, operation.variableValues) };
}

function count(operation: CostedOperation): CountedOperation {
  const { schema, variableValues, fragmentDefinitions } = operation;
  const root = schema.getRootType(operation.operation.operation) as GraphQLObjectType;
  const uses = new Map<string, number>();
  let calls = 0;
  let dependsOnVariables = false;
  const values = addSelection(operation.operation.selectionSet, root, 1);
  const counted = { schema, calls, values, uses };
  if (!dependsOnVariables) countedOnce.set(operation.operation, counted);
  return counted;

  /** Counts calls and uses, and returns the values. Fragments on several types of a union: an object has one of the types, so only the most expensive fragment counts. */
  function addSelection(selectionSet: SelectionSetNode, parent: unknown, times: number): number {
    const ofObjectTypes = new Map<unknown, number>();
    let ofAll = 0;
    add(selectionSet, parent);
    return ofAll + Math.max(0, ...ofObjectTypes.values());

    function add({ selections }: SelectionSetNode, type: unknown): void {
      for (const selection of selections) {
        if (selection.kind === Kind.FIELD) {
          const values = addField(selection, type, times);
          if (type === parent || !isObjectType(type)) ofAll += values;
          else ofObjectTypes.set(type, (ofObjectTypes.get(type) ?? 0) + values);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          const { typeCondition } = selection;
          add(selection.selectionSet, typeCondition ? schema.getType(typeCondition.name.value) : type);
        } else {
          const fragment = fragmentDefinitions[selection.name.value];
          if (fragment) add(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value));
        }
      }
    }
  }

  function addField(node: FieldNode, parent: unknown, times: number): number {
    const field =
      isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    if (!field) return times;
    for (const { value } of node.arguments ?? []) countUses(value, uses);
    const extensions = field.extensions as UpstreamCallsExtension;
    const { calls: callsOfField = parent === root ? 1 : 0, callsForEach, maxMembers = 1 } = extensions;
    let each = 1;
    if (callsForEach) {
      const list = node.arguments?.find(({ name }) => name.value === callsForEach)?.value;
      if (list?.kind === Kind.VARIABLE) dependsOnVariables = true;
      each = lengthOf(list, variableValues);
    }
    calls += times * each * callsOfField;
    const members = times * each * maxMembers;
    const ofList = isListType(getNullableType(field.type)) ? members : 0;
    const type = getNamedType(field.type);
    const isObject = node.selectionSet && isCompositeType(type);
    return times + ofList + (isObject ? addSelection(node.selectionSet, type, members) : 0);
  }
}

/** The length of a list argument. Assumes one member when the length is unknown. */
function lengthOf(value: ValueNode | undefined, { coerced }: CostedOperation['variableValues']): number {
  if (value?.kind === Kind.LIST) return value.values.length;
  const list = value?.kind === Kind.VARIABLE ? coerced[value.name.value] : undefined;
  return Array.isArray(list) ? list.length : 1;
}

function countUses(value: ValueNode, uses: Map<string, number>): void {
  if (value.kind === Kind.VARIABLE) {
    const name = value.name.value;
    uses.set(name, (uses.get(name) ?? 0) + 1);
  } else if (value.kind === Kind.LIST) for (const item of value.values) countUses(item, uses);
  else if (value.kind === Kind.OBJECT) for (const field of value.fields) countUses(field.value, uses);
}

/** Characters of a string that count as one value. */
const charactersOfValue = 16;

function repeatedInput(
  uses: ReadonlyMap<string, number>,
  { coerced }: CostedOperation['variableValues'],
): number {
  let repeated = 0;
  for (const [name, times] of uses) {
    if (times > 1) repeated += (times - 1) * sizeOf(coerced[name], maxRepeatedInput);
  }
  return repeated;
}

/** Values of a coerced variable on all levels, plus one for each 16 characters. Counting stops above `most`. */
function sizeOf(input: unknown, most: number): number {
  let size = 0;
  const open = [input];
  while (open.length > 0 && size <= most) {
    const value = open.pop();
    size += 1;
    if (typeof value === 'string') size += Math.round(value.length / charactersOfValue);
    else if (Array.isArray(value) && value.length > most) return value.length;
    else if (typeof value === 'object' && value !== null) open.push(...Object.values(value));
  }
  return size;
}
