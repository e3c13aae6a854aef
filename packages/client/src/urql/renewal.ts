/** Renews the token when the service refuses it, and sends again once what is safe to repeat. */
import { type Exchange, makeOperation, type Operation } from '@urql/core';
import { filter, fromPromise, fromValue, makeSubject, map, merge, mergeMap, pipe, takeUntil } from 'wonka';
import { isUnauthenticated, mayRepeatRenewed } from '../renewal.ts';
import type { Session } from '../session.ts';
import { givenUp } from './given-up.ts';

/** Adds the session's credentials to each operation over HTTP. Operations that fail during a renewal wait for it. */
export const renewalExchange =
  (session: Session): Exchange =>
  ({ forward }) =>
  (operations$) => {
    const again = makeSubject<Operation>();

    function withCredentials(operation: Operation): Operation {
      if (operation.kind === 'teardown') return operation;
      const headers = { ...fetchOptionsOf(operation).headers, ...session.credentials() };
      const fetchOptions = { ...fetchOptionsOf(operation), headers };
      return makeOperation(operation.kind, operation, { ...operation.context, fetchOptions });
    }

    return pipe(
      merge([operations$, again.source]),
      map(withCredentials),
      forward,
      mergeMap((result) => {
        const { operation, data, error } = result;
        const { kind, key, context } = operation;
        const errors = error?.graphQLErrors ?? [];
        // Subscriptions are renewed with their socket.
        if (kind === 'subscription' || !errors.some(isUnauthenticated)) return fromValue(result);
        if (context['hasRenewed']) session.signOut();
        if (context['hasRenewed'] || !mayRepeatRenewed({ kind, data, errors })) return fromValue(result);
        return pipe(
          fromPromise(session.renewAfter(authorizationOf(operation))),
          takeUntil(givenUp(operations$, key)),
          filter((isRenewed) => {
            if (isRenewed) again.next(makeOperation(kind, operation, { ...context, hasRenewed: true }));
            return !isRenewed;
          }),
          map(() => result),
        );
      }),
    );
  };

function authorizationOf(operation: Operation): string {
  return new Headers(fetchOptionsOf(operation).headers).get('authorization') ?? '';
}

function fetchOptionsOf({ context: { fetchOptions } }: Operation): RequestInit {
  return (typeof fetchOptions === 'function' ? fetchOptions() : fetchOptions) ?? {};
}
