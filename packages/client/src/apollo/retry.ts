/** Sends an operation again if the gateway reports that this is safe, and not before `retryAfterMs`. */
import { ApolloLink } from '@apollo/client';
import { catchError, from, map, mergeMap, type Observable, of, throwError } from 'rxjs';
import { lostRead } from '../lost-read.ts';
import { afterLost, leavesLostOpen, retryDelayMs } from '../retry-rule.ts';
import { waitToRepeat } from '../wait-to-repeat.ts';

export function createSafeRetryLink(): ApolloLink {
  return new ApolloLink((operation, forward) => {
    const { operationType: kind, query: document, variables } = operation;
    let failedAt: number | undefined;
    let lastLost: unknown;
    const attempt = (number: number): Observable<ApolloLink.Result> =>
      forward(operation).pipe(
        map((result) => ({ result, lost: undefined })),
        catchError((lost: unknown) => of({ result: undefined, lost })),
        mergeMap(({ result, lost }) => {
          const { data } = result ?? {};
          const errors = result && (result.errors ?? []);
          failedAt ??= Date.now();
          lastLost = lost ?? lastLost;
          const sinceMs = Date.now() - failedAt;
          const delayMs = retryDelayMs({ kind, document, variables, data, errors, number, sinceMs });
          if (delayMs !== undefined)
            return from(waitToRepeat(delayMs)).pipe(mergeMap(() => attempt(number + 1)));
          const isOpen = lastLost !== undefined && leavesLostOpen({ kind, data, errors });
          if (!result || isOpen) return throwError(() => (kind === 'query' ? lostRead(lastLost) : lastLost));
          const isPart = lastLost !== undefined && kind === 'mutation' && result.errors;
          return of(isPart ? { ...result, errors: afterLost(isPart) } : result);
        }),
      );
    return attempt(1);
  });
}
