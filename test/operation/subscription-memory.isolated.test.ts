/** Many subscriptions with different documents, with the heap of V8 in a container of 512 MiB. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkRequest } from '../../src/operation/request.ts';
import { alice, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type GatewayProcess, killProcesses, startProcess } from '../support/process.ts';
import * as does from '../support/service.ts';
import { openSocket, type TestSocket } from '../support/websocket.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const megabyte = 1024 * 1024;
const subscriptionsPerSocket = 100;
const fields = ['documentId', 'state', 'rawState', 'isFinal', 'message', 'observedAt', 'isDelayed'];

/** `aliases`: number of fields, each with three tokens. */
function aDocument(name: string, aliases: number, length: number): string {
  const padding = 'x'.repeat(Math.ceil(length / aliases) - 20);
  const selection = Array.from({ length: aliases }, (_, index) => {
    const alias = `a${name}_${index}_${padding}`;
    return `${alias}: ${fields[index % fields.length]}`;
  });
  return `subscription { malaysiaStatusChanged(documentId: "1") { ${selection.join(' ')} } }`;
}

describe('subscriptions of distinct documents on a small heap', { timeout: 120_000 }, () => {
  let service: does.TestService;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    service = await does.startService(does.json(200, { status: 'queued' }));
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    gateway = await startProcess({
      NODE_ENV: 'production',
      UPSTREAM_URL: service.url,
      NODE_OPTIONS: '--max-old-space-size=256',
    });
  }, 60_000);
  afterEach(killProcesses);

  function residentBytes(): number {
    const status = readFileSync(`/proc/${gateway.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024;
  }

  async function connected(headers: Record<string, string> = {}): Promise<TestSocket> {
    const socket = await openSocket(gateway, { headers });
    socket.send({ type: 'connection_init' });
    await socket.message();
    return socket;
  }

  /** The first message of a subscription: `next`, or the code of the error. */
  async function subscribe(
    socket: TestSocket,
    id: string,
    query: string,
    variables?: object,
  ): Promise<string> {
    socket.send({ type: 'subscribe', id, payload: { query, variables } });
    const { type, payload } = await socket.messageOf(id);
    return payload.errors?.[0].extensions.code ?? (type === 'error' ? payload[0].extensions.code : type);
  }

  /** Opens anonymous sockets with as many subscriptions as allowed, and counts the outcomes. */
  async function crowd(sockets: number, documentOf: (name: string) => string): Promise<Map<string, number>> {
    const outcomes = new Map<string, number>();
    for (let index = 0; index < sockets; index += 1) {
      const socket = await connected();
      for (let count = 0; count < subscriptionsPerSocket; count += 1) {
        const outcome = await subscribe(socket, String(count), documentOf(`${index}_${count}`));
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    }
    return outcomes;
  }

  async function expectOthersAreServed(): Promise<void> {
    const health = await fetch(new URL('/health', gateway.url));
    if (process.env['REPORT']) console.log(Math.round(residentBytes() / megabyte));
    expect(health.status).toBe(200);
    const socket = await connected(alice);
    expect(await subscribe(socket, 'honest', aDocument('honest', 7, 500))).toBe('next');
  }

  it('are refused when their lane has used up its share, and another lane is served', async () => {
    const before = residentBytes();
    const outcomes = await crowd(2, (name) => aDocument(name, 120, 10_000));
    expect([...outcomes.keys()].toSorted()).toEqual(['RATE_LIMITED', 'next']);
    expect(outcomes.get('next')).toBeLessThan(50);
    expect(residentBytes() - before).toBeLessThan(150 * megabyte);
    await expectOthersAreServed();
  });

  it('of invented callers watch a bounded number of documents, and others are served', async () => {
    service.will(does.json(200, { createGroup: { id: 7 } }), does.json(200, { status: 'queued' }));
    const create = JSON.stringify({ query: 'mutation { createGroup(input: {}) { __typename } }' });
    const headers = { 'content-type': 'application/json', ...alice };
    // From now on alice is accepted.
    await fetch(gateway.url, { method: 'POST', headers, body: create });
    const before = residentBytes();
    const query =
      'subscription ($d: [ID!]!) { malaysiaStatusesChanged(documentIds: $d) { state problem { code } } }';
    const [callers, subscriptions, documents] = [10, 10, 100];
    // V8's limit of 256 MiB with its young generation is below 384 MiB: half of 12 MiB, 1 KiB for each document.
    const refused = callers * subscriptions * documents - 6_144;
    let problems = 0;
    const enough = Promise.withResolvers<void>();
    for (let index = 0; index < callers; index += 1) {
      const socket = await connected({ 'x-api-key': `invented-${index}` });
      for (let count = 0; count < subscriptions; count += 1) {
        const d = Array.from({ length: documents }, (_, id) => `${index}-${count}-${id}`);
        socket.send({ type: 'subscribe', id: String(count), payload: { query, variables: { d } } });
      }
      void (async () => {
        for (;;) {
          const { type, payload } = await socket.message();
          // The process has no time for it: none of its documents is watched.
          if (type === 'error') problems += documents;
          if (payload?.data?.malaysiaStatusesChanged.problem?.code === 'RATE_LIMITED') problems += 1;
          if (problems >= refused) enough.resolve();
        }
      })().catch(() => {});
    }
    await enough.promise;
    expect(residentBytes() - before).toBeLessThan(100 * megabyte);
    await expectOthersAreServed();
  });

  it('with more than 400 tokens are refused', async () => {
    const outcomes = await crowd(1, (name) => aDocument(name, 200, 10_000));
    expect([...outcomes]).toEqual([['OPERATION_TOO_EXPENSIVE', subscriptionsPerSocket]]);
    await expectOthersAreServed();
  });

  it('share the heap with queries in progress, which are bounded until the service responds', async () => {
    service.will(does.hang);
    const socket = await connected();
    const query = (name: string) =>
      aDocument(name, 205, 40_000).replace('subscription', 'query').replace('Changed', '');
    const outcomes = new Map<string, number>();
    const asked = Array.from({ length: 60 }, async (_, index) => {
      const outcome = await subscribe(socket, `q${index}`, query(`q${index}`));
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    });
    // The last one is refused. Its result arrives after all others were started or refused.
    await asked.at(-1);
    expect([...outcomes.keys()]).toEqual(['RATE_LIMITED']);
    service.will(does.json(200, { status: 'queued' }));
    await expectOthersAreServed();
    service.cut();
    await Promise.all(asked);
    expect(outcomes.get('RATE_LIMITED')).toBeGreaterThan(20);
    expect(outcomes.get('next')).toBeGreaterThan(5);
    expect(await subscribe(socket, 'again', query('again'))).toBe('next');
  });
});

describe('subscriptions of one document', { timeout: 60_000 }, () => {
  let service: does.TestService;
  let gateway: TestGateway;

  beforeAll(async () => {
    service = await does.startService(does.json(200, { status: 'queued' }));
    gateway = await startTestGateway({ UPSTREAM_URL: service.url, LOG_LEVEL: 'silent' });
  });
  afterAll(async () => {
    await gateway.close();
    await service.close();
  });

  const query = `subscription ($id: ID!) { malaysiaStatusChanged(documentId: $id) { state } } # ${'x'.repeat(60_000)}`;

  function heapBytes(): number {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  }

  /** Heap of each of 100 more subscriptions, in bytes, with the test's side of the connection. */
  async function heldByEach(subscribe: (index: number) => Promise<void>): Promise<number> {
    const many = 100;
    for (let index = 0; index < 20; index += 1) await subscribe(index);
    const before = heapBytes();
    for (let index = 20; index < 20 + many; index += 1) await subscribe(index);
    return (heapBytes() - before) / many;
  }

  it('do not each hold its text and the message over a WebSocket', async () => {
    const socket = await openSocket(gateway, { headers: alice });
    socket.send({ type: 'connection_init' });
    await socket.message();
    const each = await heldByEach(async (index) => {
      socket.send({ type: 'subscribe', id: String(index), payload: { query, variables: { id: '1' } } });
      expect((await socket.messageOf(String(index))).type).toBe('next');
    });
    socket.raw.terminate();
    expect(each).toBeLessThan(25_000);
  });

  /** Members that the gateway does not use; 2 MB once parsed. */
  const unused = Array(20_000).fill({});

  it('do not hold unused members of their message or payload over a WebSocket', async () => {
    const socket = await openSocket(gateway, { headers: alice });
    socket.send({ type: 'connection_init' });
    await socket.message();
    const short = query.slice(0, 100);
    const each = await heldByEach(async (index) => {
      const payload = { query: short, variables: { id: '1' }, ...(index % 2 ? { unused } : {}) };
      const id = String(index);
      socket.send({ type: 'subscribe', id, payload, ...(index % 2 ? {} : { unused }) });
      expect((await socket.messageOf(id)).type).toBe('next');
    });
    socket.raw.terminate();
    expect(each).toBeLessThan(25_000);
  });

  it('do not each hold its text and the request as event streams', async () => {
    const body = JSON.stringify({ query, variables: { id: '1' } });
    const open: ClientRequest[] = [];
    const each = await heldByEach(async () => {
      const subscribing = request(gateway.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...alice },
      });
      open.push(subscribing);
      subscribing.on('error', () => {});
      subscribing.end(body);
      const [response] = (await once(subscribing, 'response')) as [IncomingMessage];
      await new Promise<void>((resolve) => {
        response.on('data', (chunk) => String(chunk).includes('QUEUED') && resolve());
      });
    });
    for (const subscribing of open) subscribing.destroy();
    expect(each).toBeLessThan(50_000);
  });
});

describe('a query in progress', { timeout: 60_000 }, () => {
  const query = '{ malaysiaStatus(documentId: "1") { state } }';
  // 1 MB once parsed.
  const unused = Array(20_000).fill({});
  const json = JSON.stringify({ query, unused, extensions: { unused } });
  const form = () => {
    const body = new FormData();
    body.set('operations', json);
    body.set('map', '{}');
    return body;
  };

  it.each([
    ['a JSON body', () => json, { 'content-type': 'application/json' }],
    ['a multipart request', form, { 'x-graphql-yoga-csrf': '1' }],
  ] as const)('does not hold unused members of %s', async (_title, body, headers) => {
    const service = await does.startService(does.hang);
    const gateway = await startTestGateway({ UPSTREAM_URL: service.url, LOG_LEVEL: 'silent' });
    const asked: Promise<unknown>[] = [];
    const ask = async (index: number) => {
      // Different credentials, since equal reads share one call.
      const credentials = { 'x-api-key': `key-${index}`, authorization: 'Bearer a' };
      const init = { method: 'POST', body: body(), headers: { ...credentials, ...headers } };
      asked.push(fetch(gateway.url, init).catch(() => undefined));
      while (service.received.length < index + 1) await new Promise(setImmediate);
    };
    for (let index = 0; index < 4; index += 1) await ask(index);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let index = 4; index < 14; index += 1) await ask(index);
    collectGarbage();
    const each = (process.memoryUsage().heapUsed - before) / 10;
    // The reads are repeated after the cut, and get a response.
    service.will(does.json(200, { status: 'queued' }));
    service.cut();
    await Promise.all(asked);
    await gateway.close();
    await service.close();
    // The client of this process holds the body.
    expect(each).toBeLessThan(400_000);
  });
});

describe('the counted memory of variables', () => {
  it.each([
    ['empty objects', Array(10_000).fill({})],
    ['empty lists', Array(10_000).fill([])],
    ['objects with distinct members', Array.from({ length: 10_000 }, (_, index) => ({ [`k${index}`]: 1 }))],
    ['strings', Array.from({ length: 10_000 }, (_, index) => `text ${index}`)],
  ])('is at least half of what they hold: %s', (_title, list) => {
    const text = JSON.stringify({ query: '{ a }', variables: { list } });
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const request = JSON.parse(text);
    collectGarbage();
    const held = process.memoryUsage().heapUsed - before;
    expect(checkRequest(request).variableBytes).toBeGreaterThan(held / 2);
  });
});

describe('the memory of an open WebSocket', { timeout: 60_000 }, () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway({ LOG_LEVEL: 'silent' });
  });
  afterAll(() => gateway.close());

  it('does not include the payload of connection_init', async () => {
    // 0.3 MB once parsed.
    const payload = { ...alice, unused: Array(5_000).fill({}) };
    const sockets: TestSocket[] = [];
    const open = async () => {
      const socket = await openSocket(gateway);
      sockets.push(socket);
      socket.send({ type: 'connection_init', payload });
      expect((await socket.message()).type).toBe('connection_ack');
    };
    for (let index = 0; index < 10; index += 1) await open();
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 40; index += 1) await open();
    collectGarbage();
    const each = (process.memoryUsage().heapUsed - before) / 40;
    for (const socket of sockets) socket.raw.terminate();
    expect(each).toBeLessThan(60_000);
  });

  it.each([
    [
      'init message of more than 16 KiB',
      { type: 'connection_init', payload: { unused: 'x'.repeat(17_000) } },
    ],
    ['id of more than 128 characters', { type: 'complete', id: 'x'.repeat(129) }],
  ])('closes with 4400 after an %s', async (_title, message) => {
    const socket = await openSocket(gateway);
    socket.send(message);
    expect((await socket.closed()).code).toBe(4400);
  });
});
