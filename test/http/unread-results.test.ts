/** Callers that request large results and do not read them. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createUnsentResults, type UnsentResults } from '../../src/http/unsent-results.ts';
import { alice } from '../support/gateway.ts';
import { samplesOf } from '../support/metric.ts';
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
    METRICS_PORT: '0',
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
/** A request of 2 kB whose result has 60 kB. */
const small = {
  ...large,
  query: `query ($i: MalaysiaInvoiceInput!) { checkMalaysiaInvoice(invoice: $i) { problems { ${'a'.repeat(280)}: rule } } }`,
};
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

  it('are disconnected when each result is small', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const socket = new WebSocket(gateway.url.replace('http', 'ws'), 'graphql-transport-ws');
        socket.on('error', () => {});
        await new Promise((resolve) => socket.once('open', resolve));
        socket.send('{"type":"connection_init"}');
        await new Promise((resolve) => socket.once('message', resolve));
        socket.pause();
        for (let id = 0; id < 200; id += 1)
          socket.send(JSON.stringify({ type: 'subscribe', id: String(id), payload: small }));
        return socket;
      }),
    );
    const url = /metrics at (http[^\s"]+)/.exec(gateway.lines.join('\n'))?.[1] as string;
    const dropped = async () =>
      (await samplesOf(url, 'folio_refusals_total'))['{bound="results-newcomers"}'] ?? 0;
    const before = await dropped();
    while ((await dropped()) < before + 10) expect(await healthOf()).toBe(200);
    for (const socket of sockets) socket.terminate();
  });
});

describe('unsent results', () => {
  const shares = aShares(holder('known'), holder('other'));
  const KiB = 1024;

  /** A connection to which so much was written that has not been sent. */
  function write(results: UnsentResults, kibibytes: number, caller = 'new') {
    const state = { bytes: kibibytes * KiB, isCut: false };
    const unsent = results.open({
      unsentBytes: () => state.bytes,
      cut: () => {
        state.isCut = true;
      },
      holder: holder(caller),
    });
    unsent.written();
    return { state, unsent };
  }
  const areCut = (...connections: ReturnType<typeof write>[]) => connections.map(({ state }) => state.isCut);

  it('are dropped, largest first, when those of newcomers exceed half of the bound', () => {
    const results = createUnsentResults(shares, 1_000 * KiB);
    const [small, large_, accepted] = [
      write(results, 100),
      write(results, 450),
      write(results, 490, 'known'),
    ];
    write(results, 10);
    expect(areCut(small, large_, accepted)).toEqual([false, true, false]);
  });

  it('of one accepted caller are dropped beyond three quarters of the bound, and those of another one are not', () => {
    const results = createUnsentResults(shares, 1_000 * KiB);
    const [other, small, large_] = [
      write(results, 240, 'other'),
      write(results, 370, 'known'),
      write(results, 381, 'known'),
    ];
    write(results, 1);
    expect(areCut(other, small, large_)).toEqual([false, false, true]);
  });

  it('do not count once they were sent, and the newest is never dropped', () => {
    const results = createUnsentResults(shares, 1_000 * KiB);
    const read = write(results, 5_000);
    read.state.bytes = 0;
    const partly = write(results, 400);
    const huge = write(results, 5_000);
    partly.state.bytes = 10 * KiB;
    partly.unsent.sent();
    expect(areCut(read, partly, huge)).toEqual([false, false, false]);
    write(results, 1);
    expect(areCut(read, partly, huge)).toEqual([false, false, true]);
    expect(areCut(write(results, 450), write(results, 1), partly)).toEqual([false, false, false]);
  });

  it('do not count after their connection has closed', () => {
    const results = createUnsentResults(shares, 1_000 * KiB);
    for (let round = 0; round < 10; round += 1) write(results, 300).unsent.close();
    const [one, other] = [write(results, 250), write(results, 240)];
    write(results, 1);
    expect(areCut(one, other)).toEqual([false, false]);
  });
});
