/** Fails for JSON that is not of GraphQL, such as a list of a proxy: `HttpLink` takes it for a success. */
import { ApolloLink } from '@apollo/client';
import { tap } from 'rxjs';
import { readGraphql } from '../graphql-response.ts';

export const graphqlOnly = new ApolloLink((operation, forward) =>
  forward(operation).pipe(tap((result) => void readGraphql(result))),
);
