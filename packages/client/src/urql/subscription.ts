/** Subscriptions over one WebSocket that carries the caller's credentials. */
import { type Exchange, subscriptionExchange } from '@urql/core';
import type { Socket, SocketSink } from '../socket.ts';

export function socketExchange(socket: Socket): Exchange {
  return subscriptionExchange({
    forwardSubscription: ({ query = '', variables, extensions }) => ({
      subscribe: (sink) => ({
        unsubscribe: socket.subscribe(
          { query, variables, extensions: { ...extensions } },
          sink as SocketSink,
        ),
      }),
    }),
  });
}
