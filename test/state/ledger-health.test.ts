/** A Redis that is reachable and refuses writes is visible: metrics, readiness and log say why. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = { timeout: 20_000, interval: 50 };
const write = (key: string) =>
  `mutation { createGroup(input: { idempotencyKey: "${key}-of-health" }) { ... on Group { id } } }`;

describe.skipIf(!hasRedis())('a Redis that refuses keyed writes', () => {
  let redis: TestRedis;
  let client: Redis;
  let service: does.TestService;
  let gateway: TestGateway;
  beforeEach(async () => {
    redis = await startRedis('--user', 'folio', 'on', '>pass', '~*', '&*', '+@all');
    client = new Redis(redis.url);
    service = await does.startService(does.json(200, { createGroup: { id: 8 } }));
  });
  afterEach(async () => {
    await gateway?.close();
    client?.disconnect();
    await service?.close();
    await redis?.stop();
  });

  const start = async (more: Record<string, string> = {}) => {
    gateway = await startTestGateway({
      UPSTREAM_URL: service.url,
      REDIS_URL: redis.url.replace('://', '://folio:pass@'),
      LANE_SECRET: 'a secret of this fleet, 32 bytes or more',
      ...more,
    });
  };
  const text = async (path: string) => await (await fetch(new URL(path, gateway.url))).text();
  const refused = async (reason: string) =>
    Number(
      new RegExp(`folio_ledger_refused_total\\{reason="${reason}"\\} (\\d+)`).exec(
        await text('/metrics'),
      )?.[1],
    );
  const lines = (msg: string) =>
    gateway
      .log()
      .filter((line) => line.includes(msg))
      .map((line) => JSON.parse(line));

  it.each<[reason: string, reply: string | undefined, refuse: string[], accept: string[]]>([
    ['full', 'OOM', ['config', 'set', 'maxmemory', '1'], ['config', 'set', 'maxmemory', '0']],
    [
      'no_replicas',
      'NOREPLICAS',
      ['config', 'set', 'min-replicas-to-write', '1'],
      ['config', 'set', 'min-replicas-to-write', '0'],
    ],
    ['not_permitted', 'NOPERM', ['acl', 'setuser', 'folio', '-eval'], ['acl', 'setuser', 'folio', '+@all']],
    ['not_permitted', 'NOPERM', ['acl', 'setuser', 'folio', '-hset'], ['acl', 'setuser', 'folio', '+@all']],
  ])('because it is %s (%s) shows that until it accepts one', async (reason, reply, refuse, accept) => {
    await start();
    await client.call(...(refuse as [string]));
    for (const key of ['first', 'second']) {
      const { errors } = await gateway.ask(write(key));
      expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE' } }]);
    }
    expect(service.received).toEqual([]);
    expect(await refused(reason)).toBe(2);
    expect(JSON.parse(await text('/ready')).degraded).toEqual([`redis refuses: ${reason}`]);
    expect(lines('refuses writes'), 'the first of a kind').toMatchObject([{ reason, reply }]);
    expect(gateway.log().join('')).not.toContain('pass@');
    await client.call(...(accept as [string]));
    expect((await gateway.ask(write('first'))).errors).toBeUndefined();
    expect(JSON.parse(await text('/ready')).degraded).toEqual([]);
    expect(lines('accepts writes again')).toMatchObject([{ reasons: [reason] }]);
  });

  it('because it is a replica shows that until it is promoted, and nothing is sent to the service', async () => {
    const primary = await startRedis();
    await client.call('replicaof', '127.0.0.1', String(primary.port));
    await vi.waitFor(async () => expect(await client.info('replication')).toContain('link_status:up'), soon);
    await start();
    for (const key of ['first', 'second', 'first']) {
      await vi.waitFor(async () => expect(await text('/metrics')).toMatch(/^folio_redis_lost 0$/m), soon);
      const { errors } = await gateway.ask(write(key));
      expect(errors).toMatchObject([
        { extensions: { code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE', retryable: true } },
      ]);
    }
    expect(service.received).toEqual([]);
    // After each refusal the gateway looks for another server, and is without a connection meanwhile.
    expect(await refused('read_only')).toBeGreaterThan(0);
    expect((await refused('read_only')) + (await refused('lost'))).toBe(3);
    expect(JSON.parse(await text('/ready'))).toMatchObject({
      status: 'ready',
      degraded: expect.arrayContaining(['redis refuses: read_only']),
    });
    expect(lines('refuses writes')[0]).toMatchObject({ reason: 'read_only', reply: 'READONLY' });
    await client.call('replicaof', 'no', 'one');
    await vi.waitFor(async () => expect((await gateway.ask(write('first'))).errors).toBeUndefined(), soon);
    expect(service.received).toHaveLength(1);
    await vi.waitFor(async () => expect(JSON.parse(await text('/ready')).degraded).toEqual([]), soon);
    await primary.stop();
  });

  it('because it is full still returns the outcome of a stored key, and does not send it again', async () => {
    await start();
    const first = await gateway.ask(write('stored'));
    await client.config('SET', 'maxmemory', '1');
    expect((await gateway.ask(write('new'))).errors?.[0]?.extensions).toMatchObject({ sideEffect: 'NONE' });
    expect((await gateway.ask(write('stored'))).data).toEqual(first.data);
    expect(service.received).toHaveLength(1);
  });

  it('because it replies too late is a timeout', async () => {
    await start();
    await client.call('client', 'pause', '1500', 'WRITE');
    await gateway.ask(write('late'));
    expect(await refused('timeout')).toBe(1);
  });

  it('because replicas do not acknowledge says so, and measures the wait', async () => {
    await start({ REDIS_REPLICAS: '1' });
    await gateway.ask(write('alone'));
    expect(await refused('not_acknowledged')).toBe(1);
    expect(await text('/metrics')).toMatch(/folio_ledger_replication_duration_seconds_count 1/);
    expect(await text('/metrics')).toMatch(/folio_ledger_reservation_duration_seconds_count 1/);
  });

  it('because it is lost counts that, and the log has the code of a wrong password', async () => {
    await start({ REDIS_URL: redis.url.replace('://', '://folio:wrong@') });
    await gateway.ask(write('lost'));
    expect(await refused('lost')).toBe(1);
    await vi.waitFor(() => expect(lines('redis lost')).toMatchObject([{ reply: 'WRONGPASS' }]), soon);
  });

  it('before it is full shows its keys, bytes and limit', async () => {
    await client.config('SET', 'maxmemory', '100mb');
    await start();
    await vi.waitFor(async () => {
      const metrics = await text('/metrics');
      expect(metrics).toContain(`folio_redis_limit_bytes ${100 * 1024 * 1024}`);
      expect(Number(/folio_redis_bytes (\d+)/.exec(metrics)?.[1])).toBeGreaterThan(100_000);
      expect(metrics).toMatch(/folio_redis_keys \d+/);
      await sleep(10);
    }, soon);
  });
});
