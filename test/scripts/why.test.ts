/** `folio why` explains requests from the log lines that real gateways wrote when something went wrong. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain } from '../../scripts/why/explain.ts';
import { lineIn } from '../../scripts/why/log-line.ts';
import {
  alice,
  type ConfigOverrides,
  sendUpload,
  startTestGateway,
  type TestGateway,
  upload,
} from '../support/gateway.ts';
import { freePort } from '../support/redis.ts';
import * as does from '../support/service.ts';
import { openSocket } from '../support/websocket.ts';

let service: does.TestService;
beforeAll(async () => {
  service = await does.startService();
});
afterAll(() => service.close());

const read = 'query Latest { mexicoValidation(by: { documentId: "1" }) { result } }';
const write = 'mutation Make($input: CreateGroupInput!) { createGroup(input: $input) { __typename } }';
const scan =
  'mutation Scan($f: Upload!) { scanIdentityCard(input: { file: $f, queueId: "1" }) { __typename } }';
const fapiao =
  'mutation Invoice($f: Upload!) { createFapiao(input: { document: { file: $f }, name: "a", queueId: "1" }) { __typename } }';
const watch = 'subscription Watch($id: ID!) { malaysiaStatusChanged(documentId: $id) { state } }';
const made = does.json(200, { createGroup: { id: 7 } });

interface Stage {
  readonly gateway: TestGateway;
  /** Sends the operation and returns the id of its request. */
  send(query: string, variables?: object, headers?: Record<string, string>): Promise<string>;
}

interface Incident {
  readonly name: string;
  readonly environment?: Record<string, string>;
  readonly overrides?: ConfigOverrides;
  readonly service?: readonly does.Behaviour[];
  /** Makes it happen, and returns the id of the request to explain. Default: one read. */
  readonly happen?: (stage: Stage) => Promise<string>;
  readonly decided: RegExp;
  readonly change: RegExp;
  readonly done: 'no' | 'perhaps' | 'yes';
}

/** The id of the last request whose line has this outcome: transports without headers choose their own. */
const lastWith = ({ log }: TestGateway, outcome: string) =>
  log()
    .flatMap((text) => lineIn(text) ?? [])
    .findLast((line) => line.outcome === outcome)?.requestId ?? 'none';

const file = (bytes: number) => ({ bytes: 'x'.repeat(bytes), name: 'a.png' });

async function uploaded({ gateway }: Stage, query: string, bytes: number): Promise<string> {
  const requestId = randomUUID();
  await sendUpload(gateway, upload(query, { f: null }, 'variables.f', file(bytes)), {
    ...alice,
    'x-request-id': requestId,
  });
  return requestId;
}

const incidents: readonly Incident[] = [
  {
    name: 'more operations than the rate allows',
    environment: { RATE_LIMIT_PER_MINUTE: '1' },
    async happen({ send }) {
      await send('{ __typename }');
      return await send('{ __typename }');
    },
    decided: /rate-owner .*of this one caller/,
    change: /RATE_LIMIT_PER_MINUTE/,
    done: 'no',
  },
  {
    name: 'more calls to the service than an operation may cause',
    environment: { MAX_OPERATION_COST: '1' },
    happen: ({ send }) =>
      send(
        '{ a: mexicoValidation(by: { documentId: "1" }) { result } b: mexicoValidation(by: { documentId: "2" }) { result } }',
      ),
    decided: /bound cost/,
    change: /MAX_OPERATION_COST/,
    done: 'no',
  },
  {
    name: 'an operation with too many fields',
    happen: ({ send }) =>
      send(`{ ${Array.from({ length: 31 }, (_, at) => `a${at}: __typename`).join(' ')} }`),
    decided: /bound operation/,
    change: /Split the operation/,
    done: 'no',
  },
  {
    name: 'a body that is too large',
    environment: { MAX_REQUEST_BYTES: '2048' },
    happen: ({ send }) => send(`{ __typename } # ${'x'.repeat(4_000)}`),
    decided: /bound request/,
    change: /MAX_REQUEST_BYTES/,
    done: 'no',
  },
  {
    name: 'a file that is too large',
    environment: { MAX_UPLOAD_BYTES: '1024' },
    happen: (stage) => uploaded(stage, scan, 100_000),
    decided: /bound file/,
    change: /MAX_UPLOAD_BYTES/,
    done: 'no',
  },
  {
    name: 'an XML that is too large',
    environment: { MAX_XML_BYTES: '1024' },
    happen: (stage) => uploaded(stage, fapiao, 100_000),
    decided: /bound xml/,
    change: /MAX_XML_BYTES/,
    done: 'no',
  },
  {
    name: 'too many WebSockets and event streams',
    environment: { MAX_SOCKETS: '1' },
    async happen({ gateway, send }) {
      const socket = await openSocket(gateway);
      const requestId = await send(watch, { id: '1' }, { accept: 'text/event-stream' });
      socket.close();
      return requestId;
    },
    decided: /bound sockets/,
    change: /MAX_SOCKETS/,
    done: 'no',
  },
  {
    name: 'too many operations on one WebSocket',
    overrides: { limits: { maxSubscriptionsPerSocket: 1 } },
    service: [does.json(200, { status: 'queued' })],
    async happen({ gateway }) {
      const socket = await openSocket(gateway);
      socket.send({ type: 'connection_init', payload: alice });
      await socket.message();
      for (const id of ['one', 'two'])
        socket.send({ type: 'subscribe', id, payload: { query: watch, variables: { id } } });
      await socket.messageOf('two');
      socket.close();
      return lastWith(gateway, 'RATE_LIMITED');
    },
    decided: /subscriptions-per-socket/,
    change: /another WebSocket/,
    done: 'no',
  },
  {
    name: 'a caller who watches too many documents',
    overrides: { limits: { maxWatchesPerCaller: 1 } },
    service: [does.json(200, { status: 'queued' })],
    async happen({ gateway }) {
      const client = gateway.webSocketClient();
      const first = client.iterate({ query: watch, variables: { id: '1' } });
      await first.next();
      await client
        .iterate({ query: watch, variables: { id: '2' } })
        .next()
        .catch(() => {});
      return lastWith(gateway, 'RATE_LIMITED');
    },
    decided: /watches-owner/,
    change: /10,000 documents of one caller are fixed/,
    done: 'no',
  },
  {
    name: 'a caller with too many waiting calls',
    environment: { UPSTREAM_CONCURRENCY_PER_CALLER: '1' },
    service: [does.hang],
    async happen({ gateway }) {
      const ask = (at: number) =>
        gateway.ask(`{ mexicoValidation(by: { documentId: "${at}" }) { result } }`).catch(() => {});
      const asked = Array.from({ length: 230 }, (_, at) => ask(at));
      await Promise.race(asked);
      const found = lastWith(gateway, 'RATE_LIMITED');
      service.cut();
      void Promise.allSettled(asked);
      return found;
    },
    decided: /waiting-owner/,
    change: /UPSTREAM_CONCURRENCY_PER_CALLER/,
    done: 'no',
  },
  {
    name: 'a service that limits the rate',
    service: [does.json(429, {}, { 'retry-after': '30' })],
    decided: /bound service/,
    change: /operators of the document service/,
    done: 'no',
  },
  {
    name: 'a gateway that stops',
    service: [],
    async happen({ gateway }) {
      const held = Promise.withResolvers<void>();
      const asked = Promise.withResolvers<void>();
      service.will((request, response) => {
        asked.resolve();
        void held.promise.then(() => made(request, response));
      });
      const socket = await openSocket(gateway);
      socket.send({ type: 'connection_init', payload: alice });
      await socket.message();
      socket.send({ type: 'subscribe', id: 'one', payload: { query: write, variables: { input: {} } } });
      await asked.promise;
      const closed = gateway.close();
      // New operations are accepted for a moment.
      while (lastWith(gateway, 'SHUTTING_DOWN') === 'none') {
        const id = randomUUID();
        socket.send({ type: 'subscribe', id, payload: { query: '{ __typename }' } });
        await socket.messageOf(id);
      }
      held.resolve();
      await closed;
      return lastWith(gateway, 'SHUTTING_DOWN');
    },
    decided: /bound shutdown/,
    change: /SHUTDOWN_DELAY_MS/,
    done: 'no',
  },
  {
    name: 'a read that fails with 500 again and again',
    service: [does.json(500, {})],
    decided: /responded that it failed \(status 500\)/,
    change: /operators of the document service/,
    done: 'no',
  },
  {
    name: 'a service that is down',
    environment: { UPSTREAM_URL: 'http://127.0.0.1:1' },
    decided: /no connection to the document service/,
    change: /UPSTREAM_URL/,
    done: 'no',
  },
  {
    name: 'an open circuit breaker',
    service: [does.reset],
    async happen({ gateway, send }) {
      for (let at = 0; at < 100; at += 1) {
        const answer = await gateway.ask(read);
        if (/too often/.test(String(answer.errors?.[0]?.message))) break;
      }
      return await send(read);
    },
    decided: /circuit breaker/,
    change: /operators of the document service/,
    done: 'no',
  },
  {
    name: 'a read that takes longer than its deadline',
    environment: { UPSTREAM_READ_DEADLINE_MS: '100' },
    service: [does.hang],
    decided: /within the deadline/,
    change: /UPSTREAM_READ_DEADLINE_MS/,
    done: 'no',
  },
  {
    name: 'a write that takes longer than its deadline',
    environment: { UPSTREAM_WRITE_DEADLINE_MS: '100' },
    service: [does.hang],
    happen: ({ send }) => send(write, { input: {} }),
    decided: /within the deadline/,
    change: /UPSTREAM_WRITE_DEADLINE_MS/,
    done: 'perhaps',
  },
  {
    name: 'a scan that takes longer than its deadline',
    environment: { UPSTREAM_SCAN_DEADLINE_MS: '100' },
    service: [does.hang],
    happen: (stage) => uploaded(stage, scan, 1_000),
    decided: /within the deadline/,
    change: /UPSTREAM_SCAN_DEADLINE_MS/,
    done: 'perhaps',
  },
  {
    name: 'a write whose response is lost',
    service: [does.reset],
    happen: ({ send }) => send(write, { input: {} }),
    decided: /sent, and its response was lost/,
    change: /operators of the document service/,
    done: 'perhaps',
  },
  {
    name: 'a repetition of a write whose response was lost',
    service: [does.reset],
    async happen({ send }) {
      const input = { idempotencyKey: randomUUID() };
      await send(write, { input });
      return await send(write, { input });
    },
    decided: /earlier request .*Sent by: +request \S+: createGroup: no response/s,
    change: /none/,
    done: 'perhaps',
  },
  {
    name: 'another input under the same idempotency key',
    service: [made],
    async happen({ send }) {
      const idempotencyKey = randomUUID();
      await send(write, { input: { idempotencyKey } });
      return await send(write, { input: { idempotencyKey, name: 'b' } });
    },
    decided: /used before with another input/,
    change: /none/,
    done: 'no',
  },
  {
    name: 'a response that does not match the interface',
    service: [does.json(200, [])],
    decided: /does not match its interface/,
    change: /operators of the document service/,
    done: 'no',
  },
  {
    name: 'a wrong address of the service',
    service: [does.htmlPage(404)],
    decided: /HTML page/,
    change: /UPSTREAM_URL/,
    done: 'no',
  },
  {
    name: 'credentials that the service rejects',
    service: [does.json(401, {})],
    decided: /rejected the caller's credentials/,
    change: /none/,
    done: 'no',
  },
  {
    name: 'a missing credential',
    happen: ({ send }) => send(read, {}, { authorization: '', 'x-api-key': '' }),
    decided: /header with a credential is missing/,
    change: /none/,
    done: 'no',
  },
  {
    name: 'a caller whom the service does not allow',
    service: [does.json(403, {})],
    decided: /does not allow this to the caller/,
    change: /granted by the document service/,
    done: 'no',
  },
  {
    name: 'a text where only persisted operations run',
    environment: {
      PERSISTED_OPERATIONS: 'examples/persisted-operations.json',
      PERSISTED_OPERATIONS_ONLY: 'true',
    },
    decided: /sent as text/,
    change: /PERSISTED_OPERATIONS_ONLY/,
    done: 'no',
  },
  {
    name: 'an operation of a newer schema',
    happen: ({ send }) => send('{ newField }'),
    decided: /does not match the schema/,
    change: /deploy the gateway before clients/,
    done: 'no',
  },
  {
    name: 'a Redis that is unreachable',
    environment: { LANE_SECRET: 'a secret of this fleet, 32 bytes or more' },
    async happen({ send }) {
      return await send(write, { input: { idempotencyKey: randomUUID() } });
    },
    decided: /Redis, which keeps the idempotency keys/,
    change: /REDIS_URL/,
    done: 'no',
  },
];

async function linesOf(incident: Incident): Promise<{ lines: readonly string[]; requestId: string }> {
  service.will(...(incident.service ?? [made]));
  const isRedis = incident.environment?.['LANE_SECRET'] !== undefined;
  const gateway = await startTestGateway(
    {
      UPSTREAM_URL: service.url,
      ...(isRedis && { REDIS_URL: `redis://127.0.0.1:${await freePort()}` }),
      ...incident.environment,
    },
    incident.overrides,
  );
  const stage: Stage = {
    gateway,
    async send(query, variables, headers) {
      const requestId = randomUUID();
      const response = await fetch(gateway.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...alice, ...headers, 'x-request-id': requestId },
        body: JSON.stringify({ query, variables }),
      });
      await response.text();
      return requestId;
    },
  };
  const requestId = await (incident.happen?.(stage) ?? stage.send(read));
  service.cut();
  await gateway.close().catch(() => {});
  return { lines: gateway.log(), requestId };
}

const row = (text: string, name: string) => new RegExp(`^${name}: +(.*)$`, 'm').exec(text)?.[1] ?? '';

describe('folio why', { timeout: 60_000 }, () => {
  it('is tried with at least 24 incidents', () => expect(incidents.length).toBeGreaterThanOrEqual(24));

  it.each(incidents)('names cause and setting of $name', async (incident) => {
    const { lines, requestId } = await linesOf(incident);
    const { text, isFound } = explain(
      lines.flatMap((line) => lineIn(line) ?? []),
      requestId,
    );
    expect(isFound, lines.join('')).toBe(true);
    expect(text).toMatch(incident.decided);
    expect(row(text, 'Change')).toMatch(incident.change);
    expect(row(text, 'Done')).toMatch(new RegExp(`^${incident.done}\\b`));
    expect(row(text, 'Tell the caller').length).toBeGreaterThan(20);
    for (const secret of Object.values(alice)) expect(text).not.toContain(secret);
  });

  it('says of a write that succeeded that it was done, and of its repetition by which request', async () => {
    service.will(made);
    const gateway = await startTestGateway({ UPSTREAM_URL: service.url });
    const input = { idempotencyKey: randomUUID() };
    for (const requestId of ['first-request', 'second-request'])
      await gateway.ask(write, { input }, { ...alice, 'x-request-id': requestId });
    await gateway.close();
    const lines = gateway.log().flatMap((line) => lineIn(line) ?? []);
    expect(row(explain(lines, 'first-request').text, 'Done')).toBe('yes.');
    const { text } = explain(lines, 'second-request');
    expect(row(text, 'Done')).toMatch(/^yes, once/);
    expect(row(text, 'Sent by')).toMatch(/^request first-request: createGroup: status 200/);
  });
});

describe('npx folio', () => {
  const run = (parameters: readonly string[], input = '') =>
    spawnSync(process.execPath, ['scripts/folio.ts', ...parameters], { encoding: 'utf8', input });
  const line = {
    msg: 'operation',
    requestId: 'abcdefgh',
    time: '2031-01-01T00:00:00Z',
    outcome: 'RATE_LIMITED',
    bound: 'rate-owner',
    sideEffect: 'NONE',
  };

  it('reads lines from standard input, also behind a prefix and between others', () => {
    const { status, stdout } = run(
      ['why', 'abcdefgh'],
      `folio-1  | ${JSON.stringify(line)}\nno line {\n{}\n`,
    );
    expect([status, stdout]).toEqual([0, expect.stringContaining('RATE_LIMIT_PER_MINUTE')]);
  });

  it('reads lines from a file', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'why-')), 'folio.log');
    writeFileSync(path, JSON.stringify(line));
    expect(run(['why', 'abcdefgh', path]).stdout).toContain('RATE_LIMIT_PER_MINUTE');
  });

  it('says where to look when no line is about the request, and ends with 1', () => {
    const { status, stdout } = run(['why', 'ijklmnop'], JSON.stringify(line));
    expect([status, stdout]).toEqual([1, expect.stringContaining('No line is about the request ijklmnop')]);
  });

  it.each([[[]], [['what']], [['why']], [['why', 'a', 'b', 'c']]])(
    'ends with 64 and the usage for %j',
    (parameters) => {
      const { status, stderr } = run(parameters);
      expect([status, stderr]).toEqual([64, expect.stringMatching(/^Usage: npx folio why/)]);
    },
  );
});
