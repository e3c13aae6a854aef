/** Subscriptions over one WebSocket with the caller's credentials; all other operations are forwarded to `http`. */
import { ApolloLink } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import type { Client } from 'graphql-ws';
import type { Socket } from '../socket.ts';

export function splitSubscriptions(socket: Socket, http: ApolloLink): ApolloLink {
  return ApolloLink.split(
    ({ operationType }) => operationType === 'subscription',
    // It subscribes, and calls nothing else.
    new GraphQLWsLink(socket as Client),
    http,
  );
}
