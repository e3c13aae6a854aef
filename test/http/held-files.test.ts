/** Files that are read into memory as a whole. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { killProcesses, startProcess } from '../support/process.ts';

const query = 'mutation ($f: Upload!) { createFapiao(input: { document: { file: $f } }) { __typename } }';
const operations = JSON.stringify({ query, variables: { f: null } });
const field = (name: string, text: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
const beginning =
  `${field('operations', operations)}${field('map', '{"0":["variables.f"]}')}--b\r\n` +
  'content-disposition: form-data; name="0"; filename="a.xml"\r\ncontent-type: application/xml\r\n\r\n';

/** Starts an upload whose file does not end. `closed` resolves with all bytes received. */
async function begin(url: string, bytes: string, key: string) {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  let text = '';
  socket.on('error', () => {}).on('data', (chunk) => (text += chunk));
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: a\r\nx-graphql-yoga-csrf: 1\r\nx-api-key: ${key}\r\nauthorization: Bearer a\r\n` +
      `content-type: multipart/form-data; boundary=b\r\ncontent-length: 1048576\r\n\r\n${beginning}${bytes}`,
  );
  return { socket, text: () => text };
}

describe('the file of createFapiao', { timeout: 60_000 }, () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ LOG_LEVEL: 'silent' });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    killProcesses();
  });
  afterAll(() => gateway.close());

  it('is refused when it takes more than 1 minute and 1 s for each 64 KiB', async () => {
    const { socket, text } = await begin(gateway.url, 'x'.repeat(70_000), 'slow');
    const received = async () => {
      const metrics = await (await fetch(new URL('/metrics', gateway.url))).text();
      return Number(/^folio_upload_bytes_total (\d+)/m.exec(metrics)?.[1]);
    };
    while ((await received()) < 70_000);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 63_000);
    // One byte is enough. While more arrive, the rest is dropped and the response waits.
    socket.write('x');
    while (!text().includes('\r\n\r\n{')) await once(socket, 'data');
    expect(text()).toContain('"code":"BAD_REQUEST"');
    expect(text()).toContain('arrived too slowly');
    socket.destroy();
  });

  it('counts in the budget of request bodies while it arrives', async () => {
    const small = await startProcess({
      NODE_OPTIONS: '--max-old-space-size=64',
      NODE_ENV: 'production',
      UPSTREAM_URL: 'sandbox',
    });
    const uploads = [];
    for (let index = 0; index < 40; index += 1) {
      uploads.push(await begin(small.url, 'x'.repeat(900_000), `key-${index}`));
    }
    while (!uploads.some(({ text }) => text().includes('RATE_LIMITED'))) {
      expect((await fetch(new URL('/health', small.url))).status).toBe(200);
    }
    for (const { socket } of uploads) socket.destroy();
  });
});
