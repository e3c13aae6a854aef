/** Callers can make a small process hold a bounded amount of memory, while others are served. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryBudgets } from '../../src/config/memory-budgets.ts';
import { alice, bob } from '../support/gateway.ts';
import { type GatewayProcess, killProcesses, startProcess } from '../support/process.ts';
import * as does from '../support/service.ts';
import { openSocket } from '../support/websocket.ts';

const MiB = 1024 * 1024;

let service: does.TestService;
let gateway: GatewayProcess;
let metrics: string;
const sockets: { terminate(): void }[] = [];

async function start(): Promise<void> {
  service = await does.startService();
  gateway = await startProcess({
    NODE_ENV: 'production',
    NODE_OPTIONS: '--max-old-space-size=64',
    UPSTREAM_URL: service.url,
    METRICS_PORT: '0',
  });
  metrics = /metrics at (http[^\s"]+)/.exec(gateway.lines.join('\n'))?.[1] as string;
}

async function stop(): Promise<void> {
  for (const socket of sockets.splice(0)) socket.terminate();
  killProcesses();
  await service.close();
}

async function residentBytes(): Promise<number> {
  const text = await (await fetch(metrics)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}

/** Sends bytes on a new connection. Resolves with the response, or with nothing once all bytes are written. */
async function send(bytes: string): Promise<{ socket: Socket; text: () => string }> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  sockets.push({ terminate: () => socket.destroy() });
  let text = '';
  socket.on('error', () => {}).on('data', (chunk) => (text += chunk));
  await once(socket, 'connect');
  if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  return { socket, text: () => text };
}

interface Answer {
  readonly status: number;
  readonly data: any;
  readonly errors: readonly any[] | undefined;
}

async function ask(query: string, variables: object, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, ...((await response.json()) as { data: any; errors: any }) };
}

async function isHealthy(): Promise<boolean> {
  return (await fetch(new URL('/health', gateway.url))).status === 200;
}

describe('half-sent bodies under invented keys', { timeout: 60_000 }, () => {
  beforeAll(start, 60_000);
  afterAll(stop);

  const head = (key: number, type: string) =>
    `POST /graphql HTTP/1.1\r\nhost: a\r\nx-graphql-yoga-csrf: 1\r\nx-api-key: invented-${key}\r\n` +
    `content-type: ${type}\r\ncontent-length: 4000000\r\n\r\n`;
  const part = '--b\r\ncontent-disposition: form-data; name="operations"\r\n\r\n';

  it('hold a bounded part of a heap of 64 MiB, while every body that arrives without delay is served', async () => {
    service.will(does.json(200, { createGroup: { id: 7 } }));
    const before = await residentBytes();
    const half = ' '.repeat(3_000_000);
    const attackers: { text: () => string }[] = [];
    const name = 'n'.repeat(200_000);
    for (let key = 0; key < 200; key += 1) {
      const isMultipart = key % 2 === 1;
      const request = isMultipart
        ? head(key, 'multipart/form-data; boundary=b') + part
        : head(key, 'application/json');
      attackers.push(await send(request + half));
      if (key % 50 !== 49) continue;
      const { data } = await ask(
        'mutation ($n: String) { createGroup(input: {name: $n}) { __typename } }',
        { n: name },
        alice,
      );
      expect(data).toEqual({ createGroup: { __typename: 'Group' } });
    }
    expect(await isHealthy()).toBe(true);
    // 600 MB were sent; a full collection frees the bodies that were dropped.
    expect((await residentBytes()) - before).toBeLessThan(320 * MiB);
    const refused = () => attackers.filter(({ text }) => text() !== '');
    // The bodies are sent, but not all of them are read yet.
    while (refused().length <= 190) expect(await isHealthy()).toBe(true);
    for (const { text } of refused()) {
      expect(text()).toMatch(/^HTTP\/1\.1 503 /);
      expect(text()).toMatch(
        /"code":"RATE_LIMITED","retryable":true,"retryAfterMs":1000,"sideEffect":"NONE"/,
      );
    }
  });
});

describe('half-sent bodies of one accepted caller', { timeout: 60_000 }, () => {
  beforeAll(start, 60_000);
  afterAll(stop);

  it('hold at most three quarters of the bound, and a body of another caller that arrives slowly is served', async () => {
    const create = 'mutation ($n: String) { createGroup(input: {name: $n}) { __typename } }';
    const text = JSON.stringify({ query: create, variables: { n: 'n'.repeat(500_000) } });
    service.will(does.json(200, { createGroup: { id: 7 } }));
    for (const caller of [alice, bob]) expect((await ask(create, {}, caller)).errors).toBeUndefined();
    const headers = (caller: Record<string, string>) =>
      Object.entries(caller)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
    const begin = (caller: Record<string, string>, length: number) =>
      `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${headers(caller)}content-length: ${length}\r\n\r\n`;
    const slow = await send(begin(bob, text.length) + text.slice(0, -1));
    const large: { text: () => string }[] = [];
    for (let body = 0; body < 12; body += 1)
      large.push(await send(begin(alice, 3_000_000) + ' '.repeat(2_000_000)));
    const refused = () => large.filter((one) => one.text() !== '');
    while (refused().length < 4) expect(await isHealthy()).toBe(true);
    for (const one of refused()) expect(one.text()).toMatch(/^HTTP\/1\.1 503 .*"bound":"bodies-owner"/s);
    slow.socket.write(text.slice(-1));
    while (slow.text() === '') expect(await isHealthy()).toBe(true);
    expect(slow.text()).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('large variables of operations that wait for the service', { timeout: 60_000 }, () => {
  beforeAll(start, 60_000);
  afterAll(stop);

  it('hold a bounded part of a heap of 64 MiB, half of it for accepted callers', async () => {
    service.will(does.json(200, { createGroup: { id: 7 } }));
    const create = 'mutation { createGroup(input: {}) { __typename } }';
    expect((await ask(create, {}, alice)).data).toEqual({ createGroup: { __typename: 'Group' } });

    service.will(does.hang);
    const waiting =
      'query ($i: MalaysiaInvoiceInput!) { checkMalaysiaInvoice(invoice: $i) { isValid } malaysiaStatus(documentId: "1") { state } }';
    const invoice = {
      docType: 'INVOICE',
      docNumber: '1',
      supplier: {},
      buyer: {},
      lines: [],
      extra: { note: 'x'.repeat(1_000_000) },
    };
    const answers: Promise<Answer | undefined>[] = [];
    for (let key = 0; key < 60; key += 1) {
      answers.push(ask(waiting, { i: invoice }, { 'x-api-key': `invented-${key}` }).catch(() => undefined));
    }
    // Refused operations end immediately; the others wait for the service.
    const refusals: Answer[] = [];
    await new Promise<void>((resolve) => {
      for (const answer of answers) {
        void answer.then((refusal) => {
          if (refusal) refusals.push(refusal);
          if (refusals.length >= 50) resolve();
        });
      }
    });
    expect(refusals.map(({ status, errors }) => [status, errors?.[0].extensions.code])).toEqual(
      refusals.map(() => [503, 'RATE_LIMITED']),
    );
    expect(refusals[0]?.errors?.[0].extensions).toMatchObject({ retryable: true, sideEffect: 'NONE' });

    service.will(does.json(200, { status: 'queued' }));
    const { data } = await ask(waiting, { i: invoice }, alice);
    expect(data.malaysiaStatus).toEqual({ state: 'QUEUED' });
    expect(await isHealthy()).toBe(true);
  });
});

describe('lists of calls of invented callers that wait for the service', { timeout: 60_000 }, () => {
  beforeAll(start, 60_000);
  afterAll(stop);

  it('are bounded in sum, and an accepted caller is served next to them', async () => {
    service.will(does.json(200, { createGroup: { id: 7 } }));
    const create = 'mutation { createGroup(input: {}) { __typename } }';
    expect((await ask(create, {}, alice)).data).toEqual({ createGroup: { __typename: 'Group' } });

    service.will(does.hang);
    const list =
      'query ($a: [ID!]!, $b: [ID!]!) { a: malaysiaStatuses(documentIds: $a) { id } b: malaysiaStatuses(documentIds: $b) { id } }';
    const ids = (from: number) => Array.from({ length: 100 }, (_, index) => String(from + index));
    const refused: Answer[] = [];
    const enough = Promise.withResolvers<void>();
    const asked = Array.from({ length: 200 }, async (_, key) => {
      const answer = await ask(list, { a: ids(0), b: ids(100) }, { 'x-api-key': `invented-${key}` });
      if (answer.status === 503 && refused.push(answer) === 190) enough.resolve();
    });
    for (const one of asked) one.catch(() => {});
    await enough.promise;
    const bounds = refused.map(({ errors }) => [errors?.[0].extensions.code, errors?.[0].extensions.bound]);
    expect(bounds.map(String)).toContain('RATE_LIMITED,waiting-newcomers');
    // The process may also have no time for so many requests at once.
    for (const bound of bounds)
      expect(String(bound)).toMatch(/^RATE_LIMITED,(waiting|admission)(-newcomers)?$/);
    expect(await isHealthy()).toBe(true);

    service.will(does.json(200, { createGroup: { id: 8 } }));
    expect((await ask(create, {}, alice)).data).toEqual({ createGroup: { __typename: 'Group' } });
  });
});

describe('operations that share one call of the service', { timeout: 60_000 }, () => {
  beforeAll(start, 60_000);
  afterAll(stop);

  it('are bounded in sum over all WebSockets, and an accepted caller is served next to them', async () => {
    service.will(does.json(200, { createGroup: { id: 7 } }));
    const create = 'mutation { createGroup(input: {}) { __typename } }';
    expect((await ask(create, {}, alice)).data).toEqual({ createGroup: { __typename: 'Group' } });

    service.will(does.hang);
    const aliases = Array.from({ length: 9 }, (_, at) => `a${at}: state`).join(' ');
    const bounds = new Set<string>();
    for (let opened = 0; opened < 30; opened += 1) {
      const socket = await openSocket(gateway);
      sockets.push(socket.raw);
      socket.raw.on('message', (data) => bounds.add(/"bound":"([\w-]+)"/.exec(String(data))?.[1] ?? 'none'));
      socket.send({ type: 'connection_init', payload: { 'x-api-key': 'invented' } });
      // Each has a document of its own, below the size from which documents are counted.
      for (let id = 0; id < 200; id += 1)
        socket.subscribe(
          `${id}`,
          `query q${opened}_${id} { malaysiaStatus(documentId: "1") { ${aliases} } }`,
        );
      expect(await isHealthy()).toBe(true);
    }
    while (!bounds.has('operations-newcomers')) expect(await isHealthy()).toBe(true);

    service.will(does.json(200, { createGroup: { id: 8 } }));
    expect((await ask(create, {}, alice)).data).toEqual({ createGroup: { __typename: 'Group' } });
  });
});

describe('the budgets of the heap', () => {
  it('are together less than half of it for any size, and none is zero', () => {
    fc.assert(
      fc.property(fc.integer({ min: 16 * MiB, max: 64 * 1024 * MiB }), (heapBytes) => {
        const { unreadResults } = memoryBudgets(heapBytes);
        expect(unreadResults, 'results that their callers do not read').toBeGreaterThan(0);
        const budgets = Object.values(memoryBudgets(heapBytes));
        expect(budgets.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(heapBytes / 2);
        expect(Math.min(...budgets)).toBeGreaterThan(0);
      }),
      { seed: 20_310_409, numRuns: 300 },
    );
  });
});
