/** The rights of the user of Redis: those that the documentation names are enough, and missing ones are visible. */
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { parseRedisAddress, type RedisAddress } from '../../src/config/redis-address.ts';
import { redisProblem } from '../../src/state/redis-check.ts';
import { readinessOf, startTestGateway } from '../support/gateway.ts';
import { forTest, redisForFile, serviceForFile } from '../support/lifetimes.ts';
import { fleetOf, hasRedis, type TestRedis } from '../support/redis.ts';
import { startCluster } from '../support/redis-cluster.ts';
import * as does from '../support/service.ts';

const page = readFileSync('docs/several-gateways.md', 'utf8');
/** The rules of the page, each a parameter. */
const [, documented = ''] = /^ACL SETUSER folio (.*)$/m.exec(page) ?? [];
const ofPage = documented.replace(/^on >\S+ /, '');
const password = 'a-long-password';
const write = 'mutation { createGroup(input: { idempotencyKey: "a-key-of-it" }) { ... on Group { id } } }';
const watch = { query: 'subscription { malaysiaStatusChanged(documentId: "1") { state } }' };

const redis = await redisForFile();
const service = await serviceForFile(does.json(200, { status: 'queued', createGroup: { id: 8 } }));

/** The settings of a gateway with this user. */
const asUser = ({ url }: Pick<TestRedis, 'url'>) =>
  fleetOf({ url: url.replace('://', `://folio:${password}@`) });

describe.skipIf(!hasRedis())('the user of Redis', () => {
  const start = async (redis: Pick<TestRedis, 'url'>, more: Record<string, string> = {}) =>
    forTest(await startTestGateway({ UPSTREAM_URL: service.url, ...asUser(redis), ...more }));

  /** Sets the rights of the user, from nothing. */
  const permit = (client: Redis, rules: string) =>
    client.call('ACL', 'SETUSER', 'folio', 'reset', 'on', `>${password}`, ...rules.split(' '));

  /** The problem that `--check` reports. */
  const problemOf = (at: Pick<TestRedis, 'url'>, replicas = 0) =>
    redisProblem(parseRedisAddress(asUser(at).REDIS_URL) as RedisAddress, replicas);

  const refusals = async (client: Redis) =>
    ((await client.call('ACL', 'LOG')) as unknown[][]).map((entry) => entry.slice(2, 8).join(' '));

  /** Keyed writes, watches, polls and limits, at two gateways. */
  async function useEverything(
    redis: Pick<TestRedis, 'url'>,
    more: Record<string, string> = {},
  ): Promise<void> {
    const fleet = [await start(redis, more), await start(redis, more)];
    const events = fleet.map((gateway) => gateway.webSocketClient().iterate(watch));
    for (const each of events) await each.next();
    // The limit of a Redis command is passed by a busy machine.
    for (const gateway of fleet)
      await expect.poll(async () => (await gateway.ask(write)).data.createGroup).toEqual({ id: '8' });
    service.will(does.json(200, { status: 'validated' }));
    for (const each of events) for await (const _event of each);
    for (const gateway of fleet)
      await expect.poll(async () => (await readinessOf(gateway)).degraded).toEqual([]);
  }

  it('needs no other rights than the page about several gateways names', async () => {
    expect(documented).toMatch(/^on /);
    await permit(redis.client, ofPage);
    await useEverything(redis, { RATE_LIMIT_PER_MINUTE: '1000' });
    expect(await refusals(redis.client)).toEqual([]);
    expect(await redis.client.call('ACL', 'DRYRUN', 'folio', 'FLUSHALL')).toMatch(/no permissions/);
  });

  it('needs no other rights in a cluster whose replicas acknowledge reservations', async () => {
    const group = forTest(await startCluster());
    const rules = ['reset', ...documented.split(' ')];
    for (const node of group.nodes) await group.run(node, 'ACL', 'SETUSER', 'folio', ...rules);
    expect(await problemOf(group, 1)).toBeUndefined();
    await useEverything(group, { RATE_LIMIT_PER_MINUTE: '1000', REDIS_REPLICAS: '1' });
    for (const node of group.nodes) expect(await group.run(node, 'ACL', 'LOG')).toEqual([]);
  });

  it('without a right to channels is reported by /ready and the log until it has it', async () => {
    await permit(redis.client, '~folio:* +@all');
    const gateway = await start(redis);
    const degraded = async () => (await readinessOf(gateway)).degraded;
    await expect.poll(degraded).toEqual(['redis refuses: messages']);
    const errors = gateway.logged().filter(({ msg }) => msg.includes('redis refuses messages'));
    expect(errors).toMatchObject([{ level: 'error', reply: 'NOPERM' }]);
    await permit(redis.client, '~folio:* &folio:* +@all');
    await expect.poll(degraded).toEqual([]);
  });

  it.each([
    ['no right to channels', '~folio:* +@all'],
    ['no right to keys', '&folio:* +@all'],
    ['no right to scripts', '~folio:* &folio:* +@all -eval'],
  ])('with %s fails --check', async (_what, rules) => {
    await permit(redis.client, rules);
    expect(await problemOf(redis)).toBe('it replied NOPERM');
  });

  it.each([
    ['is full', 'maxmemory', '1', 'it replied OOM'],
    [
      'evicts',
      'maxmemory-policy',
      'allkeys-lru',
      'its maxmemory-policy is allkeys-lru instead of noeviction',
    ],
  ])('passes --check, and a Redis that %s does not', async (_what, name, value, problem) => {
    await permit(redis.client, ofPage);
    await redis.client.flushall();
    expect(await problemOf(redis)).toBeUndefined();
    expect(await redis.client.dbsize()).toBe(0);
    const [, usual = ''] = (await redis.client.config('GET', name)) as string[];
    await redis.client.config('SET', name, value);
    expect(await problemOf(redis)).toBe(problem);
    await redis.client.config('SET', name, usual);
  });
});
