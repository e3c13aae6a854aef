/** How the files of GraphiQL are encoded. */
import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import { startProcess } from '../support/process.ts';
import { headOf, openConnection } from '../support/raw-http.ts';

/** The gateway may hold less of unread results than one file of the page has. */
const gateway = forFile(await startTestGateway({}, { memory: { results: 1024 * 1024 } }));

it.each([{}, { 'accept-encoding': 'gzip' }])(
  'the page of GraphiQL is sent in the encoding that a client accepts: %o',
  async (headers) => {
    // Unlike `fetch`, this adds no `accept-encoding`.
    const asked = get(gateway.url, { headers: { accept: 'text/html', ...headers } });
    const [response] = await once(asked, 'response');
    const policy = expect.stringMatching(/^default-src 'none'; script-src 'self';/);
    expect(response.headers).toMatchObject({
      vary: 'accept, accept-encoding',
      'content-security-policy': policy,
    });
    const isCompressed = response.headers['content-encoding'] === 'gzip';
    expect(isCompressed).toBe('accept-encoding' in headers);
    const sent = await buffer(response);
    expect(String(isCompressed ? gunzipSync(sent) : sent)).toContain('<!doctype html>');
  },
);

it('a file of GraphiQL is compressed when a client first requests it', async () => {
  let compressed = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'ZLIB') compressed += 1;
    },
  }).enable();
  onTestFinished(() => void hook.disable());
  for (const file of ['workers.js', 'upload.js', 'upload.js']) {
    const asked = get(new URL(`/graphiql/${file}`, gateway.url), { headers: { 'accept-encoding': 'gzip' } });
    const [response] = await once(asked, 'response');
    await buffer(response);
    expect(response.headers['content-encoding']).toBe('gzip');
  }
  expect(compressed).toBe(2);
});

describe('a file of GraphiQL', () => {
  const file = new URL('/graphiql/boot.js', gateway.url);

  it('is not sent again to a browser that has it', async () => {
    for (const url of [file, gateway.url]) {
      const ask = (headers = {}) => fetch(url, { headers: { accept: 'text/html', ...headers } });
      const etag = (await ask()).headers.get('etag') as string;
      for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`])
        expect((await ask({ 'if-none-match': known })).status).toBe(304);
      for (const known of ['"other"', 'W/"other", "another"'])
        expect((await ask({ 'if-none-match': known })).status).toBe(200);
    }
  });

  it('has the same head for HEAD, and other methods get 405', async () => {
    const response = await fetch(file, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    const refused = await fetch(file, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

it('the largest file takes and counts the memory of one copy, however many clients that accept no gzip do not read it', async () => {
  const file = new URL('/graphiql/graphiql.js', gateway.url);
  const first = await fetch(file, { headers: { 'accept-encoding': 'identity' } });
  const { byteLength } = await first.arrayBuffer();
  const before = process.memoryUsage().arrayBuffers;
  const readers = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const asked = get(file);
      const [response] = await once(asked, 'response');
      response.on('error', () => {});
      return response as IncomingMessage;
    }),
  );
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * byteLength);
  for (const reader of readers) expect(await buffer(reader)).toHaveLength(byteLength);
});

describe('clients that request files of GraphiQL at the same time, with a heap of 64 MB,', async () => {
  const small = forFile(await startProcess({ NODE_OPTIONS: '--max-old-space-size=64', LOG_LEVEL: 'error' }));

  /** The status of each response. The requests arrive at the same time. */
  async function statuses(count: number, head: string): Promise<number[]> {
    const clients = await Promise.all(
      Array.from({ length: count }, async () => forTest(await openConnection(small.url, head.slice(0, -1)))),
    );
    for (const { socket } of clients) socket.write('\n');
    await Promise.all(clients.map(({ until }) => until(/^HTTP.1.1 \d+ /)));
    return clients.map(({ text }) => Number(text().slice(9, 12)));
  }

  it('are refused beyond the part of the heap that those have which wait', async () => {
    const ended = await statuses(200, headOf('HEAD /graphiql/graphiql.js'));
    expect(new Set(ended)).toEqual(new Set([200, 503]));
    expect(await small.health()).toBe(200);
  });
});
