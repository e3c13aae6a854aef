/** Sends an operation again if the gateway reports that this is safe, and not before `retryAfterMs`. */
import {
  CombinedError,
  type Exchange,
  makeOperation,
  type Operation,
  type OperationResult,
} from '@urql/core';
import { filter, fromPromise, makeSubject, map, merge, mergeMap, pipe, takeUntil } from 'wonka';
import { lostRead } from '../lost-read.ts';
import { afterLost, leavesLostOpen, retryDelayMs } from '../retry-rule.ts';
import { waitToRepeat } from '../wait-to-repeat.ts';
import { givenUp } from './given-up.ts';

export const safeRetryExchange: Exchange =
  ({ forward }) =>
  (operations$) => {
    const again = makeSubject<Operation>();
    const delayed$ = pipe(
      again.source,
      mergeMap((operation) =>
        pipe(
          fromPromise(waitToRepeat(operation.context['retryDelayMs'] as number)),
          map(() => operation),
          takeUntil(givenUp(operations$, operation.key)),
        ),
      ),
    );
    return pipe(
      merge([operations$, delayed$]),
      forward,
      filter((result) => {
        const { operation } = result;
        const number = (operation.context['attempt'] as number | undefined) ?? 1;
        const failedAt = (operation.context['failedAt'] as number | undefined) ?? Date.now();
        const delayMs = retryDelayMs({ ...attemptOf(result), number, sinceMs: Date.now() - failedAt });
        if (delayMs === undefined) return true;
        const lost = result.error?.networkError ? result.error : operation.context['lost'];
        const context = { ...operation.context, attempt: number + 1, failedAt, lost, retryDelayMs: delayMs };
        again.next(makeOperation(operation.kind, operation, context));
        return false;
      }),
      map((result) => {
        if (result.operation.kind === 'query' && result.error?.networkError) lostRead(result.error);
        const lost = result.operation.context['lost'] as CombinedError | undefined;
        if (!lost || !result.error || result.operation.kind !== 'mutation') return result;
        if (leavesLostOpen(attemptOf(result))) return { ...result, error: lost };
        const { networkError, graphQLErrors, response } = result.error;
        if (networkError) return result;
        return {
          ...result,
          error: new CombinedError({ graphQLErrors: [...afterLost(graphQLErrors)], response }),
        };
      }),
    );
  };

function attemptOf({ operation, data, error }: OperationResult) {
  const errors = error?.networkError ? undefined : (error?.graphQLErrors ?? []);
  const { kind, query: document, variables } = operation;
  return { kind, document, variables, data, errors };
}
