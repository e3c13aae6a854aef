/** Estimates the cost of an operation from its document and variables, and checks it, before the first resolver runs. */
import {
  type DirectiveNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidatedExecutionArgs,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import type { Config } from '../config/config.ts';
import { badUserInput, GatewayError } from '../errors.ts';
import type { UpstreamCallsExtension } from '../graphql/service-field.ts';
import { isObject } from '../tools/is-object.ts';
import { mechanisms } from '../tools/speed-mechanisms.ts';
import { resultLimit } from './result-limit.ts';

/** Enough for 200 problems of each of 100 invoices, with every field. `resultLimit` bounds the actual result. */
export const maxEstimatedValues = 250_000;

/** As many values as an invoice with about 5,000 lines and taxes has, so that one operation can check and import it. */
export const maxRepeatedInput = 25_000;

type CostedOperation = Pick<
  ValidatedExecutionArgs,
  'schema' | 'operation' | 'fragmentDefinitions' | 'variableValues'
>;

/** The counts of operations without list variables, whose documents need to be counted only once. */
const countedOnce = new WeakMap<OperationDefinitionNode, ReturnType<typeof count>>();

/**
 * What the document counts, and the values of the input that variables repeat beyond their first use: each 16 characters of
 * a string count as one more. That number is not exact far above `maxRepeatedInput`.
 */
export function costOf(operation: CostedOperation) {
  const { uses, ...counts } = countedOnce.get(operation.operation) ?? count(operation);
  return { ...counts, repeatedInput: repeatedInput(uses, operation.variableValues) };
}

/** The cost of the operation. Throws when it exceeds a limit, or has an argument whose error would come after a write. */
export function checkedCost(
  operation: CostedOperation,
  { maxOperationCost }: Pick<Config['limits'], 'maxOperationCost'>,
) {
  const cost = costOf(operation);
  const { calls, values, requestedValues, refusal, repeatedInput } = cost;
  if (refusal) throw badUserInput(refusal);
  if (calls > maxOperationCost) {
    throw overCostLimit(`can cause ${calls} calls to the document service`, maxOperationCost);
  }
  if (values > maxEstimatedValues) throw overCostLimit(`can return ${values} values`, maxEstimatedValues);
  if (requestedValues > resultLimit.maxValues) {
    throw overCostLimit(`requests ${requestedValues} values`, resultLimit.maxValues);
  }
  if (repeatedInput <= maxRepeatedInput) return cost;
  throw badUserInput(
    `The operation uses variables several times, which repeats too many input values; the limit is ${maxRepeatedInput}.`,
  );
}

function overCostLimit(what: string, limit: number): GatewayError {
  const message = `The operation ${what}; the limit is ${limit}.`;
  return new GatewayError({ code: 'OPERATION_TOO_EXPENSIVE', bound: 'cost', message });
}

/** `requestedValues`: as `values`, if the service returns what is requested: lists whose length it decides count as one member. */
function count(operation: CostedOperation) {
  const counter = new Counter(operation);
  const { calls, values, uses, refusal } = counter;
  // Counted again only where it can matter.
  const requestedValues =
    values > resultLimit.maxValues ? new Counter(operation, { onlyRequested: true }).values : values;
  const counted = { calls, values, requestedValues, uses, refusal };
  if (mechanisms.plannedExecutor && !counter.dependsOnVariables)
    countedOnce.set(operation.operation, counted);
  return counted;
}

type WithSelection = Pick<FieldNode, 'selectionSet'>;

class Counter {
  readonly uses = new Map<string, number>();
  /** Most values of the result: fields and list members. A list of unknown length counts as one member. */
  readonly values: number;
  /** Most calls to the document service. */
  calls = 0;
  /** Why an argument below a mutation's field is refused: its error would come after the write. */
  refusal: string | undefined;
  dependsOnVariables = false;
  readonly #operation: CostedOperation;
  readonly #root: GraphQLObjectType;
  readonly #onlyRequested: boolean;
  /** The root field whose selection is counted. */
  #rootField: FieldNode | undefined;

  constructor(operation: CostedOperation, { onlyRequested = false } = {}) {
    this.#operation = operation;
    this.#onlyRequested = onlyRequested;
    this.#root = operation.schema.getRootType(operation.operation.operation) as GraphQLObjectType;
    this.values = this.#addSelection([operation.operation], this.#root, 1);
  }

  /** Returns the values of a selection that is executed `times` times. `nodes`: all that have a part of it. */
  #addSelection(nodes: readonly WithSelection[], parent: unknown, times: number): number {
    const { schema, fragmentDefinitions } = this.#operation;
    /** By the type of their fragment, or of the selection itself. Those with one response name are executed once. */
    const fields = new Map<unknown, Map<string, [FieldNode, ...FieldNode[]]>>();
    const collect = ({ selections }: SelectionSetNode, type: unknown): void => {
      for (const node of selections) {
        this.#checkConditions(node);
        if (node.kind === Kind.FIELD) {
          const ofType = fields.getOrInsertComputed(type, () => new Map());
          const { value } = node.alias ?? node.name;
          const same = ofType.get(value);
          if (same) same.push(node);
          else ofType.set(value, [node]);
          continue;
        }
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragmentDefinitions[node.name.value];
        const condition = fragment?.typeCondition?.name.value;
        if (fragment) collect(fragment.selectionSet, condition ? schema.getType(condition) : type);
      }
    };
    for (const { selectionSet } of nodes) if (selectionSet) collect(selectionSet, parent);
    let ofAll = 0;
    /** An object has one type, so that only the most expensive of the fragments on object types counts. */
    let mostOfType = 0;
    for (const [type, ofType] of fields) {
      let values = 0;
      for (const same of ofType.values()) values += this.#addField(same, type, times);
      if (type === parent || !isObjectType(type)) ofAll += values;
      else mostOfType = Math.max(mostOfType, values);
    }
    return ofAll + mostOfType;
  }

  /** `same`: all selections of the field, which have the same arguments. */
  #addField(same: readonly [FieldNode, ...FieldNode[]], parent: unknown, times: number): number {
    const [node] = same;
    const field =
      isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    if (!field) return times;
    for (const { value } of node.arguments ?? []) countUses(value, this.uses);
    if (parent !== this.#root) this.#checkRequired(node, field);
    const extensions = field.extensions as UpstreamCallsExtension;
    const { calls = parent === this.#root ? 1 : 0, callsForEach } = extensions;
    if (parent === this.#root) this.#rootField = node;
    const maxMembers = this.#membersOf(node, extensions);
    let each = 1;
    if (callsForEach) {
      if (argument(node, callsForEach)?.kind === Kind.VARIABLE) this.dependsOnVariables = true;
      each = this.#lengthAt(node, [callsForEach]);
    }
    this.calls += times * each * calls;
    const members = times * each * maxMembers;
    const ofList = isListType(getNullableType(field.type)) ? members : 0;
    const type = getNamedType(field.type);
    return times + ofList + (isCompositeType(type) ? this.#addSelection(same, type, members) : 0);
  }

  /** Members of the field's list for each of its calls. */
  #membersOf(node: FieldNode, { maxMembers = 1, requestedBy }: UpstreamCallsExtension): number {
    if (!requestedBy) return this.#onlyRequested ? 1 : maxMembers;
    this.dependsOnVariables = true;
    const requested = this.#lengthAt(this.#rootField, requestedBy);
    const first = this.#atLeastZero(node, 'first');
    this.#atLeastZero(node, 'skip');
    return typeof first === 'number' ? Math.min(first, requested) : requested;
  }

  /**
   * Refuses null as a condition of a mutation, which only a nullable variable can have: its error would come when the object
   * with the condition is completed.
   */
  #checkConditions({ directives = [] }: SelectionNode): void {
    for (const directive of directives) {
      const name = this.#nullVariable(argument(directive, 'if'));
      if (name)
        this.refusal ??= `"${name}" must be true or false: it is the condition of @${directive.name.value}.`;
    }
  }

  /** As for a condition: the error would come when the result is completed. */
  #checkRequired(node: FieldNode, { args }: GraphQLField<unknown, unknown>): void {
    for (const required of args) {
      const name = isNonNullType(required.type) && this.#nullVariable(argument(node, required.name));
      if (name)
        this.refusal ??= `"${name}" must not be null: it is the argument "${required.name}" of ${node.name.value}.`;
    }
  }

  /** The name of the variable, if it is null in a mutation. Where null is an error, validation requires a default of one that is absent. */
  #nullVariable(value: ValueNode | undefined): string | undefined {
    const { operation, variableValues } = this.#operation;
    if (operation.operation !== OperationTypeNode.MUTATION || value?.kind !== Kind.VARIABLE) return undefined;
    this.dependsOnVariables = true;
    const name = value.name.value;
    return variableValues.coerced[name] === null ? `$${name}` : undefined;
  }

  /** Returns the value of an argument. A negative one is refused here: its resolver runs after the write. */
  #atLeastZero(node: FieldNode, name: string): unknown {
    const value = this.#argumentValue(node, name);
    if (Number(value) < 0) this.refusal ??= `${node.name.value}(${name}) must be at least 0.`;
    return value;
  }

  /** The length of the list at a path in the arguments; 1 when there is none. */
  #lengthAt(node: FieldNode | undefined, [name = '', ...path]: readonly string[]): number {
    let value = this.#argumentValue(node, name);
    for (const member of path) value = isObject(value) ? value[member] : undefined;
    return Array.isArray(value) ? value.length : 1;
  }

  #argumentValue(node: FieldNode | undefined, name: string): unknown {
    const value = argument(node, name);
    return value && valueFromASTUntyped(value, this.#operation.variableValues.coerced);
  }
}

function argument(node: FieldNode | DirectiveNode | undefined, name: string): ValueNode | undefined {
  return node?.arguments?.find((one) => one.name.value === name)?.value;
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
    if (times > 1) repeated += (times - 1) * sizeOf(coerced[name]);
  }
  return repeated;
}

/** Values of a coerced variable on all levels, plus one for each 16 characters. Counting stops above `maxRepeatedInput`. */
function sizeOf(input: unknown): number {
  let size = 0;
  const open = [input];
  while (open.length > 0 && size <= maxRepeatedInput) {
    const value = open.pop();
    size += 1;
    if (typeof value === 'string') size += Math.round(value.length / charactersOfValue);
    else open.push(...Object.values(value ?? {}));
  }
  return size;
}
