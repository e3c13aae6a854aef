/** Bodies in many small chunks: the time and memory that they take from other requests. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { PacedRequest } from '../../src/http/paced-request.ts';
import { killProcesses, startProcess } from '../support/process.ts';

afterEach(killProcesses);

const post = 'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';

async function connected(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

async function listening(
  Request: typeof IncomingMessage,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
) {
  const server = createServer({ IncomingMessage: Request }, onRequest);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}` };
}

it('a turn of the event loop reads at most 64 KiB of a body in chunks of one byte', async () => {
  let chunks = 0;
  class CountedRequest extends PacedRequest {
    override push(chunk: Buffer | null): boolean {
      chunks += 1;
      return super.push(chunk);
    }
  }
  let most = 0;
  let isOver = false;
  const countTurn = () => {
    most = Math.max(most, chunks);
    chunks = 0;
    if (!isOver) setImmediate(countTurn);
  };
  const { server, url } = await listening(CountedRequest, (incoming, response) => {
    incoming.resume().once('end', () => response.end('read'));
  });
  const socket = await connected(url);
  countTurn();
  const body = '1\r\n \r\n'.repeat(100_000);
  socket.write(`${post}connection: close\r\ntransfer-encoding: chunked\r\n\r\n${body}0\r\n\r\n`);
  const text = String((await once(socket, 'data'))[0]);
  isOver = true;
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(most).toBeLessThanOrEqual(65_536 / 6 + 1);
  socket.destroy();
  server.close();
});

it('a turn of the event loop reads 4 MiB of large bodies, and little more of each connection', async () => {
  const requests = Array.from({ length: 20 }, () => new PacedRequest(new Socket()).on('data', () => {}));
  await new Promise(setImmediate);
  let bytes = 0;
  for (const request of requests) {
    for (let isRead = true; isRead && bytes < 100e6; bytes += 65_536)
      isRead = request.push(Buffer.alloc(65_536));
  }
  // Of each body the first 64 KiB, and the 64 KiB with which the bound is exceeded.
  expect(bytes).toBeLessThanOrEqual((64 + 2 * 20) * 65_536);
});

it('20 bodies of 1 MiB that arrive at the same time are all read', async () => {
  const { server, url } = await listening(PacedRequest, (incoming, response) => {
    incoming.resume().once('end', () => response.end('read'));
  });
  const init = { method: 'POST', body: Buffer.alloc(1_024 * 1_024) };
  const responses = await Promise.all(Array.from({ length: 20 }, () => fetch(url, init)));
  for (const response of responses) expect(await response.text()).toBe('read');
  server.close();
});

it('a body arrives as it was sent, whatever its chunks and the pauses of its reader', async () => {
  const { server, url } = await listening(PacedRequest, (incoming, response) => {
    const received: Buffer[] = [];
    const reader = new Writable({
      highWaterMark: 100,
      write(chunk: Buffer, _encoding, done) {
        received.push(chunk);
        if (received.length % 3 === 0) setImmediate(done);
        else done();
      },
    });
    pipeline(incoming, reader).then(() => response.end(Buffer.concat(received)));
  });
  const sizes = fc.array(fc.tuple(fc.constantFrom(1, 7, 40, 1_024, 9_000), fc.constantFrom(1, 20, 1_500)), {
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(sizes, async (groups) => {
      const chunks = groups.flatMap(([size, count], group) =>
        Array.from({ length: size > 40 ? Math.min(count, 20) : count }, (_, index) =>
          Buffer.alloc(size, `${group}.${index};`),
        ),
      );
      const sending = request(url, { method: 'POST', agent: false });
      for (const chunk of chunks) sending.write(chunk);
      sending.end();
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      const received = Buffer.concat(await Array.fromAsync(response));
      expect(received.equals(Buffer.concat(chunks))).toBe(true);
    }),
    { seed: 20_310_409, numRuns: 30 },
  );
  server.close();
});

describe('a request in chunks of one byte that waits for the response to an earlier one', () => {
  it('costs its bytes: eight of them leave a heap of 64 MiB alive', { timeout: 60_000 }, async () => {
    const gateway = await startProcess({
      NODE_ENV: 'production',
      NODE_OPTIONS: '--max-old-space-size=64',
      UPSTREAM_URL: 'sandbox',
    });
    const query = 'subscription { malaysiaStatusChanged(documentId: "7") { state } }';
    const watch = JSON.stringify({ query });
    const watchHeaders = `${post}accept: text/event-stream\r\nx-api-key: a-key\r\nauthorization: Bearer a\r\n`;
    const sockets: Socket[] = [];
    for (let index = 0; index < 8; index += 1) {
      const socket = await connected(gateway.url);
      socket.write(`${watchHeaders}content-length: ${watch.length}\r\n\r\n${watch}`);
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
      socket.write(`${post}transfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(70_000)}`);
      sockets.push(socket);
      expect((await fetch(new URL('/health', gateway.url))).status).toBe(200);
    }
    expect(gateway.process.exitCode).toBeNull();
    for (const socket of sockets) socket.destroy();
  });
});
