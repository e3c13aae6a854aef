/** Large responses of the service that are read at the same time. turn-taking-budget.isolated.test.ts has whose turn it is. */
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import { credentialHeaders } from '../../src/caller.ts';
import { bob, startTestGateway, withKey } from '../support/gateway.ts';
import { forFile, serviceForFile } from '../support/lifetimes.ts';
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

it.each<[string, Record<string, string>, (text: string) => string | Buffer]>([
  ['', {}, (text) => text],
  [' in gzip', { 'content-encoding': 'gzip' }, gzipSync],
  [' in brotli', { 'content-encoding': 'br' }, brotliCompressSync],
])(
  'exports%s of nearly the largest size of eight callers wait for each other beyond the bound, and none is dropped',
  async (_encoding, headers, encoded) => {
    // The first 128 KiB of each are read at once, and are a large part of this small bound.
    const exported = { exportDocumentByDocIds: { data: 'x'.repeat(3_328 * KiB), message: '' } };
    const body = encoded(JSON.stringify(exported));
    service.will(does.text(200, body, { 'content-type': 'application/json', ...headers }));
    const query = 'mutation { exportDocuments(input: {}) { __typename } }';
    const ask = (_: unknown, index: number) =>
      gateway.ask(query, {}, { ...withKey(`key-${index}`), authorization: 'Bearer token' });
    const results = await Promise.all(Array.from({ length: 8 }, ask));
    const data = { exportDocuments: { __typename: 'ExportResult' } };
    expect(results.map(({ data }) => data)).toEqual(Array(8).fill(data));
  },
);

it('a caller who reads many large responses gets RATE_LIMITED for some, and others are served', async () => {
  const unfinished: ServerResponse[] = [];
  service.will((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.headers[credentialHeaders.apiKey] === bob[credentialHeaders.apiKey])
      return response.end('{"status":"queued"}');
    unfinished.push(response);
    return response.write(Buffer.alloc(largest - 64 * KiB, ' '));
  });
  const read = (id: number, headers?: Record<string, string>) =>
    gateway.ask(`{ malaysiaStatus(documentId: "${id}") { state } }`, {}, headers);
  const asked = [read(1), read(2)];
  const { errors } = await Promise.race(asked);
  expect(errors?.[0]?.extensions).toMatchObject({
    ...{ code: 'RATE_LIMITED', bound: 'responses-owner', sideEffect: 'NONE', retryable: true },
    retryAfterMs: 1_000,
  });
  expect((await read(4, bob)).data).toEqual({ malaysiaStatus: { state: 'QUEUED' } });
  for (const response of unfinished) response.end('{"status":"queued"}');
  await Promise.all(asked);
});
