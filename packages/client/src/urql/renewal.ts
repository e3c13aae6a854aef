/** Renews the token when the service refuses it, and sends again once what is safe to repeat. */
import type { CombinedError, Exchange, Operation, OperationResult } from '@urql/core';
import { authExchange } from '@urql/exchange-auth';
import { onPush, pipe } from 'wonka';
import { isUnauthenticated, mayRepeatRenewed } from '../renewal.ts';
import type { Session } from '../session.ts';

/** Adds the session's credentials to each operation over HTTP. Operations that fail during a renewal wait for it. */
export function renewalExchange(session: Session): Exchange {
  const dataOf = new WeakMap<CombinedError, OperationResult['data']>();
  let refused = '';

  const renewing = authExchange(async ({ appendHeaders }) => ({
    addAuthToOperation: (operation) => appendHeaders(operation, session.credentials()),

    didAuthError(error, operation) {
      // Subscriptions are renewed with their socket.
      if (operation.kind === 'subscription' || !error.graphQLErrors.some(isUnauthenticated)) return false;
      if (operation.context['authAttempt']) {
        session.signOut();
        return false;
      }
      refused = authorizationOf(operation);
      const { kind } = operation;
      return mayRepeatRenewed({ kind, data: dataOf.get(error), errors: error.graphQLErrors });
    },

    refreshAuth: async () => void (await session.renewAfter(refused)),
  }));

  // authExchange passes the error alone, without the fields that did not fail.
  const remember = ({ data, error }: OperationResult) => {
    if (error) dataOf.set(error, data);
  };
  return (input) =>
    renewing({ ...input, forward: (operations$) => pipe(input.forward(operations$), onPush(remember)) });
}

function authorizationOf({ context: { fetchOptions } }: Operation): string {
  const { headers } = (typeof fetchOptions === 'function' ? fetchOptions() : fetchOptions) ?? {};
  return new Headers(headers).get('authorization') ?? '';
}
