/** Many WebSockets at once, each within its own bounds: the process has a heap of 64 MB. */
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { withKey } from '../support/gateway.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { startProcess } from '../support/process.ts';
import { handshake, headOf, openConnection } from '../support/raw-http.ts';
import { connectedSocket } from '../support/websocket.ts';

const gateway = forFile(await startProcess({ NODE_OPTIONS: '--max-old-space-size=64', LOG_LEVEL: 'error' }));

async function expectHonestCallerServed(): Promise<void> {
  const { data } = await gateway.ask('{ mexicoValidation(by: { documentId: "1001" }) { result } }');
  expect(data.mexicoValidation.result).toBe('VALID');
}

it('operations of many WebSockets at once start in turn with requests, and do not exhaust the heap', async () => {
  await expectHonestCallerServed();
  /** A query of 1 kB whose result has 2 MB, without a call. */
  const fields = Array.from({ length: 15 }, (_, at) => `r${at}: rule m${at}: message`).join(' ');
  const checks = Array.from({ length: 4 }, (_, at) => `c${at}: checkMalaysiaInvoice(invoice: $i) { ...P }`);
  const query = `query ($i: MalaysiaInvoiceInput!) { ${checks.join(' ')} } fragment P on MalaysiaInvoiceCheck { problems { ${fields} } }`;
  const parties = { docType: 'CREDIT_NOTE', docNumber: '1', supplier: {}, buyer: {}, lines: [] };
  const sockets = await Promise.all(
    Array.from({ length: 30 }, (_, key) => connectedSocket(gateway, withKey(`invented-${key}`))),
  );
  let ended = 0;
  for (const { raw, subscribe } of sockets) {
    const onEnd = () => {
      ended += 1;
    };
    raw.on('message', (data) => String(data).includes('"complete"') && onEnd()).on('close', onEnd);
    subscribe('1', query, { i: { ...parties, totals: { a: Array(200).fill(1) } } });
  }
  await expectHonestCallerServed();
  expect(ended, 'operations that were over when the request was').toBeLessThan(24);
  const endedWhileHealthy = async () => {
    expect(await gateway.health()).toBe(200);
    return ended;
  };
  await expect.poll(endedWhileHealthy).toBe(sockets.length);
  await expectHonestCallerServed();
  for (const { close } of sockets) close();
});

/** A frame with a mask of zeros. */
function frame(text: string, isLast: boolean): string {
  const head = Buffer.alloc(14);
  head[0] = isLast ? 0x81 : 0x01;
  head[1] = 0xff;
  head.writeBigUInt64BE(BigInt(text.length), 2);
  return head.toString('latin1') + text;
}

it('incomplete messages of many WebSockets hold a bounded part of the memory, and a message that arrives without delay is handled', async () => {
  const init = frame('{"type":"connection_init"}', true);
  const part = frame(' '.repeat(120_000), false);
  let closed = 0;
  for (let at = 0; at < 300; at += 1) {
    const { socket } = forTest(await openConnection(gateway.url, headOf('GET /graphql', handshake)));
    socket.on('close', () => (closed += 1));
    await once(socket, 'data');
    socket.write(init, 'latin1');
    await once(socket, 'data');
    socket.write(part, 'latin1');
    if (at % 100 !== 99) continue;
    const honest = await connectedSocket(gateway, withKey('newcomer'));
    honest.subscribe('1', `{ __typename } # ${'x'.repeat(60_000)}`);
    expect((await honest.message()).payload.data).toEqual({ __typename: 'Query' });
    honest.close();
  }
  const dropped = () => metricOf(gateway, 'folio_refusals_total{bound="bodies-owner"}');
  await expect.poll(dropped).toBeGreaterThanOrEqual(150);
  expect(closed).toBeLessThan(300);
  await expectHonestCallerServed();
});

it('a message in frames of one byte counts with the chunks of 64 KiB that they arrived in', async () => {
  const refused = () => metricOf(gateway, 'folio_refusals_total{bound="bodies"}');
  const before = await refused();
  const { socket, until, closed } = forTest(
    await openConnection(gateway.url, headOf('GET /graphql', handshake)),
  );
  await until(/\r\n\r\n/);
  socket.write(frame('{"type":"connection_init"}', true), 'latin1');
  await until(/connection_ack/);
  const pongs = `\x8a\xfd\0\0\0\0${'x'.repeat(125)}`.repeat(500);
  for (let at = 0; at < 100; at += 1)
    socket.write(`${at === 0 ? '\x01' : '\0'}\x81\0\0\0\0 ${pongs}`, 'latin1');
  await closed();
  expect(await refused()).toBe(before + 1);
  await expectHonestCallerServed();
});

it('messages of many WebSockets that arrive together wait unread, and all are handled', async () => {
  const pings = frame('{"type":"ping"}', true).repeat(300);
  const last = frame('{"type":"subscribe","id":"1","payload":{"query":"{ __typename }"}}', true);
  const connections = await Promise.all(
    Array.from({ length: 40 }, () => openConnection(gateway.url, headOf('GET /graphql', handshake))),
  );
  for (const { socket, until } of connections) {
    await until(/\r\n\r\n/);
    socket.write(frame('{"type":"connection_init"}', true) + pings + last, 'latin1');
  }
  await Promise.all(connections.map(({ until }) => until(/"complete"/)));
  for (const { text } of connections) expect(text().split('"pong"')).toHaveLength(301);
  for (const { close } of connections) close();
  await expect.poll(() => metricOf(gateway, 'folio_sockets{kind="websocket"}')).toBe(0);
  await expectHonestCallerServed();
});
