/**
 * One operation from its text to its answer: parse, limit, validate, execute, mask. What an operation may
 * do is decided here alone; each transport is an adapter to it.
 */
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  executeRootSelectionSet,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  specifiedRules,
  subscribe,
  type ValidatedExecutionArgs,
  validate,
  validateExecutionArgs,
} from 'graphql';
import { badRequest, type ErrorCode, GatewayError } from '../errors.ts';
import { laneTag } from '../state/lane.ts';
import type { Log } from '../telemetry/log.ts';
import type { Caller, CallSummary } from '../upstream/client.ts';
import type { Context, Services } from './context.ts';
import { costOf } from './cost.ts';
import { checkLimits } from './limits.ts';
import { type MaskContext, maskError } from './mask.ts';

/** What a transport received: nothing in it is trusted. */
export interface OperationRequest {
  readonly query?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
  readonly extensions?: unknown;
}

export interface PreparedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface PrepareOptions {
  /** Refuses mutations: a GET request promises to change nothing. */
  readonly readOnly?: boolean;
}

export interface Pipeline {
  readonly schema: GraphQLSchema;
  /** Throws an `OperationRefused`. */
  prepare(request: OperationRequest, requestId: string, options?: PrepareOptions): PreparedOperation;
  /** For queries and mutations. Never rejects. */
  execute(operation: PreparedOperation, caller: Caller): Promise<ExecutionResult>;
  /** For subscriptions: the events, or the reason why there are none. Never rejects. */
  subscribe(
    operation: PreparedOperation,
    caller: Caller,
  ): Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult>;
  /** Any error as the caller may see it. */
  mask(error: unknown, requestId: string): GraphQLError;
}

/** The operation is not executed: its errors are ready to be sent. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
  readonly errors: readonly GraphQLError[];
  /** The status of the HTTP answer. */
  readonly httpStatus: number;
  /** GraphQL over HTTP: an `application/json` answer to a well-formed body has status 200 all the same. */
  readonly isWellFormed: boolean;

  constructor(errors: readonly GraphQLError[], httpStatus: number, isWellFormed: boolean) {
    super('the operation is refused');
    this.errors = errors;
    this.httpStatus = httpStatus;
    this.isWellFormed = isWellFormed;
  }
}

export interface PipelineOptions {
  readonly schema: GraphQLSchema;
  readonly services: Services;
  readonly log: Log;
}

const maxTokens = 2_000;
const maxErrors = 20;
const maxCachedDocuments = 1_000;
const maxCachedLength = 16_384;

export function createPipeline({ schema, services, log }: PipelineOptions): Pipeline {
  const { introspection, limits } = services.config;
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const validDocuments = new Map<string, DocumentNode>();

  function validDocument(query: string, requestId: string): DocumentNode {
    const known = validDocuments.get(query);
    if (known) return known;
    const document = parsed(query, requestId);
    limited(document, requestId);
    const errors = validate(schema, document, rules, { maxErrors, hideSuggestions: !introspection });
    if (errors.length > 0) throw refused(errors, 'GRAPHQL_VALIDATION_FAILED', requestId);
    if (query.length <= maxCachedLength) {
      if (validDocuments.size >= maxCachedDocuments) {
        // A Map keeps the order of insertion: the first is the oldest.
        for (const oldest of validDocuments.keys()) {
          validDocuments.delete(oldest);
          break;
        }
      }
      validDocuments.set(query, document);
    }
    return document;
  }

  function parsed(query: string, requestId: string): DocumentNode {
    try {
      return parse(query, { maxTokens });
    } catch (error) {
      // graphql-js gives its token limit no code of its own.
      const isTooLong =
        error instanceof GraphQLError && error.message.includes(`more than ${maxTokens} tokens`);
      const code = isTooLong ? 'OPERATION_TOO_EXPENSIVE' : 'GRAPHQL_PARSE_FAILED';
      throw refused([error as GraphQLError], code, requestId);
    }
  }

  function limited(document: DocumentNode, requestId: string): void {
    try {
      checkLimits(document);
    } catch (error) {
      throw refused([error as GraphQLError], 'OPERATION_TOO_EXPENSIVE', requestId);
    }
  }

  /** The operation with its variables coerced, if it does not cost too much; else what is wrong with it. */
  function affordable(args: ExecutionArgs): ValidatedExecutionArgs | readonly GraphQLError[] {
    const validated = validateExecutionArgs(args);
    if (!('schema' in validated)) return validated;
    const cost = costOf(validated);
    return cost <= limits.maxOperationCost ? validated : [tooExpensive(cost, limits.maxOperationCost)];
  }

  function begin({ operation }: PreparedOperation, caller: Caller) {
    const startedAt = performance.now();
    const calls: CallSummary[] = [];
    const recorded: Caller = { ...caller, onCall: (call) => calls.push(call) };
    const context: Context = { services, caller: recorded, upstream: services.upstream.forCaller(recorded) };
    const masking: MaskContext = {
      requestId: caller.requestId,
      operationType: operation.operation,
      hasWritten: () => calls.some(({ kind }) => kind === 'write'),
      onBug: (error) => log.error({ err: error, requestId: caller.requestId }, 'unforeseen error'),
    };
    const codes = new Set<string>();
    return {
      context,
      masked(result: ExecutionResult): ExecutionResult {
        if (!result.errors) return result;
        const errors = result.errors.map((error) => maskError(error, masking));
        for (const { extensions } of errors) codes.add(String(extensions.code));
        return { ...result, errors };
      },
      end(events?: number): void {
        log.info(
          {
            requestId: caller.requestId,
            lane: laneTag(caller.lane),
            operation: operation.operation,
            name: operation.name?.value,
            outcome: codes.size > 0 ? [...codes] : caller.signal.aborted ? 'caller left' : 'ok',
            durationMs: Math.round(performance.now() - startedAt),
            ...(events !== undefined && { events }),
            calls,
          },
          'operation',
        );
      },
    };
  }

  function argumentsOf({ document, operation, variables }: PreparedOperation, context: Context) {
    return {
      schema,
      document,
      operationName: operation.name?.value,
      variableValues: variables,
      contextValue: context,
      abortSignal: context.caller.signal,
      hideSuggestions: !introspection,
    };
  }

  return {
    schema,
    prepare(request, requestId, { readOnly = false } = {}) {
      try {
        const { query, operationName, variables } = checkedRequest(request);
        const document = validDocument(query, requestId);
        const operation = getOperationAST(document, operationName);
        if (!operation) {
          const message = operationName
            ? `There is no operation named "${operationName}".`
            : 'The document has several operations: say which by `operationName`.';
          throw refused([new GraphQLError(message)], 'GRAPHQL_VALIDATION_FAILED', requestId);
        }
        if (readOnly && operation.operation === OperationTypeNode.MUTATION) {
          throw badRequest('A mutation needs a POST request.', 405);
        }
        return { document, operation, variables };
      } catch (error) {
        if (error instanceof OperationRefused) throw error;
        const status = error instanceof GatewayError ? (error.httpStatus ?? 400) : 500;
        throw new OperationRefused([maskError(error, { requestId })], status, false);
      }
    },

    async execute(operation, caller) {
      const run = begin(operation, caller);
      try {
        await services.rateLimit.count(caller.lane);
        const args = affordable(argumentsOf(operation, run.context));
        return run.masked('schema' in args ? await executeRootSelectionSet(args) : { errors: args });
      } catch (error) {
        return run.masked({ errors: [asGraphQLError(error)] });
      } finally {
        run.end();
      }
    },

    async subscribe(operation, caller) {
      const run = begin(operation, caller);
      try {
        await services.rateLimit.count(caller.lane);
        const args = argumentsOf(operation, run.context);
        const affordableArgs = affordable(args);
        const events = 'schema' in affordableArgs ? await subscribe(args) : { errors: affordableArgs };
        if (Symbol.asyncIterator in events) return eventsOf(events, run);
        run.end(0);
        return run.masked(events);
      } catch (error) {
        run.end(0);
        return run.masked({ errors: [asGraphQLError(error)] });
      }
    },

    mask: (error, requestId) =>
      maskError(error, { requestId, onBug: (bug) => log.error({ err: bug, requestId }, 'unforeseen error') }),
  };
}

interface Run {
  masked(result: ExecutionResult): ExecutionResult;
  end(events: number): void;
}

/**
 * The events with masked errors. An iterator of its own and no generator: `return` must reach the source at
 * once, also while it waits for the next event.
 */
function eventsOf(
  source: AsyncIterable<ExecutionResult>,
  run: Run,
): AsyncGenerator<ExecutionResult, void, void> {
  const iterator = source[Symbol.asyncIterator]();
  let events = 0;
  let ended = false;
  const end = () => {
    if (!ended) run.end(events);
    ended = true;
  };
  const stop = async (): Promise<IteratorResult<ExecutionResult, void>> => {
    end();
    await iterator.return?.();
    return { done: true, value: undefined };
  };
  return {
    async next() {
      try {
        const { done, value } = await iterator.next();
        if (!done) {
          events += 1;
          return { done: false, value: run.masked(value) };
        }
      } catch (error) {
        if (ended) return { done: true, value: undefined };
        const value = run.masked({ errors: [asGraphQLError(error)] });
        await stop();
        return { done: false, value };
      }
      end();
      return { done: true, value: undefined };
    },
    return: stop,
    throw: stop,
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

function tooExpensive(cost: number, limit: number): GraphQLError {
  const message = `The operation can cause ${cost} calls to the document service; the limit is ${limit}.`;
  return new GraphQLError(message, { extensions: { code: 'OPERATION_TOO_EXPENSIVE' satisfies ErrorCode } });
}

function asGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  return new GraphQLError('unforeseen', {
    originalError: error instanceof Error ? error : new Error(String(error)),
  });
}

function checkedRequest({ query, operationName, variables, extensions }: OperationRequest) {
  if (typeof query !== 'string' || query === '')
    throw badRequest('`query` must be the text of an operation.');
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw badRequest('`operationName` must be a text.');
  }
  if (!isOptionalObject(variables)) throw badRequest('`variables` must be an object.');
  if (!isOptionalObject(extensions)) throw badRequest('`extensions` must be an object.');
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} };
}

function isOptionalObject(value: unknown): value is Record<string, unknown> | null | undefined {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
}

function refused(errors: readonly GraphQLError[], code: ErrorCode, requestId: string): OperationRefused {
  const masked = errors.map((error) =>
    maskError(
      new GraphQLError(error.message, {
        nodes: error.nodes,
        source: error.source,
        positions: error.positions,
        extensions: { code },
      }),
      { requestId },
    ),
  );
  return new OperationRefused(masked, 400, code !== 'OPERATION_TOO_EXPENSIVE');
}
