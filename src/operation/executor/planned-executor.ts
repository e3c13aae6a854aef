/**
 * Executes like graphql-js in less than half the time: graphql-js' executor, with the fields of each object taken from
 * the operation's plan. See README.md in this folder for the internals that it uses and the tests that compare the two.
 */
import { tracingChannel } from 'node:diagnostics_channel';
import {
  defaultFieldResolver,
  type ExecutionResult,
  type GraphQLLeafType,
  type GraphQLList,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getArgumentValues,
  isNonNullType,
  isObjectType,
  OperationTypeNode,
  type ValidatedExecutionArgs,
} from 'graphql';
import { buildResolveInfo } from 'graphql/execution/buildResolveInfo.js';
import type { FieldDetailsList } from 'graphql/execution/collectFields.js';
import type { MaybePromise } from '../../tools/maybe-promise.ts';
import { mechanisms } from '../../tools/speed-mechanisms.ts';
import { type ResultLimit, resultLimit } from '../result-limit.ts';
import { AbortableExecutor } from './abortable-executor.ts';
import { type Data, LimitedExecutor, type Path } from './limited-executor.ts';
import { type FieldPlan, type OperationPlan, planOf, type SelectionPlan } from './plan.ts';

/** Length of a list that is checked before its members are built. */
const longLength = 50;

type Arguments = ReturnType<typeof getArgumentValues>;
type Methods = Record<string, (...values: unknown[]) => unknown>;

const resolverTracing = tracingChannel('graphql:resolve');

/**
 * Replaces `executeRootSelectionSet` of graphql-js: same results, errors and calls. A result above `limit` is not built;
 * `data: null` and one `ResultTooLargeError` are returned instead.
 */
export function executePlanned(
  args: ValidatedExecutionArgs,
  limit: ResultLimit = resultLimit,
): MaybePromise<ExecutionResult> {
  const isPlanned = mechanisms.plannedExecutor && !resolverTracing.hasSubscribers;
  const executor = isPlanned ? new PlannedExecutor(args, limit) : new LimitedExecutor(args, limit);
  return executor.executeRootSelectionSet();
}

class PlannedExecutor extends AbortableExecutor {
  readonly #plan: OperationPlan;
  /** The arguments of each field below the root that has some, which are the same for all members of a list. */
  #arguments: Map<FieldPlan, Arguments> | undefined;

  constructor(args: ValidatedExecutionArgs, limit: ResultLimit) {
    super(args, limit);
    this.#plan = planOf(args);
  }

  protected override executeRoot(): MaybePromise<Data> {
    const { schema, rootValue, operation } = this.validatedExecutionArgs;
    const type = schema.getRootType(operation.operation) as GraphQLObjectType;
    const { selection, grouped } = this.#plan.root(type, this.validatedExecutionArgs);
    return operation.operation === OperationTypeNode.MUTATION
      ? this.executeFieldsSerially(type, rootValue, undefined, grouped, undefined)
      : this.#executeSelection(selection, rootValue, undefined);
  }

  /** The root of a mutation has no prototype in graphql-js: JSON.stringify takes twice as long for all that is below it. */
  override buildResponse(data: Data | null): ExecutionResult {
    return super.buildResponse(data && { ...data });
  }

  override collectAndExecuteSubfields(
    type: GraphQLObjectType,
    details: FieldDetailsList,
    path: Path,
    source: unknown,
  ): MaybePromise<Data> {
    const selection = this.#plan.selection(type, details, this.validatedExecutionArgs);
    return this.#executeSelection(selection, source, path);
  }

  #executeSelection(
    { fields, nameLength, template }: SelectionPlan,
    source: unknown,
    path: Path | undefined,
  ): MaybePromise<Data> {
    this.size.addFields(fields.length, nameLength);
    const data: Data = { ...template };
    let pending: string[] | undefined;
    try {
      for (const field of fields) {
        const value = this.#executeField(field, source, path);
        if (value === undefined) {
          delete data[field.responseName];
          continue;
        }
        data[field.responseName] = value;
        if (value instanceof Promise) {
          pending ??= [];
          pending.push(field.responseName);
        }
      }
    } catch (error) {
      // Handle the rejections of abandoned promises, which would end the process.
      if (pending) this.sharedExecutionContext.asyncWorkTracker.addValues(Object.values(data));
      throw error;
    }
    return pending ? this.#awaitMembers(data, pending) : data;
  }

  #awaitMembers(data: Data, names: readonly string[]): Promise<Data> {
    const members = names.map((name) => data[name] as Promise<unknown>);
    const [first] = members;
    // `Promise.all` takes twice as long for one, in as many steps: the order of errors depends on them.
    const all = first && members.length === 1 ? first.then((value) => [value]) : Promise.all(members);
    return all.then((values) => {
      for (const [index, name] of names.entries()) data[name] = values[index];
      return data;
    });
  }

  /** As inherited, without the look-up of @stream, which a planned operation does not have, in each list. */
  override completeListValue(
    returnType: GraphQLList<GraphQLOutputType>,
    details: FieldDetailsList,
    info: GraphQLResolveInfo,
    path: Path,
    items: unknown,
    position: undefined,
  ): MaybePromise<readonly unknown[]> {
    if (!isPlainArray(items)) {
      return super.completeListValue(returnType, details, info, path, items, position);
    }
    const itemType = returnType.ofType;
    const completed: unknown[] = [];
    let isPending = false;
    let index = 0;
    try {
      this.#requireRoom(items.length, itemType, details);
      for (; index < items.length; index += 1) {
        const itemPath: Path = { prev: path, key: index, typename: undefined };
        const item: unknown = items[index];
        isPending =
          this.completeMaybePromisedListItemValue(
            item,
            completed,
            itemType,
            details,
            info,
            itemPath,
            position,
          ) || isPending;
      }
    } catch (error) {
      // Handle the rejections of abandoned promises, which would end the process.
      this.sharedExecutionContext.asyncWorkTracker.addValues([...completed, ...items.slice(index + 1)]);
      return this.emptied(error, details, info, path);
    }
    return isPending ? Promise.all(completed) : completed;
  }

  /** Refuses a long list of objects before the first one is built. */
  #requireRoom(length: number, itemType: GraphQLOutputType, details: FieldDetailsList): void {
    if (length < longLength || !isNonNullType(itemType) || !isObjectType(itemType.ofType)) return;
    let fields: readonly FieldPlan[];
    try {
      ({ fields } = this.#plan.selection(itemType.ofType, details, this.validatedExecutionArgs));
    } catch {
      // A condition without a value is an error of the first member.
      return;
    }
    this.size.requireRoom(length * (1 + fields.length));
  }

  #executeField(field: FieldPlan, source: unknown, parentPath: Path | undefined): unknown {
    const { parentType, leafType } = field;
    if (field.isTypename) return parentType.name;
    return leafType
      ? this.#executeProperty(field, leafType, source, parentPath)
      : this.#executeResolver(field, source, parentPath);
  }

  /** Reads a property. `info` and a path are created only when its value is not plain. */
  #executeProperty(
    field: FieldPlan,
    leafType: GraphQLLeafType,
    source: unknown,
    parentPath: Path | undefined,
  ): unknown {
    const { definition, details } = field;
    const { name } = definition;
    try {
      const value = hasProperties(source) ? source[name] : undefined;
      if (isPlain(value)) return this.completeLeafValue(leafType, value);
      const isNullable = definition.type === leafType;
      if (isNullable && (value ?? null) === null) return null;
      const path = pathOf(field, parentPath);
      const info = this.#infoOf(field, path);
      if (typeof value !== 'function') return this.#completeField(field, value, path, info);
      // Call a method on its object, as the default resolver of graphql-js does.
      const { contextValue } = this.validatedExecutionArgs;
      const result = (source as Methods)[name]?.(Object.create(null), contextValue, info);
      return this.#completeField(field, result, path, info);
    } catch (error) {
      this.handleFieldError(error, definition.type, details, pathOf(field, parentPath));
      return null;
    }
  }

  #executeResolver(field: FieldPlan, source: unknown, parentPath: Path | undefined): unknown {
    const { definition, details } = field;
    const { contextValue } = this.validatedExecutionArgs;
    const path = pathOf(field, parentPath);
    const info = this.#infoOf(field, path);
    try {
      const args = this.#arguments?.get(field) ?? this.#argumentsOf(field, parentPath);
      const result = (definition.resolve ?? defaultFieldResolver)(source, args, contextValue, info);
      return this.#completeField(field, result, path, info);
    } catch (error) {
      this.handleFieldError(error, definition.type, details, path);
      return null;
    }
  }

  #argumentsOf(field: FieldPlan, parentPath: Path | undefined): Arguments {
    const { variableValues, hideSuggestions } = this.validatedExecutionArgs;
    const { definition, nodes } = field;
    const args = getArgumentValues(definition, nodes[0], variableValues, undefined, hideSuggestions);
    if (definition.args.length === 0 || !parentPath) return args;
    this.#arguments ??= new Map();
    this.#arguments.set(field, args);
    return args;
  }

  #completeField(
    { definition: { type }, details }: FieldPlan,
    result: unknown,
    path: Path,
    info: GraphQLResolveInfo,
  ): unknown {
    if (isPromiseLike(result)) {
      return this.completePromisedValue(type, details, info, path, result, undefined);
    }
    const completed = this.completeValue(type, details, info, path, result, undefined);
    if (!(completed instanceof Promise)) return completed;
    return completed.then(undefined, (error) => {
      this.handleFieldError(error, type, details, path);
      return null;
    });
  }

  #infoOf({ definition, nodes, parentType }: FieldPlan, path: Path): GraphQLResolveInfo {
    return buildResolveInfo(
      this.validatedExecutionArgs,
      definition,
      nodes,
      parentType,
      path,
      this.getAbortSignal,
      this.getAsyncHelpers,
    );
  }
}

function pathOf({ responseName, parentType }: FieldPlan, prev: Path | undefined): Path {
  return { prev, key: responseName, typename: parentType.name };
}

/** Whether the value is an array that is iterated by its indices. */
function isPlainArray(value: unknown): value is unknown[] {
  return Array.isArray(value) && value[Symbol.iterator] === Array.prototype.values;
}

/** Whether properties can be read from the value: also those of a function. */
function hasProperties(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Whether a value is present and is not a function, a promise or an error. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object') return value !== undefined && typeof value !== 'function';
  return value !== null && !(value instanceof Error) && !isPromiseLike(value);
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}
