/** How the files of GraphiQL are encoded. */
import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import { startProcess } from '../support/process.ts';
import { headOf, openConnection } from '../support/raw-http.ts';

const gateway = forFile(await startTestGateway());

/** Requests the page. Unlike `fetch`, this adds no `accept-encoding`. */
async function page(headers: Record<string, string>): Promise<IncomingMessage> {
  const [response] = await once(
    get(gateway.url, { headers: { accept: 'text/html', ...headers } }),
    'response',
  );
  return response;
}

describe('the page of GraphiQL', () => {
  it.each<[string, Record<string, string>]>([
    ['names no encoding', {}],
    ['accepts the identity only', { 'accept-encoding': 'identity' }],
    ['accepts Brotli only', { 'accept-encoding': 'br' }],
    ['excludes gzip', { 'accept-encoding': 'gzip;q=0, *' }],
  ])('is sent as text to a client that %s', async (_what, headers) => {
    const response = await page(headers);
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(response.headers.vary).toContain('accept-encoding');
    expect(await text(response)).toContain('<!doctype html>');
  });

  it.each(['gzip', 'GZIP;q=0.5, br', 'br, *'])(
    'is compressed for a client that accepts %s',
    async (encoding) => {
      const response = await page({ 'accept-encoding': encoding });
      expect(response.headers['content-encoding']).toBe('gzip');
      const policy = /^default-src 'none'; script-src 'self';/;
      expect(response.headers['content-security-policy']).toMatch(policy);
      response.resume();
    },
  );
});

it.each([
  ['text/html', 'text/html'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
  ['application/json, text/html;q=0.1', 'application/json'],
  ['application/graphql-response+json, text/html;q=0', 'application/graphql-response+json'],
])('a GET request for an operation with `accept: %s` gets %s', async (accept, type) => {
  const headers = { accept, 'x-graphql-yoga-csrf': '1' };
  const response = await fetch(`${gateway.url}?query={__typename}`, { headers });
  expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
});

it('a file of GraphiQL is compressed when a client first requests it', async () => {
  const { url } = forTest(await startTestGateway());
  let compressed = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'ZLIB') compressed += 1;
    },
  }).enable();
  onTestFinished(() => void hook.disable());
  for (const file of ['page.html', 'boot.js', 'boot.js']) {
    const asked = get(new URL(`/graphiql/${file}`, url), { headers: { 'accept-encoding': 'gzip' } });
    const [response] = await once(asked, 'response');
    await buffer(response);
    expect(response.headers['content-encoding']).toBe('gzip');
  }
  expect(compressed).toBe(2);
});

describe('a file of GraphiQL', () => {
  const file = new URL('/graphiql/graphiql.js', gateway.url);

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

it('the largest file takes the memory of one copy, however many clients that accept no gzip do not read it', async () => {
  const file = new URL('/graphiql/graphiql.js', gateway.url);
  const first = await fetch(file, { headers: { 'accept-encoding': 'identity' } });
  const { byteLength } = await first.arrayBuffer();
  const before = process.memoryUsage().arrayBuffers;
  const readers = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const asked = get(file);
      const [response] = await once(asked, 'response');
      response.on('error', () => {});
      return response as IncomingMessage;
    }),
  );
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * byteLength);
  for (const reader of readers) reader.destroy();
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

  it('are all served', async () => {
    expect(await statuses(60, headOf('GET /graphiql/boot.js'))).toEqual(Array(60).fill(200));
  });

  it('are refused beyond the part of the heap that those have which wait', async () => {
    const ended = await statuses(200, headOf('HEAD /graphiql/graphiql.js'));
    expect(new Set(ended)).toEqual(new Set([200, 503]));
    expect(await small.health()).toBe(200);
  });
});
