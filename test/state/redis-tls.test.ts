/** Gateways with one Redis, with Sentinel and with a cluster over TLS, all as real processes. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../support/certificate.ts';
import { eventually } from '../support/eventually.ts';
import { readinessOf } from '../support/gateway.ts';
import { forFile, serviceForFile } from '../support/lifetimes.ts';
import { type GatewayProcess, killProcesses, startProcess } from '../support/process.ts';
import { fleetOf, hasRedis, startRedis } from '../support/redis.ts';
import { startCluster } from '../support/redis-cluster.ts';
import type { RedisGroup } from '../support/redis-group.ts';
import { startSentinels } from '../support/redis-sentinels.ts';
import * as does from '../support/service.ts';

const create =
  'mutation ($k: String!) { createGroup(input: { name: $k, idempotencyKey: $k }) { ... on Group { id } } }';

const service = await serviceForFile(does.json(200, { createGroup: { id: 7 } }));
const { file, redis: parameters } = makeCertificate(forFile);

async function startOne() {
  const redis = await startRedis(...parameters);
  return { ...redis, url: redis.url.replace('redis:', 'rediss:'), failover: undefined };
}

describe.skipIf(!hasRedis()).each([
  ['rediss://', startOne],
  ['rediss+sentinel://', () => startSentinels(1, { parameters })],
  ['rediss+cluster://', () => startCluster({ parameters })],
])('gateways with %s', (scheme, start) => {
  let group: Pick<RedisGroup, 'url' | 'close'> & { failover: RedisGroup['failover'] | undefined };
  beforeAll(async () => {
    group = await start();
  });
  afterEach(killProcesses);
  afterAll(() => group.close());

  const startGateway = (more: Record<string, string> = {}) =>
    startProcess({ UPSTREAM_URL: service.url, ...fleetOf(group), NODE_EXTRA_CA_CERTS: file, ...more });

  it('share idempotency keys, also after a failover', async () => {
    expect(group.url).toMatch(scheme);
    const [first, second] = await Promise.all([startGateway(), startGateway()]);
    const write = async (gateway: GatewayProcess, k: string) => {
      expect((await gateway.ask(create, { k })).data.createGroup).toEqual({ id: '7' });
      return k;
    };
    const keys: string[] = [];
    for (const fail of [async () => {}, group.failover ?? []].flat()) {
      await fail();
      const key = await eventually(() => write(first, randomUUID()));
      await eventually(() => write(second, key));
      keys.push(key);
    }
    const sent = service.received.map(({ body }) => JSON.parse(String(body)).name);
    expect(sent.filter((name) => keys.includes(name))).toEqual(keys);
  });

  it.each([
    ['whose certificate they cannot verify', () => ({ NODE_EXTRA_CA_CERTS: '' })],
    ['that they address without TLS', () => fleetOf({ url: group.url.replace('rediss', 'redis') })],
  ])('do not use servers %s', async (_what, environment) => {
    const gateway = await startGateway(environment());
    const lost = { httpStatus: 200, status: 'ready', degraded: ['redis lost'] };
    await expect.poll(() => readinessOf(gateway)).toEqual(lost);
  });
});
