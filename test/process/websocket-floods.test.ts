/** Many WebSockets at once, each within its own bounds: the process has a heap of 64 MB. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { alice } from '../support/gateway.ts';
import { samplesOf } from '../support/metric.ts';
import { type GatewayProcess, killProcesses, startProcess } from '../support/process.ts';

let gateway: GatewayProcess;
beforeEach(async () => {
  gateway = await startProcess({ NODE_OPTIONS: '--max-old-space-size=64', LOG_LEVEL: 'error' });
}, 30_000);
const sockets: { terminate(): void }[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
  killProcesses();
});

async function isHealthy(): Promise<boolean> {
  return (await fetch(new URL('/health', gateway.url))).status === 200;
}

async function expectHonestCallerServed(): Promise<void> {
  const headers = { 'content-type': 'application/json', ...alice };
  const body = JSON.stringify({ query: '{ mexicoValidation(by: { documentId: "1001" }) { result } }' });
  const response = await fetch(gateway.url, { method: 'POST', headers, body });
  expect(await response.text()).toContain('"VALID"');
}

async function open(payload: object): Promise<WebSocket> {
  const socket = new WebSocket(gateway.url.replace('http', 'ws'), 'graphql-transport-ws');
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload }));
  await once(socket, 'message');
  return socket;
}

describe('operations of many WebSockets at once', { timeout: 60_000 }, () => {
  /** A query of 1 kB whose result has 2 MB, without a call. */
  const fields = Array.from({ length: 15 }, (_, at) => `r${at}: rule m${at}: message`).join(' ');
  const checks = Array.from({ length: 4 }, (_, at) => `c${at}: checkMalaysiaInvoice(invoice: $i) { ...P }`);
  const payload = {
    query: `query ($i: MalaysiaInvoiceInput!) { ${checks.join(' ')} } fragment P on MalaysiaInvoiceCheck { problems { ${fields} } }`,
    variables: {
      i: {
        docType: 'CREDIT_NOTE',
        docNumber: '1',
        supplier: {},
        buyer: {},
        lines: [],
        totals: { a: Array(200).fill(1) },
      },
    },
  };

  it('start in turn with requests, and do not exhaust the heap', async () => {
    await expectHonestCallerServed();
    const opened = await Promise.all(
      Array.from({ length: 150 }, (_, key) => open({ 'x-api-key': `invented-${key}` })),
    );
    let ended = 0;
    for (const socket of opened) {
      const onEnd = () => {
        ended += 1;
      };
      socket.on('message', (data) => String(data).includes('"complete"') && onEnd()).on('close', onEnd);
      socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload }));
    }
    await expectHonestCallerServed();
    expect(ended, 'operations that were over when the request was').toBeLessThan(100);
    while (ended < opened.length) expect(await isHealthy()).toBe(true);
    await expectHonestCallerServed();
  });
});

describe('incomplete messages of many WebSockets', { timeout: 60_000 }, () => {
  const upgrade =
    'GET /graphql HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n' +
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n';

  /** A frame with a mask of zeros. */
  function frame(payload: Buffer, isLast: boolean): Buffer {
    const head = Buffer.alloc(14);
    head[0] = isLast ? 0x81 : 0x01;
    head[1] = 0xff;
    head.writeBigUInt64BE(BigInt(payload.length), 2);
    return Buffer.concat([head, payload]);
  }

  it('hold a bounded part of the memory, and a message that arrives without delay is handled', async () => {
    const { hostname, port } = new URL(gateway.url);
    const init = frame(Buffer.from('{"type":"connection_init"}'), true);
    const part = frame(Buffer.alloc(120_000, ' '), false);
    let closed = 0;
    const openIncomplete = async () => {
      const socket: Socket = connect(Number(port), hostname);
      sockets.push({ terminate: () => socket.destroy() });
      socket.on('error', () => {}).on('close', () => (closed += 1));
      socket.write(upgrade);
      await once(socket, 'data');
      socket.write(init);
      await once(socket, 'data');
      socket.write(part);
    };
    for (let at = 0; at < 500; at += 1) {
      await openIncomplete();
      if (at % 100 !== 99) continue;
      const socket = await open(alice);
      const query = `{ __typename } # ${'x'.repeat(60_000)}`;
      socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query } }));
      expect(String((await once(socket, 'message'))[0])).toContain('"Query"');
    }
    const dropped = () => samplesOf(new URL('/metrics', gateway.url).href, 'folio_refusals_total');
    while (((await dropped())['{bound="bodies-owner"}'] ?? 0) < 300) expect(closed).toBeLessThan(500);
    await expectHonestCallerServed();
  });
});
