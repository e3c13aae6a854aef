/** Apollo Server 5 with its standalone server and @apollo/datasource-rest, as their documentation shows them. */
import { type AugmentedRequest, RESTDataSource } from '@apollo/datasource-rest';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { credentialHeaders } from '../../src/caller.ts';
import { mexicoPath, resolversFor, type Service } from './resolvers.ts';
import { typeDefs } from './schema.ts';
import type { WireValidation } from './shapes.ts';

class DocumentService extends RESTDataSource implements Service<never> {
  override baseURL = process.env['UPSTREAM_URL'] as string;
  readonly #credentials: Record<string, string>;

  constructor(credentials: Record<string, string>) {
    super();
    this.#credentials = credentials;
  }

  override willSendRequest(_path: string, request: AugmentedRequest) {
    Object.assign(request.headers, this.#credentials);
  }

  validation(documentId: string) {
    return this.get<WireValidation>(`${mexicoPath}${documentId}`);
  }

  override async post<T = unknown>(path: string, body: object): Promise<T> {
    return await super.post<T>(path, { body });
  }
}

const server = new ApolloServer({ typeDefs, resolvers: resolversFor<never>() });

await startStandaloneServer(server, {
  context: async ({ req }) => ({
    service: new DocumentService({
      [credentialHeaders.apiKey]: String(req.headers[credentialHeaders.apiKey]),
      authorization: String(req.headers.authorization),
    }),
  }),
  listen: { port: Number(process.env['PORT']), host: '127.0.0.1' },
});
