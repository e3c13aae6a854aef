/** Queries and mutations of urql, sent like those of all other clients: safe retries, renewal, and files. */
import {
  type Exchange,
  type ExecutionResult,
  getOperationName,
  makeErrorResult,
  makeResult,
  type Operation,
  type OperationResult,
} from '@urql/core';
import { filter, make, merge, mergeMap, pipe, type Source, takeUntil } from 'wonka';
import type { HashOf } from '../persisted.ts';
import { createSend, operationOf } from '../request.ts';
import type { Session } from '../session.ts';

export function sendExchange(gatewayUrl: string, session: Session, hashOf: HashOf): Exchange {
  const send = createSend(gatewayUrl, session);
  return ({ forward }) =>
    (operations$) => {
      /** Emits when nobody waits for the operation any more. */
      const givenUp = ({ key }: Operation) =>
        pipe(
          operations$,
          filter((operation) => operation.kind === 'teardown' && operation.key === key),
        );
      const results$ = pipe(
        operations$,
        filter(isSent),
        mergeMap((operation) => pipe(resultOf(operation), takeUntil(givenUp(operation)))),
      );
      const others$ = pipe(
        operations$,
        filter((operation) => !isSent(operation)),
        forward,
      );
      return merge([results$, others$]);
    };

  function resultOf(operation: Operation): Source<OperationResult> {
    const { kind, query: document, variables, context } = operation;
    const { url, fetch } = context;
    const fetchOptions =
      typeof context.fetchOptions === 'function' ? context.fetchOptions() : context.fetchOptions;
    return make(({ next, complete }) => {
      const cancel = new AbortController();
      const body = { ...operationOf(document, hashOf), operationName: getOperationName(document) };
      send({ kind, document, body }, variables, {
        url,
        fetch,
        fetchOptions,
        signal: cancel.signal,
      })
        .then(({ errors, response, ...result }) =>
          makeResult(
            operation,
            { ...result, ...(errors.length > 0 && { errors }) } as ExecutionResult,
            response,
          ),
        )
        .catch((error: Error) => makeErrorResult(operation, error, responseOf(error)))
        .then((result) => {
          next(result);
          complete();
        });
      return () => cancel.abort();
    });
  }
}

/** Of an error that says that a response is not of GraphQL. */
function responseOf({ cause }: Error): Response | undefined {
  return cause instanceof Response ? cause : undefined;
}

function isSent({ kind }: Operation): boolean {
  return kind === 'query' || kind === 'mutation';
}
