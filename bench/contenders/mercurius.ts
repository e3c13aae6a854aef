/** Mercurius on Fastify with graphql-jit, an undici Pool and DataLoader: what its documentation recommends for speed. */
import { buffer } from 'node:stream/consumers';
import DataLoader from 'dataloader';
import Fastify, { type FastifyRequest } from 'fastify';
import { GraphQLUpload } from 'graphql-upload-minimal';
import mercurius from 'mercurius';
import { mercuriusUpload } from 'mercurius-upload';
import { Counter, Gauge, Histogram } from 'prom-client';
import { FormData, Pool } from 'undici';
import { credentialHeaders } from '../../src/caller.ts';
import { mexicoPath, resolversFor, type Service } from './resolvers.ts';
import { typeDefs } from './schema.ts';
import type { WireValidation } from './shapes.ts';

const pool = new Pool(process.env['UPSTREAM_URL'] as string, { connections: 128 });

declare module 'mercurius' {
  interface MercuriusContext {
    service: Service<Upload>;
  }
}

type Upload = Promise<{ readonly filename: string; createReadStream(): NodeJS.ReadableStream }>;

function serviceFor({ headers }: FastifyRequest): Service<Upload> {
  const credentials = {
    [credentialHeaders.apiKey]: String(headers[credentialHeaders.apiKey]),
    authorization: String(headers.authorization),
  };
  const validations = new DataLoader<string, WireValidation>((ids) =>
    Promise.all(
      ids.map(async (id) => {
        const path = `${mexicoPath}${id}`;
        const { body } = await pool.request({ method: 'GET', path, headers: credentials });
        return (await body.json()) as WireValidation;
      }),
    ),
  );
  return {
    validation: (documentId) => validations.load(documentId),
    async post(path, content) {
      const { body } = await pool.request({
        method: 'POST',
        path,
        headers: { ...credentials, 'content-type': 'application/json' },
        body: JSON.stringify(content),
      });
      return await body.json();
    },
    async scan(upload, queueId) {
      const { filename, createReadStream } = await upload;
      const form = new FormData();
      form.set('qid', queueId);
      form.set('handwritten', '[false]');
      form.set('files', new File([await buffer(createReadStream())], filename));
      const { body } = await pool.request({
        method: 'POST',
        path: '/v1/documents/scan/nric',
        headers: credentials,
        body: form,
      });
      return await body.json();
    },
  };
}

/** As one runs it in production: a log line for each request, metrics, bounds of depth and body. */
const inProduction = process.env['IN_PRODUCTION'] === '1';

const app = Fastify(inProduction ? { logger: true, bodyLimit: 4 * 1024 * 1024, requestTimeout: 60_000 } : {});
if (inProduction) addMetrics();
await app.register(mercuriusUpload, { maxFileSize: 1024 ** 3 });
await app.register(mercurius, {
  schema: typeDefs,
  resolvers: { ...resolversFor<Upload>(), Upload: GraphQLUpload },
  jit: 1,
  ...(inProduction ? { queryDepth: 12 } : {}),
  context: (request) => ({ service: serviceFor(request) }),
});
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });

function addMetrics(): void {
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({ name: 'http_requests_total', help: 'Requests', labelNames });
  const seconds = new Histogram({ name: 'http_request_seconds', help: 'Duration', labelNames });
  const inFlight = new Gauge({ name: 'http_requests_in_flight', help: 'Requests in flight' });
  app.addHook('onRequest', async () => inFlight.inc());
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const labels = { method, route: routeOptions.url ?? '', status: reply.statusCode };
    inFlight.dec();
    requests.inc(labels);
    seconds.observe(labels, reply.elapsedTime / 1_000);
  });
}
