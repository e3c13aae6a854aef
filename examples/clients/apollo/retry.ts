/** Sends an operation again if the gateway reports that this is safe, and not before `retryAfterMs`. */
import { ApolloLink } from '@apollo/client';
import { catchError, map, mergeMap, type Observable, of, throwError, timer } from 'rxjs';
import { retryDelayMs } from '../shared/retry-rule.ts';

export function createSafeRetryLink(): ApolloLink {
  return new ApolloLink((operation, forward) => {
    const { operationType: kind, query: document, variables } = operation;
    const attempt = (number: number): Observable<ApolloLink.Result> =>
      forward(operation).pipe(
        map((result) => ({ result, lost: undefined })),
        catchError((lost: unknown) => of({ result: undefined, lost })),
        mergeMap(({ result, lost }) => {
          const errors = result && (result.errors ?? []);
          const delayMs = retryDelayMs({ kind, document, variables, data: result?.data, errors, number });
          if (delayMs !== undefined) return timer(delayMs).pipe(mergeMap(() => attempt(number + 1)));
          return result ? of(result) : throwError(() => lost);
        }),
      );
    return attempt(1);
  });
}
