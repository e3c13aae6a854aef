/** Requests with many headers, and requests whose bodies do not arrive. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxConnections } from '../../src/http/max-connections.ts';
import { type GatewayProcess, killProcesses, startProcess } from '../support/process.ts';

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startProcess({
    NODE_ENV: 'production',
    NODE_OPTIONS: '--max-old-space-size=64',
    UPSTREAM_URL: 'sandbox',
    MAX_SOCKETS: '1500',
  });
}, 30_000);
afterAll(killProcesses);

interface Connection {
  readonly socket: Socket;
  readonly text: () => string;
  readonly closed: Promise<void>;
}

async function open(bytes = ''): Promise<Connection> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {}).on('data', (chunk) => (text += chunk));
  await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), closed]);
  if (bytes) socket.write(bytes);
  return { socket, text: () => text, closed };
}

const headers = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: 1\r\n`).join('');
const post = (count: number) =>
  `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n${headers(count - 3)}\r\n`;

async function statusOfHealth(): Promise<number> {
  return (await fetch(new URL('/health', gateway.url))).status;
}

describe('requests whose bodies do not arrive', { timeout: 60_000 }, () => {
  it('are ended with RATE_LIMITED when together they exceed the memory budget of bodies', async () => {
    const connections: Connection[] = [];
    for (let index = 0; index < 1_000; index += 1) connections.push(await open(post(100)));
    const isRefused = ({ text }: Connection) => /^HTTP\/1\.1 503 [\s\S]*RATE_LIMITED/.test(text());
    while (!connections.some(isRefused)) expect(await statusOfHealth()).toBe(200);
    const body = '{"query":"{ __typename }"}';
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    expect((await fetch(gateway.url, init)).status).toBe(200);
    for (const { socket } of connections) socket.destroy();
    await Promise.all(connections.map(({ closed }) => closed));
  });
});

describe('operations whose files do not begin', { timeout: 60_000 }, () => {
  it('are ended with RATE_LIMITED when together they exceed the memory budget of bodies', async () => {
    const operations = `{"query":"{ __typename }","variables":{"f":null,"a":[${'{},'.repeat(40_000)}0]}}`;
    const part = `--b\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${operations}\r\n--b\r\n`;
    const upload =
      'POST /graphql HTTP/1.1\r\nhost: a\r\nx-graphql-yoga-csrf: 1\r\ncontent-length: 1000000\r\n' +
      `content-type: multipart/form-data; boundary=b\r\n\r\n${part}content-disposition: form-data; name="map"\r\n\r\n`;
    const connections: Connection[] = [];
    const isRefused = ({ text }: Connection) => /^HTTP\/1\.1 503 [\s\S]*RATE_LIMITED/.test(text());
    for (let index = 0; index < 30; index += 1) {
      connections.push(await open(upload));
      expect(await statusOfHealth()).toBe(200);
    }
    while (!connections.some(isRefused)) expect(await statusOfHealth()).toBe(200);
    for (const { socket } of connections) socket.destroy();
    await Promise.all(connections.map(({ closed }) => closed));
  });
});

describe('a request of 101 headers', () => {
  it('gets 431 with BAD_REQUEST', async () => {
    const { text, closed } = await open(post(101));
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 431 [\s\S]*"code":"BAD_REQUEST"/);
  });

  it('gets 431 as an upgrade request too', async () => {
    const upgrade = 'GET /graphql HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n';
    const { text, closed } = await open(`${upgrade}${headers(98)}\r\n`);
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe('connections', { timeout: 60_000 }, () => {
  it('are at most MAX_SOCKETS and one for each 64 KiB of the heap, or one for each 8 KiB', () => {
    expect(maxConnections(20_000, 256 * 1024 * 1024)).toBe(24_096);
    expect(maxConnections(20_000, 64 * 1024 * 1024)).toBe(8_192);
  });

  it('beyond their bound are closed', async () => {
    const connections: Connection[] = [];
    let closedCount = 0;
    for (let index = 0; index < 4_500; index += 1) {
      const connection = await open();
      void connection.closed.then(() => (closedCount += 1));
      connections.push(connection);
    }
    const deadline = performance.now() + 5_000;
    while (closedCount === 0 && performance.now() < deadline) await new Promise(setImmediate);
    expect(closedCount).toBeGreaterThan(0);
    for (const { socket } of connections) socket.destroy();
  });
});
