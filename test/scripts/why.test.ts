/** `folio why` explains requests from the log lines that real gateways wrote when something went wrong. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explain } from '../../scripts/why/explain.ts';
import { lineIn } from '../../scripts/why/log-line.ts';
import {
  alice,
  type ConfigOverrides,
  post,
  sendUpload,
  startTestGateway,
  type TestGateway,
  upload,
} from '../support/gateway.ts';
import { serviceForFile } from '../support/lifetimes.ts';
import { freePort } from '../support/redis.ts';
import * as does from '../support/service.ts';
import { connectedSocket, openSocket } from '../support/websocket.ts';

const made = does.json(200, { createGroup: { id: 7 } });
const service = await serviceForFile(made);

const read = 'query Latest { mexicoValidation(by: { documentId: "1" }) { result } }';
const write = 'mutation Make($input: CreateGroupInput!) { createGroup(input: $input) { __typename } }';
const scan =
  'mutation Scan($f: Upload!) { scanIdentityCard(input: { file: $f, queueId: "1" }) { __typename } }';
const fapiao =
  'mutation Invoice($f: Upload!) { createFapiao(input: { document: { file: $f }, name: "a", queueId: "1" }) { __typename } }';
const watch = 'subscription Watch($id: ID!) { malaysiaStatusChanged(documentId: $id) { state } }';
const queued = does.json(200, { status: 'queued' });

interface Stage {
  readonly gateway: TestGateway;
  /** Sends the operation and returns the id of its request. */
  send(query: string, variables?: object, headers?: Record<string, string>): Promise<string>;
}

interface Incident {
  readonly environment?: Record<string, string>;
  readonly overrides?: ConfigOverrides;
  readonly service?: readonly does.Behaviour[];
  /** Makes it happen, and returns the id of the request to explain. Default: one read. */
  readonly happen?: (stage: Stage) => Promise<string>;
}

const linesOf = (gateway: TestGateway) => gateway.log().flatMap((text) => lineIn(text) ?? []);

/** The id of the last request whose line has this outcome: transports without headers choose their own. */
const lastWith = (gateway: TestGateway, outcome: string) =>
  linesOf(gateway).findLast((line) => line.outcome === outcome)?.requestId ?? 'none';

const uploads =
  (query: string, bytes: number) =>
  async ({ gateway }: Stage): Promise<string> => {
    const requestId = randomUUID();
    const form = upload(query, { f: null }, 'variables.f', { bytes: 'x'.repeat(bytes), name: 'a.png' });
    await sendUpload(gateway, form, { ...alice, 'x-request-id': requestId });
    return requestId;
  };
const writes = ({ send }: Stage) => send(write, { input: {} });

/** What happens, what `why` names as the cause, what changes it, and whether the operation was done. Default: no. */
const incidents: [string, Incident, decided: RegExp, change: RegExp, done?: 'no' | 'perhaps'][] = [
  [
    'more operations than the rate allows',
    {
      environment: { RATE_LIMIT_PER_MINUTE: '1' },
      async happen({ send }) {
        await send('{ __typename }');
        return await send('{ __typename }');
      },
    },
    /rate-owner .*of this one caller/,
    /RATE_LIMIT_PER_MINUTE/,
  ],
  [
    'more calls to the service than an operation may cause',
    {
      environment: { MAX_OPERATION_COST: '1' },
      happen: ({ send }) =>
        send('{ mexicoValidations(by: [{ documentId: "1" }, { documentId: "2" }]) { result } }'),
    },
    /bound cost/,
    /MAX_OPERATION_COST/,
  ],
  [
    'an operation with too many fields',
    {
      happen: ({ send }) =>
        send(`{ ${Array.from({ length: 31 }, (_, at) => `a${at}: __typename`).join(' ')} }`),
    },
    /bound operation/,
    /Split the operation/,
  ],
  [
    'a body that is too large',
    {
      environment: { MAX_REQUEST_BYTES: '2048' },
      happen: ({ send }) => send(`{ __typename } # ${'x'.repeat(4_000)}`),
    },
    /bound request/,
    /MAX_REQUEST_BYTES/,
  ],
  [
    'a file that is too large',
    { environment: { MAX_UPLOAD_BYTES: '1024' }, happen: uploads(scan, 100_000) },
    /bound file/,
    /MAX_UPLOAD_BYTES/,
  ],
  [
    'an XML that is too large',
    { environment: { MAX_XML_BYTES: '1024' }, happen: uploads(fapiao, 100_000) },
    /bound xml/,
    /MAX_XML_BYTES/,
  ],
  [
    'too many WebSockets and event streams',
    {
      environment: { MAX_SOCKETS: '1' },
      async happen({ gateway, send }) {
        await openSocket(gateway);
        return await send(watch, { id: '1' }, { accept: 'text/event-stream' });
      },
    },
    /bound sockets/,
    /MAX_SOCKETS/,
  ],
  [
    'too many operations on one WebSocket',
    {
      overrides: { limits: { maxSubscriptionsPerSocket: 1 } },
      service: [queued],
      async happen({ gateway }) {
        const socket = await connectedSocket(gateway);
        for (const id of ['one', 'two']) socket.subscribe(id, watch, { id });
        await socket.messageOf('two');
        return lastWith(gateway, 'RATE_LIMITED');
      },
    },
    /subscriptions-per-socket/,
    /another WebSocket/,
  ],
  [
    'a caller who watches too many documents',
    {
      overrides: { limits: { maxWatchesPerCaller: 1 } },
      service: [queued],
      async happen({ gateway }) {
        const socket = await connectedSocket(gateway);
        for (const id of ['one', 'two']) {
          socket.subscribe(id, watch, { id });
          await socket.messageOf(id);
        }
        return lastWith(gateway, 'RATE_LIMITED');
      },
    },
    /watches-owner/,
    /10,000 documents of one caller are fixed/,
  ],
  [
    'a caller with too many waiting calls',
    {
      environment: { UPSTREAM_CONCURRENCY_PER_CALLER: '1', SHUTDOWN_GRACE_MS: '50' },
      service: [does.hang],
      async happen({ gateway }) {
        const asked = Array.from({ length: 230 }, (_, at) =>
          gateway.ask(`{ mexicoValidation(by: { documentId: "${at}" }) { result } }`).catch(() => {}),
        );
        await Promise.race(asked);
        return lastWith(gateway, 'RATE_LIMITED');
      },
    },
    /waiting-owner/,
    /UPSTREAM_CONCURRENCY_PER_CALLER/,
  ],
  [
    'a service that limits the rate',
    { service: [does.json(429, {}, { 'retry-after': '30' })] },
    /bound service/,
    /operators of the document service/,
  ],
  [
    'a gateway that stops',
    {
      async happen({ gateway }) {
        const held = Promise.withResolvers<void>();
        const asked = Promise.withResolvers<void>();
        service.will((request, response) => {
          asked.resolve();
          void held.promise.then(() => made(request, response));
        });
        const socket = await connectedSocket(gateway);
        socket.subscribe('one', write, { input: {} });
        await asked.promise;
        const closed = gateway.close();
        // New operations are accepted for a moment.
        while (lastWith(gateway, 'SHUTTING_DOWN') === 'none') {
          const id = randomUUID();
          socket.subscribe(id, '{ __typename }');
          await socket.messageOf(id);
        }
        held.resolve();
        await closed;
        return lastWith(gateway, 'SHUTTING_DOWN');
      },
    },
    /bound shutdown/,
    /SHUTDOWN_DELAY_MS/,
  ],
  [
    'a read that fails with 500 again and again',
    { service: [does.json(500, {})] },
    /responded that it failed \(status 500\)/,
    /operators of the document service/,
  ],
  [
    'a service that is down',
    { environment: { UPSTREAM_URL: 'http://127.0.0.1:1' } },
    /no connection to the document service/,
    /UPSTREAM_URL/,
  ],
  [
    'an open circuit breaker',
    {
      service: [does.reset],
      async happen({ gateway, send }) {
        for (let at = 0; at < 100; at += 1) {
          const { errors } = await gateway.ask(write, { input: {} });
          if (/too often/.test(String(errors?.[0]?.message))) break;
        }
        return await send(write, { input: {} });
      },
    },
    /circuit breaker/,
    /operators of the document service/,
  ],
  [
    'a read that takes longer than its deadline',
    { environment: { UPSTREAM_READ_DEADLINE_MS: '100' }, service: [does.hang] },
    /within the deadline/,
    /UPSTREAM_READ_DEADLINE_MS/,
  ],
  [
    'a write that takes longer than its deadline',
    { environment: { UPSTREAM_WRITE_DEADLINE_MS: '100' }, service: [does.hang], happen: writes },
    /within the deadline/,
    /UPSTREAM_WRITE_DEADLINE_MS/,
    'perhaps',
  ],
  [
    'a scan that takes longer than its deadline',
    {
      environment: { UPSTREAM_SCAN_DEADLINE_MS: '100' },
      service: [does.hang],
      happen: uploads(scan, 1_000),
    },
    /within the deadline/,
    /UPSTREAM_SCAN_DEADLINE_MS/,
    'perhaps',
  ],
  [
    'a write whose response is lost',
    { service: [does.reset], happen: writes },
    /sent, and its response was lost/,
    /operators of the document service/,
    'perhaps',
  ],
  [
    'a repetition of a write whose response was lost',
    {
      service: [does.reset],
      async happen({ send }) {
        const input = { idempotencyKey: randomUUID() };
        await send(write, { input });
        return await send(write, { input });
      },
    },
    /earlier request .*Sent by: +request \S+: createGroup: no response/s,
    /none/,
    'perhaps',
  ],
  [
    'another input under the same idempotency key',
    {
      async happen({ send }) {
        const idempotencyKey = randomUUID();
        await send(write, { input: { idempotencyKey } });
        return await send(write, { input: { idempotencyKey, name: 'b' } });
      },
    },
    /used before with another input/,
    /none/,
  ],
  [
    'a response that does not match the interface',
    { service: [does.json(200, [])] },
    /does not match its interface/,
    /operators of the document service/,
  ],
  ['a wrong address of the service', { service: [does.htmlPage(404)] }, /HTML page/, /UPSTREAM_URL/],
  [
    'credentials that the service rejects',
    { service: [does.json(401, {})] },
    /rejected the caller's credentials/,
    /none/,
  ],
  [
    'a missing credential',
    { happen: ({ send }) => send(read, {}, { authorization: '', 'x-api-key': '' }) },
    /header with a credential is missing/,
    /none/,
  ],
  [
    'a caller whom the service does not allow',
    { service: [does.json(403, {})] },
    /does not allow this to the caller/,
    /granted by the document service/,
  ],
  [
    'a text where only persisted operations run',
    {
      environment: {
        PERSISTED_OPERATIONS: 'examples/persisted-operations.json',
        PERSISTED_OPERATIONS_ONLY: 'true',
      },
    },
    /sent as text/,
    /PERSISTED_OPERATIONS_ONLY/,
  ],
  [
    'an operation of a newer schema',
    { happen: ({ send }) => send('{ newField }') },
    /does not match the schema/,
    /deploy the gateway before clients/,
  ],
  [
    'a Redis that is unreachable',
    {
      environment: {
        LANE_SECRET: 'a secret of this fleet, 32 bytes or more',
        REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      },
      happen: ({ send }) => send(write, { input: { idempotencyKey: randomUUID() } }),
    },
    /Redis, which keeps the idempotency keys/,
    /REDIS_URL/,
  ],
];

const row = (text: string, name: string) => new RegExp(`^${name}: +(.*)$`, 'm').exec(text)?.[1] ?? '';

describe('folio why', { timeout: 60_000 }, () => {
  it.each(incidents)(
    'names cause and setting of %s',
    async (_name, incident, decided, change, done = 'no') => {
      if (incident.service) service.will(...incident.service);
      const environment = { UPSTREAM_URL: service.url, ...incident.environment };
      const gateway = await startTestGateway(environment, incident.overrides);
      const send: Stage['send'] = async (query, variables, headers) => {
        const requestId = randomUUID();
        const all = { ...alice, ...headers, 'x-request-id': requestId };
        await (await post(gateway, { query, variables }, all)).text();
        return requestId;
      };
      const requestId = await (incident.happen?.({ gateway, send }) ?? send(read));
      service.cut();
      await gateway.close().catch(() => {});
      const { text, isFound } = explain(linesOf(gateway), requestId);
      expect(isFound, gateway.log().join('')).toBe(true);
      expect(text).toMatch(decided);
      expect(row(text, 'Change')).toMatch(change);
      expect(row(text, 'Done')).toMatch(new RegExp(`^${done}\\b`));
      expect(row(text, 'Tell the caller').length).toBeGreaterThan(20);
      for (const secret of Object.values(alice)) expect(text).not.toContain(secret);
    },
  );

  it('says of a write that succeeded that it was done, and of its repetition by which request', async () => {
    const gateway = await startTestGateway({ UPSTREAM_URL: service.url });
    const input = { idempotencyKey: randomUUID() };
    for (const requestId of ['first-request', 'second-request'])
      await gateway.ask(write, { input }, { ...alice, 'x-request-id': requestId });
    await gateway.close();
    const lines = linesOf(gateway);
    expect(row(explain(lines, 'first-request').text, 'Done')).toBe('yes.');
    const { text } = explain(lines, 'second-request');
    expect(row(text, 'Done')).toMatch(/^yes, once/);
    expect(row(text, 'Sent by')).toMatch(/^request first-request: createGroup: status 200/);
  });
});

describe('npx folio', () => {
  const run = (parameters: readonly string[], input = '') =>
    spawnSync(process.execPath, ['scripts/folio.ts', ...parameters], { encoding: 'utf8', input });
  const line = JSON.stringify({
    ...{ msg: 'operation', requestId: 'abcdefgh', time: '2031-01-01T00:00:00Z' },
    ...{ outcome: 'RATE_LIMITED', bound: 'rate-owner', sideEffect: 'NONE' },
  });

  it('reads lines from standard input, also behind a prefix and between others', () => {
    const { status, stdout } = run(['why', 'abcdefgh'], `folio-1  | ${line}\nno line {\n{}\n`);
    expect([status, stdout]).toEqual([0, expect.stringContaining('RATE_LIMIT_PER_MINUTE')]);
  });

  it('reads lines from a file', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'why-')), 'folio.log');
    writeFileSync(path, line);
    expect(run(['why', 'abcdefgh', path]).stdout).toContain('RATE_LIMIT_PER_MINUTE');
  });

  it('says where to look when no line is about the request, and ends with 1', () => {
    const { status, stdout } = run(['why', 'ijklmnop'], line);
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
