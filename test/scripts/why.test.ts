/** `folio why` explains requests from the log lines that real gateways wrote when something went wrong. */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../scripts/why/command.ts';
import { explain } from '../../scripts/why/explain.ts';
import { type LogLine, lineIn } from '../../scripts/why/log-line.ts';
import { reservationGivenUp } from '../../src/state/ledger/ledger-errors.ts';
import { alice, post, scanCard, startTestGateway, type TestGateway, withKey } from '../support/gateway.ts';
import { forTest, serviceForFile, temporaryFolder } from '../support/lifetimes.ts';
import { listen } from '../support/listen.ts';
import { metricOf } from '../support/metric.ts';
import { printed } from '../support/printed.ts';
import { fleetOf } from '../support/redis.ts';
import * as does from '../support/service.ts';

const made = does.json(200, { createGroup: { id: 7 } });
const service = await serviceForFile(made);

const read = 'query Latest { mexicoValidation(by: { documentId: "1" }) { result } }';
const write = 'mutation Make($input: CreateGroupInput!) { createGroup(input: $input) { __typename } }';
const manifest = 'examples/persisted-operations.json';

interface Stage {
  readonly gateway: TestGateway;
  /** Sends the operation and returns the id of its request. */
  send(query: string, variables?: object, headers?: Record<string, string>): Promise<string>;
}

interface Incident {
  readonly environment?: Record<string, string>;
  readonly service?: readonly does.Behaviour[];
  /** Makes it happen, and returns the id of the request to explain. Default: one read. */
  readonly happen?: (stage: Stage) => Promise<string>;
}

const linesOf = (gateway: TestGateway) => gateway.log().flatMap((text) => lineIn(text) ?? []);

/** The id of the last request whose line has this outcome: transports without headers choose their own. */
const lastWith = (gateway: TestGateway, outcome: string) =>
  linesOf(gateway).findLast((line) => line.outcome === outcome)?.requestId ?? 'none';

async function scans({ gateway }: Stage): Promise<string> {
  const requestId = randomUUID();
  await scanCard(gateway, 'a card', { ...alice, 'x-request-id': requestId });
  return requestId;
}
const reads = ({ send }: Stage) => send(read);
const writes = ({ send }: Stage) => send(write, { input: {} });

/** Sends the write twice under one key, the second time with these members too, and returns the id of the second request. */
const repeats =
  (others: object = {}) =>
  async ({ send }: Stage): Promise<string> => {
    const idempotencyKey = randomUUID();
    await send(write, { input: { idempotencyKey } });
    return await send(write, { input: { idempotencyKey, ...others } });
  };

type Row = [string, Incident, decided: RegExp, change: RegExp, done?: 'no' | 'perhaps' | undefined];
type Happen = NonNullable<Incident['happen']>;

const outOfTime = /within the deadline/;

/** What happens with a setting, while the service does not respond, and what `why` names as the cause. */
const bySetting: [string, Record<string, string>, Happen, decided: RegExp, done?: 'perhaps'][] = [
  [
    'more operations than the rate allows',
    { RATE_LIMIT_PER_MINUTE: '1' },
    ({ send }) => send('{ __typename }').then(() => send('{ __typename }')),
    /rate-owner .*of this one caller/,
  ],
  [
    'a body that is too large',
    { MAX_REQUEST_BYTES: '2048' },
    ({ send }) => send(`{ __typename } # ${'x'.repeat(4_000)}`),
    /bound request/,
  ],
  [
    'a read that waits for its turn beyond its deadline',
    { UPSTREAM_CONCURRENCY_PER_CALLER: '1', UPSTREAM_READ_DEADLINE_MS: '100', SHUTDOWN_GRACE_MS: '50' },
    async ({ gateway, send }) => {
      void gateway.ask(write, { input: {} }).catch(() => {});
      await expect.poll(() => metricOf(gateway, 'folio_service_calls_in_flight')).toBe(1);
      return await send(read);
    },
    /mexicoValidation: not sent.*waited for a slot until its deadline/s,
  ],
  ['a read beyond its deadline', { UPSTREAM_READ_DEADLINE_MS: '1000' }, reads, outOfTime],
  ['a write beyond its deadline', { UPSTREAM_WRITE_DEADLINE_MS: '1000' }, writes, outOfTime, 'perhaps'],
  ['a scan beyond its deadline', { UPSTREAM_SCAN_DEADLINE_MS: '1000' }, scans, outOfTime, 'perhaps'],
  [
    'a write that the end of the grace time ends',
    { SHUTDOWN_GRACE_MS: '100' },
    async ({ gateway, send }) => {
      const asked = Promise.withResolvers<void>();
      service.will(() => asked.resolve());
      const sent = send(write, { input: {} });
      await asked.promise;
      await gateway.close();
      return await sent;
    },
    /gateway stopped before/,
    'perhaps',
  ],
];

const operators = /operators of the document service/;

/** How the service responds to a read, and what `why` names as the cause and the remedy. */
const byResponse: [string, does.Behaviour, decided: RegExp, change: RegExp][] = [
  ['a service that limits the rate', does.json(429, {}, { 'retry-after': '90' }), /bound service/, operators],
  ['a read that fails again and again', does.json(500, {}), /that it failed \(status 500\)/, operators],
  [
    'a request that the service did not receive',
    does.json(408, {}),
    /not receive the whole request/,
    operators,
  ],
  ['a response of another form', does.json(200, []), /does not match its interface/, operators],
  ['a wrong address of the service', does.htmlPage(404), /HTML page/, /UPSTREAM_URL/],
  ['rejected credentials', does.json(401, {}), /rejected the caller's credentials/, /none/],
  ['a caller without permission', does.json(403, {}), /not allow this to the/, /granted by the document/],
];

/** What happens, what `why` names as the cause, what changes it, and whether the operation was done. Default: no. */
const incidents: Row[] = [
  ...bySetting.map(([name, environment, happen, decided, done]): Row => {
    const [variable = ''] = Object.keys(environment);
    return [name, { environment, happen, service: [does.hang] }, decided, new RegExp(variable), done];
  }),
  ...byResponse.map(([name, behaviour, ...expected]): Row => [name, { service: [behaviour] }, ...expected]),
  [
    'a service that is down',
    { environment: { UPSTREAM_URL: 'http://127.0.0.1:1' } },
    /no response \(ECONNREFUSED\).*no connection to the document service/s,
    /UPSTREAM_URL.* NODE_EXTRA_CA_CERTS/,
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
    operators,
  ],
  [
    'a write whose response is lost',
    { service: [does.reset], happen: writes },
    /sent, and its response was lost/,
    operators,
    'perhaps',
  ],
  [
    'a repetition of a write whose response was lost',
    { service: [does.reset], happen: repeats() },
    /earlier request .*Sent by: +request \S+: createGroup: no response/s,
    /none/,
    'perhaps',
  ],
  [
    'another input under the same idempotency key',
    { happen: repeats({ name: 'b' }) },
    /used before with another input/,
    /none/,
  ],
  [
    'a missing credential',
    { happen: ({ send }) => send(read, {}, { authorization: '', ...withKey('') }) },
    /header with a credential is missing/,
    /none/,
  ],
  [
    'a text where only persisted operations run',
    { environment: { PERSISTED_OPERATIONS: manifest, PERSISTED_OPERATIONS_ONLY: 'true' } },
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
      environment: fleetOf({ url: 'redis://127.0.0.1:1' }),
      happen: ({ send }) => send(write, { input: { idempotencyKey: randomUUID() } }),
    },
    /Redis, which keeps the idempotency keys/,
    /REDIS_URL/,
  ],
];

const row = (text: string, name: string) => new RegExp(`^${name}: +(.*)$`, 'm').exec(text)?.[1] ?? '';

describe('folio why', () => {
  it.each(incidents)(
    'names cause and setting of %s',
    async (_name, incident, decided, change, done = 'no') => {
      if (incident.service) service.will(...incident.service);
      const environment = { UPSTREAM_URL: service.url, ...incident.environment };
      const gateway = await startTestGateway(environment);
      const send: Stage['send'] = async (query, variables, headers) => {
        const requestId = randomUUID();
        const all = { ...alice, ...headers, 'x-request-id': requestId };
        await (await post(gateway, { query, variables }, all)).text();
        return requestId;
      };
      const requestId = await (incident.happen ?? reads)({ gateway, send });
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

  it('prints the example of docs/operating.md', () => {
    const call = { operation: 'createGroup', kind: 'write', attempts: 1, durationMs: 9 };
    const caller = { lane: 'yJbtUBVa', operation: 'mutation', name: 'CreateGroup', hash: '9d0b47734020' };
    const outcome = { outcome: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE', durationMs: 12, calls: [call] };
    const line = {
      msg: 'operation',
      requestId: '5f7c…',
      time: '2031-01-01T08:00:00.000Z',
      ...caller,
      ...outcome,
    };
    const { text } = explain([lineIn(JSON.stringify(line)) as LogLine], '5f7c…');
    expect(readFileSync('docs/operating.md', 'utf8')).toContain(text);
  });

  it('names the address of a service that accepts no connection before the deadline', async () => {
    const connections: Socket[] = [];
    const { url } = forTest(await listen(createServer((connection) => connections.push(connection))));
    forTest({
      close() {
        for (const connection of connections) connection.destroy();
      },
    });
    const environment = { UPSTREAM_URL: url.replace('http', 'https'), UPSTREAM_READ_DEADLINE_MS: '500' };
    const gateway = forTest(await startTestGateway(environment));
    await gateway.ask(read);
    const { text } = explain(linesOf(gateway), lastWith(gateway, 'UPSTREAM_TIMEOUT'));
    expect(row(text, 'Decided')).toMatch(/^no connection to the document service could be made/);
    expect(row(text, 'Change')).toMatch(/UPSTREAM_URL/);
  });

  it.each<[string, string, RegExp, RegExp]>([
    [
      'UPSTREAM_UNAVAILABLE',
      'The upload could not start within 30 s because too many uploads are in progress; nothing was sent.',
      /the file waited for 30 s/,
      /UPSTREAM_CONNECTIONS/,
    ],
    ['UPSTREAM_UNAVAILABLE', reservationGivenUp().message, /another request with this key/, /none/],
    [
      'UPSTREAM_BAD_RESPONSE',
      'The document service responded with the unexpected status 407.',
      /a proxy refused/,
      /HTTP_PROXY/,
    ],
    [
      'UPSTREAM_TIMEOUT',
      'The document service stopped reading the file of scanIdentityCard.',
      /stopped reading the file/,
      operators,
    ],
  ])('names cause and setting of %s: %s', (outcome, reason, decided, change) => {
    const line = { msg: 'operation', time: '2031-01-01T00:00:00Z', requestId: 'abcdefgh', outcome, reason };
    const { text } = explain([line as LogLine], line.requestId);
    expect(row(text, 'Decided')).toMatch(decided);
    expect(row(text, 'Change')).toMatch(change);
  });

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
    printed(() => runCommand(parameters, Readable.from([input])));
  const line = JSON.stringify({
    ...{ msg: 'operation', requestId: 'abcdefgh', time: '2031-01-01T00:00:00Z' },
    ...{ outcome: 'RATE_LIMITED', bound: 'rate-owner', sideEffect: 'NONE' },
  });

  it('reads lines from standard input, also behind a prefix and between others, and from a file', async () => {
    const { status, output } = await run(['why', 'abcdefgh'], `folio-1  | ${line}\nno line {\n{}\n`);
    expect([status, output]).toEqual([0, expect.stringContaining('RATE_LIMIT_PER_MINUTE')]);
    const path = join(temporaryFolder(), 'folio.log');
    writeFileSync(path, line);
    expect((await run(['why', 'abcdefgh', path])).output).toContain('RATE_LIMIT_PER_MINUTE');
  });

  it('names the error of a bug, not the one of GraphQL around it, with its stack', () => {
    const own = { time: '2031-01-01T08:00:00.000Z', requestId: 'abcdefgh' };
    const stack = ['createGroup (group.ts:21:5)'];
    const err = { name: 'GraphQLError', stack, cause: { name: 'TypeError', stack } };
    const lines: LogLine[] = [
      { ...own, msg: 'unforeseen error', err },
      { ...own, msg: 'operation', operation: 'mutation', outcome: 'INTERNAL_SERVER_ERROR' },
    ];
    expect(explain(lines, 'abcdefgh').text).toMatch(
      /^Bug: +TypeError\n {2}at createGroup \(group\.ts:21:5\)$/m,
    );
  });

  it('says where to look when no line is about the request, and ends with 1', async () => {
    const { status, output } = await run(['why', 'ijklmnop'], line);
    expect([status, output]).toEqual([
      1,
      expect.stringMatching(/^No line is about the request ijklmnop.* or they are not JSON/s),
    ]);
  });

  it('ends with 66, and not as if no line were about the request, when the file cannot be read', async () => {
    const { status, errors } = await run(['why', 'abcdefgh', join(temporaryFolder(), 'none.log')]);
    expect([status, errors]).toEqual([66, expect.stringMatching(/^The log lines cannot be read: ENOENT/)]);
  });

  it.each([[['what']], [['why']], [['why', 'a', 'b', 'c']]])(
    'ends with 64 and the usage for %j',
    async (parameters) => {
      const { status, errors } = await run(parameters);
      expect([status, errors]).toEqual([64, expect.stringMatching(/^Usage: npx folio why/)]);
    },
  );
});
