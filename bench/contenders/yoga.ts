/** GraphQL Yoga as its documentation shows it: `createSchema`, `createYoga`, `fetch` in the resolvers. */
import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { credentialHeaders } from '../../src/caller.ts';
import { mexicoPath, resolversFor, type Service } from './resolvers.ts';
import { typeDefs } from './schema.ts';

const base = process.env['UPSTREAM_URL'] as string;

function serviceFor(request: Request): Service<File> {
  const credentials = {
    [credentialHeaders.apiKey]: request.headers.get(credentialHeaders.apiKey) ?? '',
    authorization: request.headers.get('authorization') ?? '',
  };
  const readResponse = async (response: Promise<Response>) => (await response).json();
  return {
    validation: (id) => readResponse(fetch(`${base}${mexicoPath}${id}`, { headers: credentials })),
    post: (path, body) =>
      readResponse(
        fetch(`${base}${path}`, {
          method: 'POST',
          headers: { ...credentials, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    scan(file, queueId) {
      const form = new FormData();
      form.set('qid', queueId);
      form.set('handwritten', '[false]');
      form.set('files', file);
      return readResponse(
        fetch(`${base}/v1/documents/scan/nric`, { method: 'POST', headers: credentials, body: form }),
      );
    },
  };
}

const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers: resolversFor<File>() }),
  context: ({ request }) => ({ service: serviceFor(request) }),
});

createServer(yoga).listen(Number(process.env['PORT']), '127.0.0.1');
