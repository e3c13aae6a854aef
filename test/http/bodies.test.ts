/** Bodies of requests and of upstream responses: what they cost while they arrive, and which are refused. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ByteCollector } from '../../src/tools/byte-collector.ts';
import { alice, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { killProcesses, startProcess } from '../support/process.ts';
import * as does from '../support/service.ts';
import { openSocket } from '../support/websocket.ts';

afterEach(killProcesses);

const smallHeap = { NODE_OPTIONS: '--max-old-space-size=64', NODE_ENV: 'production' };

async function connected(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

async function written(socket: Socket, text: string): Promise<void> {
  if (!socket.write(text)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
}

/** The text as HTTP chunks of one byte each. */
function inSingleBytes(text: string): string {
  return [...text].map((byte) => `1\r\n${byte}\r\n`).join('');
}

/** Blanks as HTTP chunks of one byte each, with the time to send them. */
async function writeBlanks(socket: Socket, count: number): Promise<void> {
  const chunks = '1\r\n \r\n'.repeat(10_000);
  for (let sent = 0; sent < count; sent += 10_000) await written(socket, chunks);
}

async function statusOf(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString('latin1').slice(0, 12);
}

const post = 'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';

describe('a body in chunks of one byte', { timeout: 60_000 }, () => {
  it('of 500,000 blanks and an operation is read and executed on a heap of 64 MiB', async () => {
    const gateway = await startProcess({ ...smallHeap, UPSTREAM_URL: 'sandbox' });
    const socket = await connected(gateway.url);
    await written(socket, `${post}transfer-encoding: chunked\r\n\r\n`);
    await writeBlanks(socket, 500_000);
    socket.write(`${inSingleBytes('{"query":"{ __typename }"}')}0\r\n\r\n`);
    expect(await statusOf(socket)).toBe('HTTP/1.1 200');
    expect(gateway.process.exitCode).toBeNull();
    socket.destroy();
  });

  it('of 500,000 blanks and a record is read from the service on a heap of 64 MiB', async () => {
    const record = JSON.stringify({
      documentId: '1',
      uuid: '11111111-2222-4333-8444-555555555555',
      validation_result: 'VALID',
      validatedAt: '2031-04-09T08:30:00.000Z',
      invalid_reason: null,
      steps: {},
    });
    const service = await does.startService((request) => {
      const { socket } = request;
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
      void writeBlanks(socket, 500_000).then(() => socket.write(`${inSingleBytes(record)}0\r\n\r\n`));
    });
    const gateway = await startProcess({ ...smallHeap, UPSTREAM_URL: service.url });
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'a-key', authorization: 'Bearer a' },
      body: JSON.stringify({ query: '{ mexicoValidation(by: { documentId: "1" }) { result } }' }),
    });
    expect(await response.json()).toEqual({ data: { mexicoValidation: { result: 'VALID' } } });
    await service.close();
  });
});

it('a Fapiao file of 400,000 one-byte chunks is read on a heap of 64 MiB', { timeout: 60_000 }, async () => {
  const gateway = await startProcess({ ...smallHeap, UPSTREAM_URL: 'sandbox' });
  const socket = await connected(gateway.url);
  const query =
    'mutation ($f: Upload!) { createFapiao(input: { document: { file: $f } }) { __typename ... on InvalidInput { message } } }';
  const field = (name: string, text: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  const before =
    field('operations', JSON.stringify({ query, variables: { f: null } })) +
    field('map', '{"0":["variables.f"]}') +
    '--b\r\ncontent-disposition: form-data; name="0"; filename="a.xml"\r\n\r\n';
  const headers =
    'POST /graphql HTTP/1.1\r\nhost: a\r\nx-api-key: a-key\r\nauthorization: Bearer a\r\n' +
    'x-graphql-yoga-csrf: 1\r\ncontent-type: multipart/form-data; boundary=b\r\n';
  await written(socket, `${headers}transfer-encoding: chunked\r\n\r\n${inSingleBytes(before)}`);
  await writeBlanks(socket, 400_000);
  socket.write(`${inSingleBytes('\r\n--b--\r\n')}0\r\n\r\n`);
  expect(await statusOf(socket)).toBe('HTTP/1.1 200');
  expect(gateway.process.exitCode).toBeNull();
  socket.destroy();
});

it('a multipart request in chunks of one byte is read', async () => {
  const gateway = await startTestGateway();
  const socket = await connected(gateway.url);
  const part = (name: string, text: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  const body = `${part('operations', '{"query":"{ __typename }"}')}${part('map', '{}')}--b--\r\n`;
  socket.write(
    'POST /graphql HTTP/1.1\r\nhost: a\r\nx-graphql-yoga-csrf: 1\r\ntransfer-encoding: chunked\r\n' +
      `content-type: multipart/form-data; boundary=b\r\n\r\n${inSingleBytes(body)}0\r\n\r\n`,
  );
  expect(await statusOf(socket)).toBe('HTTP/1.1 200');
  socket.destroy();
  await gateway.close();
});

describe('text that is not UTF-8', () => {
  const query = 'mutation ($n: String) { createGroup(input: {name: $n}) { __typename } }';
  const latin1 = Buffer.from(JSON.stringify({ query, variables: { n: 'José S.A.' } }), 'latin1');
  let service: does.TestService;
  let gateway: TestGateway;
  beforeAll(async () => {
    service = await does.startService(does.json(200, { createGroup: { id: 7 } }));
    gateway = await startTestGateway({ UPSTREAM_URL: service.url });
  });
  afterEach(() => {
    expect(service.received).toEqual([]);
  });
  afterAll(async () => {
    await gateway.close();
    await service.close();
  });

  async function refusal(init: RequestInit, search = ''): Promise<[number, string]> {
    const headers = { ...alice, 'x-graphql-yoga-csrf': '1', ...(init.headers as Record<string, string>) };
    const response = await fetch(`${gateway.url}${search}`, { ...init, headers });
    const { errors } = (await response.json()) as any;
    return [response.status, errors?.[0].extensions.code];
  }

  it.each(['application/json', 'application/json; charset="utf-8"'])(
    'is BAD_REQUEST in a body of %s',
    async (type) => {
      const init = { method: 'POST', headers: { 'content-type': type }, body: latin1 };
      expect(await refusal(init)).toEqual([400, 'BAD_REQUEST']);
    },
  );

  it.each(['', 'content-type: text/plain; charset=iso-8859-1\r\n'])(
    'is BAD_REQUEST in the operations of a multipart request: %j',
    async (header) => {
      const part = (name: string, text: string) =>
        `--b\r\ncontent-disposition: form-data; name="${name}"\r\n${header}\r\n${text}\r\n`;
      const operations = part('operations', latin1.toString('latin1'));
      const init = {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        body: Buffer.from(`${operations}${part('map', '{}')}--b--\r\n`, 'latin1'),
      };
      expect(await refusal(init)).toEqual([400, 'BAD_REQUEST']);
    },
  );

  it.each(['%E9', '%C3', '\u00e9'])('is BAD_REQUEST in a query string: %s', async (bytes) => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    const target = `/graphql?query=%7B__typename%7D&variables={"n":"${bytes}"}`;
    socket.write(
      `GET ${target} HTTP/1.1\r\nhost: a\r\napollo-require-preflight: 1\r\nconnection: close\r\n\r\n`,
      'latin1',
    );
    expect(await statusOf(socket)).toBe('HTTP/1.1 400');
  });

  it('is refused in a WebSocket message, text or binary', async () => {
    const message = JSON.stringify({ type: 'subscribe', id: '1', payload: { query, variables: { n: 'é' } } });
    for (const binary of [true, false]) {
      const socket = await openSocket(gateway);
      socket.send({ type: 'connection_init', payload: alice });
      await socket.message();
      socket.raw.send(Buffer.from(message, 'latin1'), { binary });
      expect((await socket.closed()).code).toBe(1007);
    }
  });
});

it('U+FFFD that a caller sends is text like any other', async () => {
  const service = await does.startService(does.json(200, { createGroup: { id: 7 } }));
  const gateway = await startTestGateway({ UPSTREAM_URL: service.url });
  await gateway.ask('mutation { createGroup(input: {name: "\ufffd"}) { __typename } }');
  expect(JSON.parse(String(service.received[0]?.body))).toEqual({ name: '\ufffd' });
  const query = 'query ($id: ID!) { malaysiaStatus(documentId: $id) { state } }';
  const search = new URLSearchParams({ query, variables: '{"id":{"\ufffd":1}}' });
  const response = await fetch(`${gateway.url}?${search}`, { headers: { 'x-graphql-yoga-csrf': '1' } });
  const { errors } = (await response.json()) as any;
  expect(errors[0].message).toContain('{ \ufffd: 1 }');
  await gateway.close();
  await service.close();
});

describe('the collector of bytes', () => {
  it('returns all bytes in order, and holds at most twice as many and 1 KiB', () => {
    const sizes = fc.array(fc.oneof(fc.constant(1), fc.nat(40), fc.nat(5_000), fc.nat(300_000)));
    fc.assert(
      fc.property(sizes, (lengths) => {
        const collector = new ByteCollector();
        const chunks = lengths.map((length, index) => Buffer.alloc(length, index));
        for (const chunk of chunks) {
          collector.push(chunk);
          expect(collector.held).toBeLessThanOrEqual(2 * collector.length + 1_024);
        }
        expect(collector.take().equals(Buffer.concat(chunks))).toBe(true);
      }),
      { seed: 20_310_409, numRuns: 200 },
    );
  });

  it('does not keep the read buffer that a small first chunk is a slice of', () => {
    const collector = new ByteCollector();
    const read = Buffer.alloc(65_536, 'a');
    collector.push(read.subarray(0, 3));
    expect(collector.take().buffer.byteLength).toBeLessThanOrEqual(1_024);
  });
});
