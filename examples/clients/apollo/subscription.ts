/** Subscriptions over one WebSocket with the caller's credentials; all other operations are forwarded to `http`. */
import { ApolloLink } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import type { Client as Socket } from 'graphql-ws';

export function splitSubscriptions(socket: Socket, http: ApolloLink): ApolloLink {
  return ApolloLink.split(
    ({ operationType }) => operationType === 'subscription',
    new GraphQLWsLink(socket),
    http,
  );
}
