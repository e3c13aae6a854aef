/** Large responses of the service that are read at the same time. */
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { credentialHeaders } from '../../src/caller.ts';
import { bob, type GraphQLResponse, withKey } from '../support/gateway.ts';
import { forFile, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { smallHeap, startProcess } from '../support/process.ts';
import * as does from '../support/service.ts';

const service = await serviceForFile();
/** What waits for a response that never ends does not get its own within a test. */
const noDeadline = { UPSTREAM_READ_DEADLINE_MS: '300000' };
const environment = { ...smallHeap, ...noDeadline, UPSTREAM_URL: service.url, METRICS_PORT: '0' };
const gateway = forFile(await startProcess(environment));

const MiB = 1024 * 1024;

/** Reads whose responses do not end within a test, and these responses. */
const hanging: Promise<GraphQLResponse>[] = [];
const unfinished: ServerResponse[] = [];
// Responses that were cut could open the circuit breaker for the next test.
afterEach(async () => {
  service.will(does.json(200, { status: 'queued' }));
  for (const response of unfinished.splice(0)) response.end('{"status":"queued"}');
  await Promise.all(hanging.splice(0));
});

/** Sends the beginning of a response, so many MiB, and no more until the test has ended. */
function begin(response: ServerResponse, mebibytes: number, onSent?: () => void): void {
  unfinished.push(response);
  response.write(Buffer.alloc(mebibytes * MiB, ' '), onSent);
}

const tokenOf = (name: string) => ({ ...withKey(name), authorization: 'Bearer token' });

/** The text of an export of so many bytes. */
const anExport = (bytes: number) => ({ exportDocumentByDocIds: { data: 'x'.repeat(bytes), message: '' } });
const exportDocuments = 'mutation { exportDocuments(input: {}) { __typename } }';
const exported = { exportDocuments: { __typename: 'ExportResult' } };

it.each<[string, Record<string, string>, (text: string) => string | Buffer]>([
  ['', {}, (text) => text],
  [' in gzip', { 'content-encoding': 'gzip' }, gzipSync],
  [' in brotli', { 'content-encoding': 'br' }, brotliCompressSync],
])(
  'large exports%s of eight callers wait for each other beyond the bound, and none is dropped',
  async (_encoding, headers, encoded) => {
    const body = encoded(JSON.stringify(anExport(12 * MiB)));
    service.will(does.text(200, body, { 'content-type': 'application/json', ...headers }));
    const results = Array.from({ length: 8 }, async (_, index) => {
      const { data } = await gateway.ask(exportDocuments, {}, tokenOf(`key-${index}`));
      return { data, external: await metricOf(gateway.metrics, 'nodejs_external_memory_bytes') };
    });
    for (const { data, external } of await Promise.all(results)) {
      expect(data).toEqual(exported);
      expect(external).toBeLessThan(200 * MiB);
    }
  },
);

it.each([
  ['one accepted caller', () => 'slow'],
  ['invented callers', (id: number) => `slow-${id}`],
])(
  'large responses of %s that never end delay exports of others by seconds, and none of these is dropped',
  async (_name, keyOf) => {
    let slowResponses = 0;
    service.will((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      if (request.method === 'GET') begin(response, 6, () => (slowResponses += 1));
      else
        response.end(
          JSON.stringify(anExport(request.headers[credentialHeaders.apiKey] === 'slow' ? 1 : 12 * MiB)),
        );
    });
    const ask = (name: string, query = exportDocuments) => gateway.ask(query, {}, tokenOf(name));
    for (const name of ['slow', 'one', 'two']) expect((await ask(name)).data).toEqual(exported);
    for (let id = 0; id < 10; id += 1)
      hanging.push(ask(keyOf(id), `{ malaysiaStatus(documentId: "${id}") { state } }`));
    // Those that wait are not read to their end.
    await expect.poll(() => slowResponses).toBeGreaterThan(2);
    for (const result of await Promise.all(['one', 'two', 'one', 'two'].map((name) => ask(name))))
      expect(result.data).toEqual(exported);
  },
);

it('large responses of ten accepted callers that never end keep no response of 300 KiB from its caller, however often it is read', async () => {
  const medium = `${' '.repeat(300 * 1024)}{"status":"queued"}`;
  let slowResponses = 0;
  service.will((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.method !== 'GET') response.end(JSON.stringify(anExport(1)));
    else if (request.headers[credentialHeaders.apiKey] === 'one') response.end(medium);
    else begin(response, 8, () => (slowResponses += 1));
  });
  const read = (name: string, id: number) =>
    gateway.ask(`{ malaysiaStatus(documentId: "${id}") { state } }`, {}, tokenOf(name));
  const names = Array.from({ length: 10 }, (_, id) => `busy-${id}`);
  for (const name of [...names, 'one'])
    expect((await gateway.ask(exportDocuments, {}, tokenOf(name))).data).toEqual(exported);
  for (const [id, name] of names.entries()) for (const each of [id, 10 + id]) hanging.push(read(name, each));
  await expect.poll(() => slowResponses).toBeGreaterThan(2);
  for (let id = 20; id < 24; id += 1)
    expect((await read('one', id)).data).toEqual({ malaysiaStatus: { state: 'QUEUED' } });
});

it('a caller who reads many large responses gets RATE_LIMITED for some, and others are served', async () => {
  service.will((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.headers[credentialHeaders.apiKey] === bob[credentialHeaders.apiKey])
      response.end('{"status":"queued"}');
    else begin(response, 30);
  });
  const read = (id: number, headers?: Record<string, string>) =>
    gateway.ask(`{ malaysiaStatus(documentId: "${id}") { state } }`, {}, headers);
  hanging.push(read(1), read(2));
  const { errors } = await Promise.race(hanging);
  expect(errors?.[0]?.extensions).toMatchObject({
    ...{ code: 'RATE_LIMITED', bound: 'responses-owner', sideEffect: 'NONE', retryable: true },
    retryAfterMs: 1_000,
  });
  expect((await read(4, bob)).data).toEqual({ malaysiaStatus: { state: 'QUEUED' } });
});
