/**
 * Takes one operation from its text to its result: parse, limit, validate, execute, mask. All transports use this
 * pipeline, so that an operation has the same limits over each of them.
 */

import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
  validateExecutionArgs,
  validateSubscriptionArgs,
} from 'graphql';
import type { Caller } from '../caller.ts';
import type { Config } from '../config/config.ts';
import { badRequest } from '../errors.ts';
import type { Context } from '../graphql/context.ts';
import type { RateLimit } from '../shares/rate-limit.ts';
import type { Shares } from '../shares/shares.ts';
import type { EventSource } from '../tools/iterators.ts';
import type { MaybePromise } from '../tools/maybe-promise.ts';
import { boundSuggestions, hidesSuggestions, writeVariablesAsJson } from './coercion.ts';
import { checkedCost } from './cost.ts';
import { createDocumentCache } from './document-cache.ts';
import { maskError } from './error-masking.ts';
import { executePlanned } from './executor/planned-executor.ts';
import { type OperationDependencies, OperationInProgress } from './operation-in-progress.ts';
import { recordRefusal } from './operation-log.ts';
import { createOperationMemory } from './operation-memory.ts';
import { checkRequest, OperationRefusedError, type OperationRequest, refused } from './operation-request.ts';
import type { PersistedOperations } from './persisted/persisted-operations.ts';
import { createSelections } from './shared-events.ts';
import { SubscriptionResults } from './subscription-results.ts';
import { createUsageCounter } from './usage-counter.ts';
import { checkSubscriptionTokens, createDocumentParser, type PreparedOperation } from './valid-document.ts';

export type Pipeline = ReturnType<typeof createPipeline>;

interface PipelineOptions extends Omit<OperationDependencies, 'countUsage'> {
  readonly schema: GraphQLSchema;
  readonly config: Pick<Config, 'introspection' | 'limits' | 'memory' | 'exposesCalls'>;
  readonly persistedOperations: PersistedOperations;
  readonly rateLimit: RateLimit;
  readonly shares: Shares;
}

export function createPipeline(options: PipelineOptions) {
  const { schema, config, persistedOperations, rateLimit, shares, upstream, metrics, log } = options;
  const { introspection, limits, memory } = config;
  boundSuggestions(schema);
  const held = createOperationMemory(shares);
  const parse = createDocumentParser(schema, introspection);
  const validDocument = createDocumentCache(parse, memory.documentCache, held.find);
  const selectionOf = createSelections();

  const countUsage = createUsageCounter(metrics, shares.acceptedLanes, persistedOperations);
  const dependencies = { ...options, countUsage };

  const mask = (error: unknown, requestId: string) =>
    maskError(error, { requestId, onBug: (bug) => log.error({ err: bug, requestId }, 'unforeseen error') });

  /** The masked errors of an operation that does not run. Logs and counts the refusal. */
  function refuse(error: unknown, requestId: string): readonly GraphQLError[] {
    const errors =
      error instanceof OperationRefusedError
        ? error.errors.map((reason) => maskError(reason, { requestId, code: error.code }))
        : [mask(error, requestId)];
    recordRefusal(errors, requestId, options);
    return errors;
  }

  function argumentsOf(
    { document, operation, variables, variableBytes }: PreparedOperation,
    contextValue: Context,
  ): ExecutionArgs {
    return {
      schema,
      document,
      operationName: operation.name?.value,
      variableValues: variables,
      contextValue,
      // graphql-js uses the members of `CancelSignal` only.
      abortSignal: contextValue.caller.signal as AbortSignal,
      hideSuggestions: hidesSuggestions(introspection, variableBytes),
      options: { maxCoercionErrors: 5 },
    };
  }

  return {
    schema,
    mask,
    refuse,

    /**
     * Throws the reason why the operation does not run: pass it to `refuse`. `readOnly`: refuses mutations, because a GET
     * request must change nothing. GraphQL over HTTP requires status 405 whatever the variables are, so they are checked later.
     */
    prepare(request: OperationRequest, requestId: string, { readOnly = false } = {}): PreparedOperation {
      const { text, hash: askedHash, operationName, variables, variableBytes } = checkRequest(request);
      const valid = validDocument(persistedOperations.textOf(text, askedHash));
      const operation = getOperationAST(valid.document, operationName);
      if (!operation) throw refused('GRAPHQL_VALIDATION_FAILED', noOperation(operationName));
      if (readOnly && operation.operation === OperationTypeNode.MUTATION) {
        throw badRequest('A mutation must be sent by POST.', 405);
      }
      const persisted = persistedOperations.find(valid.hash);
      if (text !== undefined) {
        persistedOperations.reportText(valid.hash, persisted, operation.name?.value, requestId);
      }
      if (operation.operation === OperationTypeNode.SUBSCRIPTION && persisted === undefined) {
        checkSubscriptionTokens(valid.document);
      }
      return { ...valid, persisted, operation, variables, variableBytes };
    },

    /** Executes a query or a mutation. Throws and rejects only for a bug. */
    execute(prepared: PreparedOperation, caller: Caller): MaybePromise<ExecutionResult> {
      const operation = new OperationInProgress(prepared, caller, dependencies);
      if (operation.type === OperationTypeNode.QUERY) operation.holdResult = held.resultHolder(operation);
      const run = () => {
        const args = validateExecutionArgs(argumentsOf(prepared, operation));
        if (!('schema' in args)) return { errors: args };
        writeVariablesAsJson(args);
        const { calls } = checkedCost(args, limits);
        // A single call may join one that is in flight, which needs no room.
        if (calls > 1) upstream.requireRoom(caller, calls);
        held.holdFields(calls, operation);
        return executePlanned(args);
      };
      return operation.run(() => {
        held.hold(prepared, operation);
        return rateLimit.count(caller)?.then(run) ?? run();
      });
    },

    /** Starts a subscription. Returns its results, or one result with the errors that prevent it. Never rejects. */
    async subscribe(
      prepared: PreparedOperation,
      caller: Caller,
    ): Promise<SubscriptionResults | ExecutionResult> {
      const operation = new OperationInProgress(prepared, caller, dependencies);
      const ended = (result: ExecutionResult) => {
        operation.end(0);
        return result;
      };
      try {
        await rateLimit.count(caller);
        // graphql-js starts the event source even if the caller disconnected while the rate limiter waited.
        caller.signal.throwIfAborted();
        const args = validateSubscriptionArgs(argumentsOf(prepared, operation));
        if (!('schema' in args)) return ended(operation.mask({ errors: args }));
        // Its calls are polls, which need no room.
        const { calls } = checkedCost(args, limits);
        const variables = JSON.stringify(args.variableValues.coerced);
        held.holdSubscription(prepared, operation, variables, calls);
        const source = await createSourceEventStream(args);
        if (!(Symbol.asyncIterator in source)) return ended(operation.mask(source));
        const selection = selectionOf(args, prepared.hash, variables);
        return new SubscriptionResults(source as EventSource<object>, selection, operation);
      } catch (error) {
        return ended(operation.failedResult(error));
      }
    },
  };
}

function noOperation(operationName: string | undefined): string {
  return operationName
    ? `The document has no operation named "${operationName}".`
    : 'The document has several operations: send the name of one in "operationName".';
}
