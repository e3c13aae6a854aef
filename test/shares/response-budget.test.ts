/** Large responses of the service that are read at the same time. */
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, expect, it, vi } from 'vitest';
import { credentialHeaders } from '../../src/caller.ts';
import { bob, type GraphQLResponse, startTestGateway, withKey } from '../support/gateway.ts';
import { forFile, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import * as does from '../support/service.ts';

const KiB = 1024;
/** Most of one response, half of what all may hold. */
const largest = 4 * 1024 * KiB;

const service = await serviceForFile();
const gateway = forFile(
  await startTestGateway(
    // What waits for a response that never ends does not get its own within a test.
    { UPSTREAM_URL: service.url, UPSTREAM_READ_DEADLINE_MS: '300000' },
    { upstream: { maxResponseBytes: largest }, memory: { responses: 2 * largest } },
  ),
);
/** Stops while this process does not run: on a busy machine the turn of a response would be over before more of it can come. */
let passedMs = performance.now();
const clock = setInterval(() => (passedMs += 20), 20);
const now = vi.spyOn(performance, 'now').mockImplementation(() => passedMs);
forFile({
  close() {
    clearInterval(clock);
    now.mockRestore();
  },
});

/** How much of what all may hold is held. */
const used = () => metricOf(gateway.metrics, 'folio_bound_used_ratio{bound="responses"}');

/** Reads whose responses do not end within a test, and these responses. */
const hanging: Promise<GraphQLResponse>[] = [];
const unfinished: ServerResponse[] = [];
// Responses that were cut could open the circuit breaker for the next test.
afterEach(async () => {
  service.will(does.json(200, { status: 'queued' }));
  for (const response of unfinished.splice(0)) response.end('{"status":"queued"}');
  await Promise.all(hanging.splice(0));
});

/** Sends the beginning of a response, so many bytes, and no more until the test has ended. */
function begin(response: ServerResponse, bytes: number): void {
  unfinished.push(response);
  response.write(Buffer.alloc(bytes, ' '));
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
  'exports%s of nearly the largest size of eight callers wait for each other beyond the bound, and none is dropped',
  async (_encoding, headers, encoded) => {
    // The first 128 KiB of each are read at once, and are a large part of this small bound.
    const body = encoded(JSON.stringify(anExport(3_328 * KiB)));
    service.will(does.text(200, body, { 'content-type': 'application/json', ...headers }));
    const ask = (_: unknown, index: number) => gateway.ask(exportDocuments, {}, tokenOf(`key-${index}`));
    const results = await Promise.all(Array.from({ length: 8 }, ask));
    expect(results.map(({ data }) => data)).toEqual(Array(8).fill(exported));
  },
);

it.each([
  ['one accepted caller', () => 'slow'],
  ['invented callers', (id: number) => `slow-${id}`],
])(
  'large responses of %s that never end delay exports of others by seconds, and none of these is dropped',
  async (_name, keyOf) => {
    service.will((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const isSlow = request.headers[credentialHeaders.apiKey] === 'slow';
      if (request.method === 'GET') begin(response, 768 * KiB);
      else response.end(JSON.stringify(anExport(isSlow ? 1 : 1_536 * KiB)));
    });
    const ask = (name: string, query = exportDocuments) => gateway.ask(query, {}, tokenOf(name));
    for (const name of ['slow', 'one', 'two']) expect((await ask(name)).data).toEqual(exported);
    for (let id = 0; id < 10; id += 1)
      hanging.push(ask(keyOf(id), `{ malaysiaStatus(documentId: "${id}") { state } }`));
    // Those that wait are not read to their end.
    await expect.poll(used).toBeGreaterThan(0.4);
    for (const result of await Promise.all(['one', 'two', 'one', 'two'].map((name) => ask(name))))
      expect(result.data).toEqual(exported);
  },
);

it('large responses of ten accepted callers that never end keep no smaller response from its caller, however often it is read', async () => {
  const smaller = `${' '.repeat(150 * KiB)}{"status":"queued"}`;
  service.will((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.method !== 'GET') response.end(JSON.stringify(anExport(1)));
    else if (request.headers[credentialHeaders.apiKey] === 'one') response.end(smaller);
    else begin(response, 1_024 * KiB);
  });
  const read = (name: string, id: number) =>
    gateway.ask(`{ malaysiaStatus(documentId: "${id}") { state } }`, {}, tokenOf(name));
  const names = Array.from({ length: 10 }, (_, id) => `busy-${id}`);
  for (const name of [...names, 'one'])
    expect((await gateway.ask(exportDocuments, {}, tokenOf(name))).data).toEqual(exported);
  for (const [id, name] of names.entries()) for (const each of [id, 10 + id]) hanging.push(read(name, each));
  await expect.poll(used).toBeGreaterThan(0.4);
  for (let id = 20; id < 24; id += 1)
    expect((await read('one', id)).data).toEqual({ malaysiaStatus: { state: 'QUEUED' } });
});

it('a caller who reads many large responses gets RATE_LIMITED for some, and others are served', async () => {
  service.will((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.headers[credentialHeaders.apiKey] === bob[credentialHeaders.apiKey])
      response.end('{"status":"queued"}');
    else begin(response, largest - 64 * KiB);
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
