/**
 * One operation from its text to its answer: parse, limit, validate, execute, mask. What an operation may
 * do is decided here alone; each transport is an adapter to it.
 */

import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
  type ValidatedExecutionArgs,
  validateExecutionArgs,
  validateSubscriptionArgs,
} from 'graphql';
import type { Caller, Lane } from '../caller.ts';
import type { Config } from '../config/config.ts';
import { badRequest, type ErrorCode, GatewayError } from '../errors.ts';
import type { Context } from '../graphql/context.ts';
import type { AcceptedLanes } from '../state/accepted-lanes.ts';
import { createLaneBudget } from '../state/lane-budget.ts';
import type { RateLimit } from '../state/rate-limit.ts';
import { costOf, maxEstimatedValues, maxRepeatedInput } from './cost.ts';
import { checkSubscriptionTokens, createDocumentCache, refused } from './document-cache.ts';
import { maskError } from './error-masking.ts';
import { executePlanned } from './executor/planned-executor.ts';
import { createHeldDocuments, type Holding } from './held-documents.ts';
import { hashOf, type PersistedOperations } from './persisted-operations.ts';
import type { PreparedOperation } from './prepared.ts';
import { checkedRequest, OperationRefusedError, type OperationRequest } from './request.ts';
import { beginOperation, type ScopeDependencies } from './scope.ts';
import { executeEvent, resultsOf, selectionOf } from './subscription.ts';
import { variableErrors } from './variables.ts';

export interface PrepareOptions {
  /** Refuses mutations: a GET request promises to change nothing. */
  readonly readOnly?: boolean;
}

export interface Pipeline {
  readonly schema: GraphQLSchema;
  /** Throws an `OperationRefusedError`. */
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

export interface PipelineOptions extends ScopeDependencies {
  readonly schema: GraphQLSchema;
  readonly config: Pick<Config, 'introspection' | 'limits' | 'memory'>;
  readonly persistedOperations: PersistedOperations;
  readonly rateLimit: RateLimit;
  readonly acceptedLanes: AcceptedLanes;
}

export function createPipeline(options: PipelineOptions): Pipeline {
  const { schema, config, persistedOperations, rateLimit, acceptedLanes, metrics, log } = options;
  const { introspection, limits, memory } = config;
  const { has: isAccepted } = acceptedLanes;
  const held = createHeldDocuments({ isAccepted, maxBytes: memory.subscriptions });
  const executed = createHeldDocuments({ isAccepted, maxBytes: memory.operationDocuments });
  const inUse = (hash: string) => held.find(hash) ?? executed.find(hash);
  const validDocument = createDocumentCache(schema, introspection, memory.documentCache, inUse);
  const variablesInProgress = createLaneBudget({ maxBytes: memory.operationVariables, isAccepted });

  const mask = (error: unknown, requestId: string) =>
    maskError(error, { requestId, onBug: (bug) => log.error({ err: bug, requestId }, 'unforeseen error') });

  function refusal(error: unknown, requestId: string): OperationRefusedError {
    if (error instanceof OperationRefusedError) return error;
    const status = error instanceof GatewayError ? (error.httpStatus ?? 400) : 500;
    return new OperationRefusedError([mask(error, requestId)], status, false);
  }

  /** The text of the operation that a request names or brings along. */
  function textOf(text: string | undefined, hash: string | undefined, requestId: string): string {
    if (persistedOperations.only && text !== undefined) {
      throw refused([textSent()], 'PERSISTED_QUERY_ONLY', requestId);
    }
    if (text !== undefined) {
      if (hash !== undefined && hash !== hashOf(text)) throw badRequest('The hash is not that of `query`.');
      return text;
    }
    const persisted = persistedOperations.textOf(hash as string);
    if (persisted === undefined) throw refused([notPersisted()], 'PERSISTED_QUERY_NOT_FOUND', requestId);
    return persisted;
  }

  function argumentsOf(
    { document, operation, variables }: PreparedOperation,
    context: Context,
  ): ExecutionArgs {
    return {
      schema,
      document,
      operationName: operation.name?.value,
      variableValues: variables,
      contextValue: context,
      abortSignal: context.caller.signal,
      hideSuggestions: !introspection,
      options: { maxCoercionErrors: 5 },
    };
  }

  /** The operation with its variables coerced, if it does not cost too much; else what is wrong with it. */
  function affordable<Args extends ValidatedExecutionArgs>(
    validated: Args | readonly GraphQLError[],
  ): Args | readonly GraphQLError[] {
    if (!('schema' in validated)) return validated;
    const { calls, values, repeatedInput } = costOf(validated);
    const { maxOperationCost } = limits;
    if (calls > maxOperationCost) {
      return [tooExpensive(`can cause ${calls} calls to the document service`, maxOperationCost)];
    }
    if (values > maxEstimatedValues) {
      return [tooExpensive(`can return ${values} values`, maxEstimatedValues)];
    }
    if (repeatedInput > maxRepeatedInput) {
      const what = 'repeats too many values of its input by using variables several times';
      return [tooExpensive(what, maxRepeatedInput, 'BAD_USER_INPUT')];
    }
    return validated;
  }

  /** Small variables are not counted: their request holds more than they do. Undefined: there is no room. */
  function holdVariables({ variableBytes }: PreparedOperation, lane: Lane): (() => void) | undefined {
    return variableBytes <= smallVariableBytes ? () => {} : variablesInProgress.tryHold(lane, variableBytes);
  }

  return {
    schema,
    mask,

    prepare(request, requestId, { readOnly = false } = {}) {
      try {
        const { text, hash: askedHash, operationName, variables, variableBytes } = checkedRequest(request);
        const valid = validDocument(textOf(text, askedHash, requestId), requestId);
        const operation = getOperationAST(valid.document, operationName);
        if (!operation) throw refused([noOperation(operationName)], 'GRAPHQL_VALIDATION_FAILED', requestId);
        if (readOnly && operation.operation === OperationTypeNode.MUTATION) {
          throw badRequest('A mutation needs a POST request.', 405);
        }
        const manifestName = persistedOperations.nameOf(valid.hash);
        if (operation.operation === OperationTypeNode.SUBSCRIPTION && manifestName === undefined) {
          checkSubscriptionTokens(valid.document, requestId);
        }
        const errors = variableErrors(schema, operation, variables);
        if (errors.length > 0) throw refused(errors, 'BAD_USER_INPUT', requestId);
        return { ...valid, manifestName, operation, variables, variableBytes };
      } catch (error) {
        const refusedOperation = refusal(error, requestId);
        const outcome = [...new Set(refusedOperation.errors.map(({ extensions }) => extensions['code']))];
        log.info({ requestId, outcome }, 'operation refused');
        metrics.operations.inc({ type: 'unknown', operation: 'other', outcome: String(outcome[0]) });
        throw refusedOperation;
      }
    },

    async execute(prepared, caller) {
      const scope = beginOperation(prepared, caller, options);
      const releaseVariables = holdVariables(prepared, caller.lane);
      let releaseDocument = () => {};
      try {
        if (!releaseVariables) throw tooManyVariables();
        if (prepared.bytes > smallDocumentBytes) {
          releaseDocument = executed.hold(holdingOf(prepared, caller));
        }
        await rateLimit.count(caller.lane);
        const args = affordable(validateExecutionArgs(argumentsOf(prepared, scope.context)));
        return scope.mask('schema' in args ? await executePlanned(args) : { errors: args });
      } catch (error) {
        return scope.failedResult(error);
      } finally {
        releaseVariables?.();
        releaseDocument();
        scope.end();
      }
    },

    async subscribe(prepared, caller) {
      const scope = beginOperation(prepared, caller, options);
      let release = () => {};
      const end = (events = 0) => {
        release();
        scope.end(events);
      };
      const ended = (result: ExecutionResult) => {
        end();
        return result;
      };
      try {
        await rateLimit.count(caller.lane);
        // graphql-js starts the event source even if the caller disconnected while the rate limiter waited.
        caller.signal.throwIfAborted();
        const args = affordable(validateSubscriptionArgs(argumentsOf(prepared, scope.context)));
        if (!('schema' in args)) return ended(scope.mask({ errors: args }));
        const { hash, operation } = prepared;
        const variables = JSON.stringify(args.variableValues.coerced);
        release = held.hold(holdingOf(prepared, caller, 2 * variables.length));
        const source = await createSourceEventStream(args);
        if (!(Symbol.asyncIterator in source)) return ended(scope.mask(source));
        const selection = selectionOf(hash, operation.name?.value, variables);
        // The variables as they were sent are not needed any more.
        const eventArgs = { ...args, rawVariableValues: undefined };
        const execute = (event: unknown) => executeEvent(eventArgs, event as object, selection);
        return resultsOf(source, execute, { ...scope, end }, metrics);
      } catch (error) {
        return ended(scope.failedResult(error));
      }
    },
  };
}

/** Variables up to this size are not counted (bytes). */
const smallVariableBytes = 1_024;

function tooManyVariables(): GatewayError {
  return new GatewayError({
    code: 'RATE_LIMITED',
    message: 'The variables of the operations in progress need too much memory; nothing was done.',
    retryable: true,
    retryAfterMs: 1_000,
    httpStatus: 503,
  });
}

/** A query or mutation with a document of at most this size holds more besides, and is not counted. */
const smallDocumentBytes = 16 * 1_024;

function holdingOf(
  { document, hash, bytes, manifestName }: PreparedOperation,
  { lane }: Caller,
  variableBytes = 0,
): Holding {
  return {
    lane,
    document: { document, hash, bytes },
    isPersisted: manifestName !== undefined,
    variableBytes,
  };
}

function textSent(): GraphQLError {
  return new GraphQLError('Only persisted operations are served here: send the hash of one, and no text.');
}

function notPersisted(): GraphQLError {
  return new GraphQLError('There is no persisted operation of this hash.');
}

function noOperation(operationName: string | undefined): GraphQLError {
  return new GraphQLError(
    operationName
      ? `There is no operation named "${operationName}".`
      : 'The document has several operations: say which by `operationName`.',
  );
}

function tooExpensive(
  what: string,
  limit: number,
  code: ErrorCode = 'OPERATION_TOO_EXPENSIVE',
): GraphQLError {
  const message = `The operation ${what}; the limit is ${limit}.`;
  return new GraphQLError(message, { extensions: { code } });
}
