/** The rights of the user of Redis: those that the documentation names are enough, and missing ones are visible. */
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { outputOf, runMain } from '../support/process.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.ts';
import { startCluster } from '../support/redis-cluster.ts';
import type { RedisGroup } from '../support/redis-group.ts';
import * as does from '../support/service.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = { timeout: 20_000, interval: 50 };
const LANE_SECRET = 'a secret of this fleet, 32 bytes or more';
const page = readFileSync('docs/several-gateways.md', 'utf8');
/** The rules of the page, each a parameter. */
const [, documented = ''] = /^ACL SETUSER folio (.*)$/m.exec(page) ?? [];
const password = 'a-long-password';
const write = 'mutation { createGroup(input: { idempotencyKey: "a-key-of-it" }) { ... on Group { id } } }';
const watch = { query: 'subscription { malaysiaStatusChanged(documentId: "1") { state } }' };

describe.skipIf(!hasRedis())('the user of Redis', () => {
  let service: does.TestService;
  const gateways: TestGateway[] = [];
  const stops: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    service = await does.startService(does.json(200, { status: 'queued', createGroup: { id: 8 } }));
  });
  afterEach(async () => {
    for (const gateway of gateways.splice(0)) await gateway.close();
    for (const stop of stops.splice(0)) await stop();
    await service.close();
  });

  async function start(redisUrl: string, more: Record<string, string> = {}): Promise<TestGateway> {
    const REDIS_URL = redisUrl.replace('://', `://folio:${password}@`);
    const gateway = await startTestGateway({ UPSTREAM_URL: service.url, REDIS_URL, LANE_SECRET, ...more });
    gateways.push(gateway);
    return gateway;
  }

  /** Sets the rights of the user, from nothing. */
  const permit = (client: Redis, rules: string) =>
    client.call('ACL', 'SETUSER', 'folio', 'reset', 'on', `>${password}`, ...rules.split(' '));

  async function oneServer(rules: string): Promise<{ redis: TestRedis; client: Redis }> {
    const redis = await startRedis();
    const client = new Redis(redis.url);
    await permit(client, rules);
    stops.push(async () => client.disconnect(), redis.stop);
    return { redis, client };
  }

  const refusals = async (client: Redis) =>
    ((await client.call('ACL', 'LOG')) as unknown[][]).map((entry) => entry.slice(2, 8).join(' '));

  /** Keyed writes, watches, polls and limits, at two gateways. */
  async function useEverything(url: string, more: Record<string, string> = {}): Promise<void> {
    const fleet = [await start(url, more), await start(url, more)];
    const events = fleet.map((gateway) => gateway.webSocketClient().iterate(watch));
    for (const each of events) await each.next();
    for (const gateway of fleet) expect((await gateway.ask(write)).data.createGroup).toEqual({ id: '8' });
    service.will(does.json(200, { status: 'validated' }));
    for (const each of events) for await (const _event of each);
    for (const gateway of fleet)
      expect((await (await fetch(`${gateway.origin}/ready`)).json()).degraded).toEqual([]);
  }

  it('needs no other rights than the page about several gateways names', async () => {
    expect(documented).toMatch(/^on /);
    const { redis, client } = await oneServer(documented.replace(/^on >\S+ /, ''));
    await useEverything(redis.url, { RATE_LIMIT_PER_MINUTE: '1000' });
    expect(await refusals(client)).toEqual([]);
    expect(await client.call('ACL', 'DRYRUN', 'folio', 'FLUSHALL')).toMatch(/no permissions/);
  });

  it('needs no other rights in a cluster whose replicas acknowledge reservations', async () => {
    const group: RedisGroup = await startCluster();
    stops.push(() => group.stop());
    const rules = ['reset', ...documented.split(' ')];
    for (const node of group.nodes) await group.run(node, 'ACL', 'SETUSER', 'folio', ...rules);
    await useEverything(group.url, { RATE_LIMIT_PER_MINUTE: '1000', REDIS_REPLICAS: '1' });
    for (const node of group.nodes) expect(await group.run(node, 'ACL', 'LOG')).toEqual([]);
  });

  it('without a right to channels is reported by /ready and the log until it has it', async () => {
    const { redis, client } = await oneServer('~folio:* +@all');
    const gateway = await start(redis.url);
    const degraded = async () => (await (await fetch(`${gateway.origin}/ready`)).json()).degraded;
    await vi.waitFor(async () => expect(await degraded()).toEqual(['redis refuses: messages']), soon);
    const errors = gateway.log().filter((line) => line.includes('redis refuses messages'));
    expect(errors.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', reply: 'NOPERM' }]);
    await permit(client, '~folio:* &folio:* +@all');
    await client.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await vi.waitFor(async () => expect(await degraded()).toEqual([]), soon);
  });

  it.each([
    ['no right to channels', '~folio:* +@all', 'it replied NOPERM'],
    ['no right to keys', '&folio:* +@all', 'it replied NOPERM'],
    ['no right to scripts', '~folio:* &folio:* +@all -eval', 'it replied NOPERM'],
  ])('with %s fails --check', async (_what, rules, problem) => {
    const { redis } = await oneServer(rules);
    const REDIS_URL = redis.url.replace('://', `://folio:${password}@`);
    const { code, text } = await outputOf(runMain({ LANE_SECRET, REDIS_URL }, '--check'));
    expect([code, text]).toEqual([78, `REDIS_URL: Redis cannot be used: ${problem}.\n`]);
  });

  it.each([
    ['is full', ['maxmemory', '1'], 'it replied OOM'],
    [
      'evicts',
      ['maxmemory-policy', 'allkeys-lru'],
      'its maxmemory-policy is allkeys-lru instead of noeviction',
    ],
  ])('passes --check, and a Redis that %s does not', async (_what, [name, value], problem) => {
    const { redis, client } = await oneServer(documented.replace(/^on >\S+ /, ''));
    const REDIS_URL = redis.url.replace('://', `://folio:${password}@`);
    const check = () => outputOf(runMain({ LANE_SECRET, REDIS_URL }, '--check'));
    expect(await check()).toMatchObject({ code: 0 });
    expect(await client.dbsize()).toBe(0);
    await client.config('SET', name as string, value as string);
    expect(await check()).toEqual({ code: 78, text: `REDIS_URL: Redis cannot be used: ${problem}.\n` });
  });
});
