/** Callers that request large results and do not read them. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createUnsentResults } from '../../src/http/unsent-results.ts';
import { alice } from '../support/gateway.ts';
import { type GatewayProcess, killProcesses, startProcess } from '../support/process.ts';
import * as does from '../support/service.ts';
import { aShares, holder } from '../support/shares.ts';

let service: does.TestService;
let gateway: GatewayProcess;
beforeAll(async () => {
  service = await does.startService(
    does.json(200, { exportDocumentByDocIds: { data: 'x'.repeat(4_000_000), message: '' } }),
  );
  gateway = await startProcess({
    UPSTREAM_URL: service.url,
    NODE_ENV: 'production',
    NODE_OPTIONS: '--max-old-space-size=128',
  });
}, 30_000);
afterAll(async () => {
  killProcesses();
  await service.close();
});

/** A request of 40 kB whose result has 7.7 MB. */
const names = Array.from({ length: 19 }, (_, index) => `${'a'.repeat(2_000)}${index}: rule`).join(' ');
const large = {
  query: `query ($i: MalaysiaInvoiceInput!) { checkMalaysiaInvoice(invoice: $i) { problems { ${names} } } }`,
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
const body = JSON.stringify(large);
const callers = 20;

/** Number of bytes read from now on, until there are enough or the connection ends. */
function bytesOf(socket: Socket, enough: number): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      if (bytes >= enough) socket.destroy();
    });
    socket.on('close', () => resolve(bytes));
    socket.on('error', () => {});
    socket.resume();
  });
}

async function exported(): Promise<number> {
  const query = 'mutation { exportDocuments(input: {}) { ... on ExportResult { csv } } }';
  const headers = { ...alice, 'content-type': 'application/json' };
  const response = await fetch(gateway.url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const { data } = (await response.json()) as { data: any };
  return data.exportDocuments.csv.length;
}

async function healthOf(): Promise<number> {
  return (await fetch(new URL('/health', gateway.url))).status;
}

describe('callers that do not read their large results', { timeout: 60_000 }, () => {
  it.each(['application/json', 'application/json; charset=utf-8'])(
    'are disconnected above a share of the heap, and others are served: accept %s',
    async (accept) => {
      const { hostname, port } = new URL(gateway.url);
      const sockets: Socket[] = [];
      for (let caller = 0; caller < callers; caller += 1) {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => {});
        socket.pause();
        socket.write(
          `POST /graphql HTTP/1.1\r\nhost: x\r\naccept: ${accept}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        );
        sockets.push(socket);
        expect(await healthOf()).toBe(200);
      }
      expect(await exported()).toBe(4_000_000);
      const received = await Promise.all(sockets.map((socket) => bytesOf(socket, 7_500_000)));
      expect(received.filter((bytes) => bytes >= 7_500_000).length).toBeLessThan(callers / 2);
    },
  );

  it('are disconnected over WebSockets too', async () => {
    const sockets: WebSocket[] = [];
    const ends: Promise<boolean>[] = [];
    for (let caller = 0; caller < callers; caller += 1) {
      const socket = new WebSocket(gateway.url.replace('http', 'ws'), 'graphql-transport-ws');
      sockets.push(socket);
      ends.push(
        new Promise((resolve) => {
          socket.on('message', (data) => String(data).includes('"next"') && resolve(true));
          socket.on('close', () => resolve(false));
          socket.on('error', () => {});
        }),
      );
      await new Promise((resolve) => socket.once('open', resolve));
      socket.send('{"type":"connection_init"}');
      await new Promise((resolve) => socket.once('message', resolve));
      socket.pause();
      socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: large }));
      expect(await healthOf()).toBe(200);
    }
    expect(await exported()).toBe(4_000_000);
    for (const socket of sockets) socket.resume();
    const whole = await Promise.all(ends);
    for (const socket of sockets) socket.terminate();
    expect(whole.filter(Boolean).length).toBeLessThan(callers / 2);
  });
});

describe('unsent results', () => {
  const shares = aShares(holder('known'), holder('other'));

  function connection(bytes: number, caller = 'new') {
    const state = { bytes, isCut: false };
    return {
      state,
      unsentBytes: () => state.bytes,
      isOver: () => state.bytes === 0,
      cut: () => {
        state.isCut = true;
      },
      holder: holder(caller),
    };
  }

  it('are dropped, largest first, when those of newcomers exceed half of the bound', () => {
    const unsent = createUnsentResults(shares, 1_000);
    const [small, large_, accepted] = [connection(100), connection(450), connection(490, 'known')];
    for (const one of [small, large_, accepted]) unsent.add(one, one);
    unsent.add({}, connection(10));
    expect([small.state.isCut, large_.state.isCut, accepted.state.isCut]).toEqual([false, true, false]);
  });

  it('of one accepted caller are dropped beyond three quarters of the bound, and those of another one are not', () => {
    const unsent = createUnsentResults(shares, 1_000);
    const [other, small, large_] = [
      connection(240, 'other'),
      connection(370, 'known'),
      connection(381, 'known'),
    ];
    for (const one of [other, small, large_]) unsent.add(one, one);
    unsent.add({}, connection(1));
    expect([other, small, large_].map(({ state }) => state.isCut)).toEqual([false, false, true]);
  });

  it('do not count once they were read, and the newest is never dropped', () => {
    const unsent = createUnsentResults(shares, 1_000);
    const [read, huge] = [connection(5_000), connection(5_000)];
    unsent.add(read, read);
    read.state.bytes = 0;
    unsent.add(huge, huge);
    expect([read.state.isCut, huge.state.isCut]).toEqual([false, false]);
    unsent.add({}, connection(1));
    expect(huge.state.isCut).toBe(true);
  });
});
