/** A Redis that is reachable and refuses writes is visible: metrics, readiness and log say why. */
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRedisRefusals, reasonOf } from '../../src/state/ledger/redis-refusals.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { startFakeRedis } from '../support/fake-redis.ts';
import { readinessOf, startTestGateway } from '../support/gateway.ts';
import { forTest, redisForFile, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { fleetOf, hasRedis, silentLog, startRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';

/** In the log. */
const refuses = 'the idempotency ledger refuses writes';

let tests = 0;
beforeEach(() => {
  tests += 1;
});
/** Each test has keys of its own: its gateway restores those of earlier ones. */
const write = (key: string) =>
  `mutation { createGroup(input: { idempotencyKey: "${key}-of-test-${tests}" }) { ... on Group { id } } }`;

const refusal = { code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE', retryable: true };
const done = { createGroup: { id: '8' } };
const service = await serviceForFile(does.json(200, { createGroup: { id: 8 } }));

/** With a user for gateways. */
const user = ['--user', 'folio', 'on', '>pass', '~*', '&*', '+@all'];
const redis = await redisForFile(...user, '--enable-debug-command', 'yes');
const { client } = redis;

/** A gateway, and what it says about its ledger. */
async function start(more: Record<string, string> = {}) {
  const fleet = fleetOf({ url: redis.url.replace('://', '://folio:pass@') });
  const gateway = await startTestGateway({ UPSTREAM_URL: service.url, ...fleet, ...more });
  return {
    ...gateway,
    degraded: async () => (await readinessOf(gateway)).degraded,
    refused: (reason: string) => metricOf(gateway, `folio_ledger_refused_total{reason="${reason}"}`),
  };
}

it.each([
  ['Connection is closed.', 'lost'],
  ['Command timed out', 'timeout'],
  ['Too many Cluster redirections. Last error: Error: Command timed out', 'timeout'],
])('the reason of the error %j of Redis is %s', (message, reason) => {
  expect(reasonOf(new Error(message))).toBe(reason);
});

it('a refusal counts for a minute if no write follows', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(100_000);
  onTestFinished(() => void now.mockRestore());
  const refusals = createRedisRefusals(createMetrics('test'), silentLog);
  refusals.count('full');
  now.mockReturnValue(159_999);
  expect(refusals.recent()).toEqual(['full']);
  now.mockReturnValue(160_000);
  expect(refusals.recent()).toEqual([]);
});

it.each([
  ['CLUSTERDOWN Hash slot not served', 'other', 'CLUSTERDOWN'],
  ['MOVED 1 127.0.0.1:1', 'lost', undefined],
])('a cluster that replies %j to a keyed write shows that as %s', async (message, reason, reply) => {
  const { setTimeout: later } = globalThis;
  // A busy machine needs more than half a second for the attempts of a command.
  const delayed = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((task: () => void, ms: number, ...rest: []) =>
      later(task, ms === 500 ? 60_000 : ms, ...rest)) as typeof setTimeout);
  onTestFinished(() => delayed.mockRestore());
  const error = Buffer.from(`-${message}\r\n`);
  const { port } = forTest(await startFakeRedis((name) => (name === 'eval' ? error : undefined)));
  const gateway = forTest(await start({ REDIS_URL: `redis+cluster://127.0.0.1:${port}` }));
  expect((await gateway.ask(write('first'))).errors).toMatchObject([{ extensions: refusal }]);
  expect(service.received).toEqual([]);
  expect(await gateway.refused(reason)).toBe(1);
  expect(await gateway.degraded()).toEqual([`redis refuses: ${reason}`]);
  expect(gateway.logged(refuses)).toMatchObject([{ reason, ...(reply && { reply }) }]);
});

describe.skipIf(!hasRedis())('a Redis that refuses keyed writes', () => {
  let gateway: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    gateway = await start();
    return gateway.close;
  });

  it.each([
    ['full', 'OOM', 'config set maxmemory 1', 'config set maxmemory 0'],
    ['no_replicas', 'NOREPLICAS', 'config set min-replicas-to-write 1', 'config set min-replicas-to-write 0'],
    ['not_permitted', 'NOPERM', 'acl setuser folio -eval', 'acl setuser folio +@all'],
    ['not_permitted', 'NOPERM', 'acl setuser folio -set', 'acl setuser folio +@all'],
    ['not_permitted', 'NOPERM', 'acl setuser folio -pexpire', 'acl setuser folio +@all'],
  ])('because it is %s (%s) shows that until it accepts one', async (reason, reply, refuse, accept) => {
    const { ask, refused, degraded, logged } = gateway;
    const [before, lines] = [await refused(reason), logged().length];
    await client.call(...(refuse.split(' ') as [string]));
    const error = reason === 'full' ? { code: 'RATE_LIMITED', bound: 'ledger' } : {};
    for (const key of ['first', 'second']) {
      const { errors } = await ask(write(key));
      expect(errors).toMatchObject([{ extensions: { ...refusal, ...error } }]);
    }
    expect(service.received).toEqual([]);
    expect((await refused(reason)) - before).toBe(2);
    expect(await degraded()).toEqual([`redis refuses: ${reason}`]);
    await client.call(...(accept.split(' ') as [string]));
    expect((await ask(write('first'))).errors).toBeUndefined();
    expect(await degraded()).toEqual([]);
    const said = logged()
      .slice(lines)
      .filter(({ msg }) => msg.includes('idempotency ledger'));
    expect(said, 'once of each kind').toMatchObject([
      { msg: expect.stringContaining(refuses), reason, reply },
      { msg: expect.stringContaining('accepts writes again'), reasons: [reason] },
    ]);
    expect(gateway.log().join('')).not.toContain('pass@');
  });

  it('lets a repetition wait for an outcome that it refuses to store', async () => {
    const received = service.hold(does.json(200, { createGroup: { id: 8 } }));
    const first = gateway.ask(write('first'));
    const respond = await does.arrival(received, first);
    await client.call('acl', 'setuser', 'folio', '-hset');
    respond();
    expect((await first).errors).toBeUndefined();
    const second = gateway.ask(write('first'));
    await expect.poll(() => client.call('acl', 'log').then(String)).toContain('hset');
    await client.call('acl', 'setuser', 'folio', '+@all');
    expect((await second).data).toEqual(done);
    expect(service.received).toHaveLength(1);
  });

  it('because it replies too late is a timeout', async () => {
    const before = await gateway.refused('timeout');
    await client.call('client', 'pause', '60000', 'WRITE');
    expect((await gateway.ask(write('late'))).errors).toMatchObject([{ extensions: refusal }]);
    await client.call('client', 'unpause');
    expect(service.received).toEqual([]);
    expect((await gateway.refused('timeout')) - before).toBe(1);
  });

  it('refuses no other write at a new primary when a program has replaced the entry of a write', async () => {
    await client.flushall();
    const received = service.hold(does.json(200, { createGroup: { id: 8 } }));
    const first = gateway.ask(write('replaced'));
    const respond = await does.arrival(received, first);
    const entries = await client.keys('folio:ledger:*');
    const [entry = ''] = entries.filter((name) => !name.includes(':lease'));
    await client.multi().del(entry).rpush(entry, 'value').exec();
    respond();
    expect((await first).data).toEqual(done);
    await client.call('debug', 'change-repl-id');
    service.will(does.json(200, { createGroup: { id: 9 } }));
    expect((await gateway.ask(write('other'))).data).toEqual({ createGroup: { id: '9' } });
    expect((await gateway.ask(write('replaced'))).errors).toMatchObject([
      { extensions: { code: 'IDEMPOTENCY_CONFLICT', sideEffect: 'POSSIBLE', retryable: false } },
    ]);
    expect(service.received).toHaveLength(2);
  });

  it('because it became a replica shows that until it is promoted, and is not lost for most of the time', async () => {
    const replica = forTest(await startRedis());
    const { ask, refused, degraded, logged } = forTest(await start({ REDIS_URL: replica.url }));
    // The gateway has an outcome to store again.
    expect((await ask(write('stored'))).data).toEqual(done);
    await replica.client.call('replicaof', '127.0.0.1', String(redis.port));
    await expect.poll(() => replica.client.info('replication')).toContain('link_status:up');
    const connections = async () =>
      Number(/total_connections_received:(\d+)/.exec(await replica.client.info('stats'))?.[1]);
    const startedAt = performance.now();
    const replaced = (await connections()) + 3;
    let writes = 0;
    do {
      writes += 1;
      expect((await ask(write('first'))).errors).toMatchObject([{ extensions: refusal }]);
    } while ((await connections()) < replaced);
    // The gateway looks for another server once a second, and has its connection for most of the time.
    expect(performance.now() - startedAt).toBeGreaterThan(1_500);
    expect(service.received).toHaveLength(1);
    const refusals = await refused('read_only');
    expect(refusals).toBeGreaterThan(0);
    expect(refusals + (await refused('lost'))).toBe(writes);
    expect(await degraded()).toContain('redis refuses: read_only');
    expect(logged(refuses)).toContainEqual(
      expect.objectContaining({ reason: 'read_only', reply: 'READONLY' }),
    );
    await replica.client.call('replicaof', 'no', 'one');
    await expect.poll(async () => (await ask(write('first'))).errors).toBeUndefined();
    expect(service.received).toHaveLength(2);
    await expect.poll(degraded).toEqual([]);
  });

  it('because replicas do not acknowledge says so, and measures the wait', async () => {
    const narrow = forTest(await start({ REDIS_REPLICAS: '1' }));
    await narrow.ask(write('alone'));
    expect(await narrow.refused('not_acknowledged')).toBe(1);
    for (const duration of ['replication', 'reservation'])
      expect(await metricOf(narrow, `folio_ledger_${duration}_duration_seconds_count`)).toBe(1);
  });

  it('because it is lost counts that, sends nothing, and the log has the code of a wrong password', async () => {
    const { ask, refused, logged } = forTest(
      await start({ REDIS_URL: redis.url.replace('://', '://folio:wrong@') }),
    );
    expect((await ask(write('lost'))).errors).toMatchObject([{ extensions: refusal }]);
    expect(service.received).toEqual([]);
    expect(await refused('lost')).toBe(1);
    await expect.poll(() => logged('redis lost')).toMatchObject([{ reply: 'WRONGPASS' }]);
  });
});
