/** A Redis that is reachable and refuses writes is visible: metrics, readiness and log say why. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRedisRefusals, reasonOf } from '../../src/state/ledger/redis-refusals.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { startFakeRedis } from '../support/fake-redis.ts';
import { readinessOf, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { keyed, redisLedger } from '../support/ledgers.ts';
import { forTest, redisForFile, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { fleetOf, hasRedis, silentLog, startRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';

const write = (key: string) =>
  `mutation { createGroup(input: { idempotencyKey: "${key}-of-refusals" }) { ... on Group { id } } }`;

const refusal = { code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE', retryable: true };
const service = await serviceForFile(does.json(200, { createGroup: { id: 8 } }));

/** With a user for gateways. */
const redis = await redisForFile('--user', 'folio', 'on', '>pass', '~*', '&*', '+@all');
const { client } = redis;

async function start(more: Record<string, string> = {}) {
  const fleet = fleetOf({ url: redis.url.replace('://', '://folio:pass@') });
  return readable(forTest(await startTestGateway({ UPSTREAM_URL: service.url, ...fleet, ...more })));
}

/** A gateway, and what it says about its ledger. */
const readable = (gateway: TestGateway) => ({
  ...gateway,
  degraded: async () => (await readinessOf(gateway)).degraded,
  refused: (reason: string) => metricOf(gateway, `folio_ledger_refused_total{reason="${reason}"}`),
  lines: (text: string) => gateway.logged().filter(({ msg }) => msg.includes(text)),
});

it.each([
  ['Connection is closed.', 'lost'],
  ['Command timed out', 'timeout'],
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
  const error = Buffer.from(`-${message}\r\n`);
  const { port } = forTest(await startFakeRedis((name) => (name === 'eval' ? error : undefined)));
  const fleet = fleetOf({ url: `redis+cluster://127.0.0.1:${port}` });
  const { ask, refused, degraded, lines } = readable(
    forTest(await startTestGateway({ UPSTREAM_URL: service.url, ...fleet })),
  );
  expect((await ask(write('first'))).errors).toMatchObject([{ extensions: refusal }]);
  expect(service.received).toEqual([]);
  expect(await refused(reason)).toBe(1);
  expect(await degraded()).toEqual([`redis refuses: ${reason}`]);
  expect(lines('refuses writes')).toMatchObject([{ reason, ...(reply && { reply }) }]);
});

describe.skipIf(!hasRedis())('a Redis that refuses keyed writes', () => {
  beforeEach(() => client.flushall());

  it.each([
    ['full', 'OOM', 'config set maxmemory 1', 'config set maxmemory 0'],
    ['no_replicas', 'NOREPLICAS', 'config set min-replicas-to-write 1', 'config set min-replicas-to-write 0'],
    ['not_permitted', 'NOPERM', 'acl setuser folio -eval', 'acl setuser folio +@all'],
    ['not_permitted', 'NOPERM', 'acl setuser folio -hset', 'acl setuser folio +@all'],
    ['not_permitted', 'NOPERM', 'acl setuser folio -set', 'acl setuser folio +@all'],
    ['not_permitted', 'NOPERM', 'acl setuser folio -pexpire', 'acl setuser folio +@all'],
  ])('because it is %s (%s) shows that until it accepts one', async (reason, reply, refuse, accept) => {
    const { ask, refused, degraded, lines, log } = await start();
    await client.call(...(refuse.split(' ') as [string]));
    const error = reason === 'full' ? { code: 'RATE_LIMITED', bound: 'ledger' } : {};
    for (const key of ['first', 'second']) {
      const { errors } = await ask(write(key));
      expect(errors).toMatchObject([{ extensions: { ...refusal, ...error } }]);
    }
    expect(service.received).toEqual([]);
    expect(await refused(reason)).toBe(2);
    expect(await degraded()).toEqual([`redis refuses: ${reason}`]);
    expect(lines('refuses writes'), 'the first of a kind').toMatchObject([{ reason, reply }]);
    expect(log().join('')).not.toContain('pass@');
    await client.call(...(accept.split(' ') as [string]));
    expect((await ask(write('first'))).errors).toBeUndefined();
    expect(await degraded()).toEqual([]);
    expect(lines('accepts writes again')).toMatchObject([{ reasons: [reason] }]);
  });

  it('lets a repetition wait for an outcome that it refuses to store', async () => {
    const { ask } = await start();
    const received = service.hold(does.json(200, { createGroup: { id: 8 } }));
    const first = ask(write('first'));
    const respond = await received;
    await client.call('acl', 'setuser', 'folio', '-hset');
    respond();
    expect((await first).errors).toBeUndefined();
    const second = ask(write('first'));
    await expect.poll(() => client.call('acl', 'log').then(String)).toContain('hset');
    await client.call('acl', 'setuser', 'folio', '+@all');
    expect((await second).data).toEqual({ createGroup: { id: '8' } });
    expect(service.received).toHaveLength(1);
  });

  it('because it is a replica shows that until it is promoted, and nothing is sent to the service', async () => {
    const primary = forTest(await startRedis());
    await client.call('replicaof', '127.0.0.1', String(primary.port));
    await expect.poll(() => client.info('replication')).toContain('link_status:up');
    const gateway = await start();
    const { ask, refused, degraded, lines } = gateway;
    for (const key of ['first', 'second', 'first']) {
      await expect.poll(() => metricOf(gateway, 'folio_redis_lost')).toBe(0);
      const { errors } = await ask(write(key));
      expect(errors).toMatchObject([{ extensions: refusal }]);
    }
    expect(service.received).toEqual([]);
    // After each refusal the gateway looks for another server, and is without a connection meanwhile.
    expect(await refused('read_only')).toBeGreaterThan(0);
    expect((await refused('read_only')) + (await refused('lost'))).toBe(3);
    expect(await degraded()).toContain('redis refuses: read_only');
    expect(lines('refuses writes')[0]).toMatchObject({ reason: 'read_only', reply: 'READONLY' });
    await client.call('replicaof', 'no', 'one');
    await expect.poll(async () => (await ask(write('first'))).errors).toBeUndefined();
    expect(service.received).toHaveLength(1);
    await expect.poll(degraded).toEqual([]);
  });

  it('because it became a replica is not lost, although its gateway has outcomes to store again', async () => {
    const primary = forTest(await startRedis());
    const { ask } = await start();
    await ask(write('stored'));
    await client.call('replicaof', '127.0.0.1', String(primary.port));
    await expect
      .poll(async () => (await ask(write('first'))).errors)
      .toMatchObject([{ extensions: refusal }]);
    const connections = async () =>
      Number(/total_connections_received:(\d+)/.exec(await client.info('stats'))?.[1]);
    const startedAt = performance.now();
    const replaced = (await connections()) + 3;
    do await ask(write('second'));
    while ((await connections()) < replaced);
    // The gateway looks for another server once a second, and has its connection for most of the time.
    expect(performance.now() - startedAt).toBeGreaterThan(1_500);
    await client.call('replicaof', 'no', 'one');
    await expect.poll(async () => (await ask(write('first'))).errors).toBeUndefined();
  });

  it('because it replies too late is a timeout', async () => {
    const { ask, refused } = await start();
    await client.call('client', 'pause', '60000', 'WRITE');
    expect((await ask(write('late'))).errors).toMatchObject([{ extensions: refusal }]);
    await client.call('client', 'unpause');
    expect(service.received).toEqual([]);
    expect(await refused('timeout')).toBe(1);
  });

  it.each([[1], ['OK'], [null], [[null]], [[null, null, null, null, null, -2]]])(
    'because a proxy replies %j is refused: nothing is sent',
    async (reply) => {
      const { connection, ledger } = await redisLedger(redis.url, 60_000, 10_000);
      onTestFinished(connection.close);
      vi.spyOn(connection.commands, 'callBuffer').mockResolvedValue(reply);
      const send = vi.fn();
      await expect(ledger.runOnce(keyed('proxied'), send)).rejects.toMatchObject(refusal);
      expect(send).not.toHaveBeenCalled();
    },
  );

  it('because replicas do not acknowledge says so, and measures the wait', async () => {
    const gateway = await start({ REDIS_REPLICAS: '1' });
    await gateway.ask(write('alone'));
    expect(await gateway.refused('not_acknowledged')).toBe(1);
    for (const duration of ['replication', 'reservation'])
      expect(await metricOf(gateway, `folio_ledger_${duration}_duration_seconds_count`)).toBe(1);
  });

  it('because it is lost counts that, sends nothing, and the log has the code of a wrong password', async () => {
    const { ask, refused, lines } = await start({ REDIS_URL: redis.url.replace('://', '://folio:wrong@') });
    expect((await ask(write('lost'))).errors).toMatchObject([{ extensions: refusal }]);
    expect(service.received).toEqual([]);
    expect(await refused('lost')).toBe(1);
    await expect.poll(() => lines('redis lost')).toMatchObject([{ reply: 'WRONGPASS' }]);
  });

  it('because it accepts connections and does not reply is a timeout in the log', async () => {
    const redis = forTest(await startRedis());
    redis.freeze();
    const gateway = forTest(await startTestGateway(fleetOf(redis)));
    await expect.poll(() => gateway.logged('redis lost')).toMatchObject([{ reason: 'timeout' }]);
  });

  it('refuses no other write at a new primary when a program has replaced the entry of a write', async () => {
    const redis = forTest(await startRedis('--enable-debug-command', 'yes'));
    const { ask } = forTest(await startTestGateway({ UPSTREAM_URL: service.url, ...fleetOf(redis) }));
    const received = service.hold(does.json(200, { createGroup: { id: 8 } }));
    const first = ask(write('replaced'));
    const respond = await received;
    const [entry = ''] = (await redis.client.keys('folio:ledger:*')).filter(
      (name) => !name.includes(':lease'),
    );
    await redis.client.multi().del(entry).rpush(entry, 'value').exec();
    respond();
    expect((await first).data).toEqual({ createGroup: { id: '8' } });
    await redis.client.call('debug', 'change-repl-id');
    service.will(does.json(200, { createGroup: { id: 9 } }));
    expect((await ask(write('other'))).data).toEqual({ createGroup: { id: '9' } });
    expect((await ask(write('replaced'))).errors).toMatchObject([
      { extensions: { code: 'IDEMPOTENCY_CONFLICT', sideEffect: 'POSSIBLE', retryable: false } },
    ]);
    expect(service.received).toHaveLength(2);
  });
});
