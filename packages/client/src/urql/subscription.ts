/** Subscriptions over one WebSocket that carries the caller's credentials. */
import { type Exchange, subscriptionExchange } from '@urql/core';
import type { HashOf } from '../persisted.ts';
import { operationOf } from '../request.ts';
import type { Socket, SocketSink } from '../socket.ts';

export function socketExchange(socket: Socket, hashOf: HashOf): Exchange {
  return subscriptionExchange({
    forwardSubscription: ({ query = '', variables, extensions }, { query: document }) => ({
      subscribe: (sink) => ({
        unsubscribe: socket.subscribe(
          { query, variables, extensions: { ...extensions, ...operationOf(document, hashOf).extensions } },
          sink as SocketSink,
        ),
      }),
    }),
  });
}
