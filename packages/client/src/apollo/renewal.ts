/** Renews the token when the service refuses it, and sends again once what is safe to repeat. */
import { type ApolloLink, CombinedGraphQLErrors } from '@apollo/client';
import { ErrorLink } from '@apollo/client/link/error';
import { from, mergeMap, of, tap } from 'rxjs';
import { isUnauthenticated, mayRepeatRenewed } from '../renewal.ts';
import type { Session } from '../session.ts';

/** Operations that fail during a renewal wait for it: the session renews once for all of them. */
export function createRenewalLink(session: Session): ApolloLink {
  return new ErrorLink(({ error, result, operation, forward }) => {
    if (!CombinedGraphQLErrors.is(error) || result === undefined) return undefined;
    const { operationType: kind } = operation;
    const data = result.data as Readonly<Record<string, unknown>> | undefined;
    if (!mayRepeatRenewed({ kind, data, errors: error.errors })) return undefined;
    const { headers } = operation.getContext() as { headers: { authorization: string } };
    return from(session.renewAfter(headers.authorization)).pipe(
      mergeMap((isRenewed) => (isRenewed ? forward(operation).pipe(tap(signOutIfRefused)) : of(result))),
    );
  });

  function signOutIfRefused({ errors = [] }: ApolloLink.Result): void {
    if (errors.some(isUnauthenticated)) session.signOut();
  }
}
