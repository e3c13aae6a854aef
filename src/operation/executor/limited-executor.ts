/** graphql-js' executor with a limit on the size of the result. Executes without a plan while resolvers are traced. */
import {
  type ExecutionResult,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  isListType,
  isNonNullType,
  OperationTypeNode,
  type ValidatedExecutionArgs,
} from 'graphql';
import type { FieldDetailsList } from 'graphql/execution/collectFields.js';
import type { SharedExecutionContext } from 'graphql/execution/createSharedExecutionContext.js';
import { ExecutorThrowingOnIncremental } from 'graphql/execution/ExecutorThrowingOnIncremental.js';
import type { Context } from '../../graphql/context.ts';
import { gatewayErrorIn } from '../error-masking.ts';
import { type ResultLimit, ResultSize, ResultTooLargeError } from '../result-limit.ts';

export type Path = GraphQLResolveInfo['path'];
export type Data = Record<string, unknown>;
/** The parameters with which graphql-js executes a selection: its fields are the fourth. */
type Selection = Parameters<ExecutorThrowingOnIncremental['executeFields']>;

/**
 * Stops building above the limit: the result is then `data: null` with the error. What a mutation has done stays visible:
 * only the list, the member of a list or the root field that exceeds the limit is then null, with the error. A list that
 * cannot be null is empty instead.
 */
export class LimitedExecutor extends ExecutorThrowingOnIncremental {
  protected readonly size: ResultSize;

  constructor(args: ValidatedExecutionArgs, limit: ResultLimit, shared?: SharedExecutionContext) {
    super(args, shared);
    const context = args.contextValue as Partial<Pick<Context, 'holdResult' | 'resultSize'>> | undefined;
    this.size = new ResultSize(limit, context?.holdResult);
    if (context) context.resultSize = this.size;
  }

  override executeFields(...selection: Selection): Data | Promise<Data> {
    this.#addFields(selection);
    return super.executeFields(...selection);
  }

  override executeFieldsSerially(...selection: Selection): Data | Promise<Data> {
    this.#addFields(selection);
    return super.executeFieldsSerially(...selection);
  }

  #addFields([, , , fields]: Selection): void {
    let nameLength = 0;
    for (const name of fields.keys()) nameLength += name.length;
    this.size.addFields(fields.size, nameLength);
  }

  override completeMaybePromisedListItemValue(
    item: unknown,
    completed: unknown[],
    itemType: GraphQLOutputType,
    details: FieldDetailsList,
    info: GraphQLResolveInfo,
    path: Path,
    position: undefined,
  ): boolean {
    this.size.addFields(1, 0);
    return super.completeMaybePromisedListItemValue(item, completed, itemType, details, info, path, position);
  }

  override completeListValue(
    ...list: Parameters<ExecutorThrowingOnIncremental['completeListValue']>
  ): readonly unknown[] | Promise<readonly unknown[]> {
    try {
      return super.completeListValue(...list);
    } catch (error) {
      const [, details, info, path] = list;
      return this.emptied(error, details, info, path);
    }
  }

  /**
   * The empty list in place of a required one of a mutation's result that exceeds the limit: null would take the id of what
   * was made with it. Of a refused input nothing was made. Throws every other error.
   */
  protected emptied(
    error: unknown,
    details: FieldDetailsList,
    { returnType }: GraphQLResolveInfo,
    path: Path,
  ): readonly unknown[] {
    const list = isNonNullType(returnType) ? returnType.ofType : undefined;
    const isInResult = path.prev !== undefined && !isOfRefusal(path);
    if (!(error instanceof ResultTooLargeError) || !isListType(list) || !isInResult) throw error;
    this.handleFieldError(error, list, details, path);
    return [];
  }

  override completeLeafValue(type: GraphQLLeafType, value: unknown): unknown {
    const completed = super.completeLeafValue(type, value);
    this.size.addLeaf(completed);
    return completed;
  }

  override handleFieldError(
    error: unknown,
    returnType: GraphQLOutputType,
    details: FieldDetailsList,
    path: Path,
  ): void {
    if (error instanceof ResultTooLargeError) {
      if (path.typename === 'InvalidInput') error.isOfRefusal = true;
      if (!(this.#isPart(returnType, path) && this.size.dropPart())) throw error;
    } else if (error !== undefined && error === this.size.error) throw error;
    let pathLength = 0;
    for (let step: Path | undefined = path; step; step = step.prev) pathLength += String(step.key).length;
    this.size.addError(pathLength, gatewayErrorIn(error)?.upstream?.messages);
    super.handleFieldError(error, returnType, details, path);
  }

  /**
   * Whether a part of a mutation's result may be null without the rest. Another leaf or object may not: null can be its
   * value.
   */
  #isPart(type: GraphQLOutputType, path: Path): boolean {
    if (this.validatedExecutionArgs.operation.operation !== OperationTypeNode.MUTATION) return false;
    const isWhole = isListType(type) || typeof path.key === 'number' || path.prev === undefined;
    return isWhole && !isNonNullType(type);
  }

  override buildResponse(data: Data | null): ExecutionResult {
    const response = super.buildResponse(data);
    const { error } = this.size;
    if (!error) return response;
    if (error instanceof ResultTooLargeError) error.isOfRefusal = false;
    return { errors: [new GraphQLError(error.message, { originalError: error })], data: null };
  }
}

/** Whether the path is in an `InvalidInput`, or in one of its problems. */
function isOfRefusal(path: Path | undefined): boolean {
  return path !== undefined && (path.typename === 'InvalidInput' || isOfRefusal(path.prev));
}
