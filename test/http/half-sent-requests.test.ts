/** Requests with many headers, and requests whose bodies do not arrive. */
import { expect, it } from 'vitest';
import { memoryBudgets } from '../../src/config/memory-budgets.ts';
import { alice, fapiaoOperation, post, withKey } from '../support/gateway.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { smallHeap, startProcess } from '../support/process.ts';
import { type Connection, form, handshake, headOf, openConnection } from '../support/raw-http.ts';

const small = forFile(await startProcess({ ...smallHeap, UPSTREAM_URL: 'sandbox', METRICS_PORT: '0' }));

const openedAt = performance.now();
/** Its head does not end. */
const unfinished = forFile(await openConnection(small.url, 'GET /health HTTP/1.1\r\nhost: a\r\n'));
const closed = unfinished
  .closed()
  .then((text) => ({ text, seconds: (performance.now() - openedAt) / 1_000 }));

/** As many headers, with `host`. */
const headers = (count: number, own: Record<string, string> = {}) => ({
  ...own,
  ...Object.fromEntries(
    Array.from({ length: count - 1 - Object.keys(own).length }, (_, index) => [`a${index}`, '1']),
  ),
});
const incomplete = { 'content-type': 'application/json', 'content-length': '100' };

/** An upload of an XML file whose end does not arrive. */
function fapiao(bytes: string, apiKey: string): string {
  const head = { ...alice, ...withKey(apiKey), ...form.headers, 'content-length': '1048576' };
  const before = form.beforeFile(fapiaoOperation, { file: null });
  return headOf('POST /graphql', head) + before + form.file(bytes).slice(0, -2);
}

it('files that do not end, and are read as a whole, are ended with RATE_LIMITED when together they exceed their memory budget', async () => {
  const connections: Connection[] = [];
  const isRefused = ({ text }: Connection) => /^HTTP\/1\.1 503 [\s\S]*RATE_LIMITED/.test(text());
  for (let index = 0; index < 40 && !connections.some(isRefused); index += 1) {
    connections.push(await openConnection(small.url, fapiao('x'.repeat(900_000), `key-${index}`)));
    if (index % 10 === 0) expect(await small.health()).toBe(200);
  }
  await expect.poll(() => connections.some(isRefused)).toBe(true);
  expect((await post(small, { query: '{ __typename }' })).status).toBe(200);
  for (const connection of connections) connection.close();
  await Promise.all(connections.map(({ closed }) => closed()));
});

const upload = headOf('POST /graphql', { ...form.headers, 'content-length': '1048576' });
it.each([
  ['its head', headOf('POST /graphql', { ...incomplete, cookie: 'x'.repeat(14_000) })],
  ['the headers of its first part', `${upload}--x\r\ncookie: ${'x'.repeat(14_000)}`],
])('a request counts as a body with 14 kB of %s', async (_what, bytes) => {
  const used = () => metricOf(small.metrics, 'folio_bound_used_ratio{bound="bodies"}');
  await expect.poll(used).toBe(0);
  const connections = await Promise.all(Array.from({ length: 4 }, () => openConnection(small.url, bytes)));
  const counted = async () => (await used()) * memoryBudgets(128 * 1024 * 1024).bodies;
  await expect.poll(counted).toBeGreaterThan(4 * (8 * 1024 + 14_000));
  for (const { close } of connections) close();
});

it('the headers of a part behind a file count as a body while they arrive', async () => {
  const used = () => metricOf(small.metrics, 'folio_bound_used_ratio{bound="bodies"}');
  const files = async () => (await metricOf(small.metrics, 'folio_upload_bytes_total')) || 0;
  const filesBefore = await files();
  await expect.poll(used).toBe(0);
  const parts = `${upload}${form.beforeFile(fapiaoOperation, { file: null })}${form.file('x')}--x\r\n`;
  const connections = await Promise.all(Array.from({ length: 4 }, () => openConnection(small.url, parts)));
  await expect.poll(files).toBe(filesBefore + 4);
  const before = await used();
  for (const { socket } of connections) socket.write(`cookie: ${'x'.repeat(14_000)}`);
  const added = async () => ((await used()) - before) * memoryBudgets(128 * 1024 * 1024).bodies;
  await expect.poll(added).toBeGreaterThan(4 * 14_000);
  for (const { close } of connections) close();
  await expect.poll(used).toBe(0);
});

it('refused requests whose rest does not end are ended when together they exceed the memory budget for bodies', async () => {
  const refused = headOf('POST /graphql', headers(100, { ...incomplete, 'content-type': 'text/plain' }));
  const connections: Connection[] = [];
  for (let index = 0; index < 300; index += 1) connections.push(await openConnection(small.url, refused));
  // A byte now and then, so that none is idle for long.
  const drip = setInterval(() => {
    for (const { socket } of connections) socket.write('x');
  }, 200);
  forTest({ close: () => clearInterval(drip) });
  const dropped = () => small.logged('dropped').filter(({ bound }) => /^bodies/.test(bound)).length;
  await expect.poll(dropped).toBeGreaterThan(100);
  expect((await post(small, { query: '{ __typename }' })).status).toBe(200);
  for (const { socket } of connections) socket.destroy();
});

it.each([
  ['A request of 101', headOf('POST /graphql', headers(101)), '[^]*"code":"BAD_REQUEST"'],
  ['A request of 102', headOf('POST /graphql', headers(102)), ''],
  ['An upgrade request of 101', headOf('GET /graphql', headers(101, handshake)), ''],
])('%s headers gets 431', async (_what, bytes, body) => {
  await forTest(await openConnection(small.url, bytes)).until(new RegExp(`^HTTP/1\\.1 431 ${body}`));
});

it('a request whose head does not end gets 408 after 15 seconds', async () => {
  const { text, seconds } = await closed;
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect(seconds).toBeGreaterThan(15);
  // Node's own limit is a minute.
  expect(seconds).toBeLessThan(45);
});
