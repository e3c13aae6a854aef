/** Gateways with Sentinel and Cluster over TLS, all as real processes. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeCertificate, type TestCertificate } from '../support/certificate.ts';
import { alice } from '../support/gateway.ts';
import { killProcesses, startProcess } from '../support/process.ts';
import { hasRedis } from '../support/redis.ts';
import { startCluster } from '../support/redis-cluster.ts';
import type { GroupOptions, RedisGroup } from '../support/redis-group.ts';
import { startSentinels } from '../support/redis-sentinels.ts';
import * as does from '../support/service.ts';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const soon = { timeout: 60_000, interval: 50 };

const create =
  'mutation ($k: String!) { createGroup(input: { name: $k, idempotencyKey: $k }) { ... on Group { id } } }';

describe.skipIf(!hasRedis()).each([
  ['rediss+sentinel://', (options: GroupOptions) => startSentinels(1, options)],
  ['rediss+cluster://', (options: GroupOptions) => startCluster(options)],
])('gateways with %s', (scheme, start) => {
  let certificate: TestCertificate;
  let group: RedisGroup;
  let service: does.TestService;
  beforeAll(async () => {
    certificate = makeCertificate();
    group = await start({ parameters: certificate.redis });
    service = await does.startService(does.json(200, { createGroup: { id: 7 } }));
  });
  afterEach(killProcesses);
  afterAll(async () => {
    await group?.stop();
    await service?.close();
  });

  const startGateway = (more: Record<string, string> = {}) =>
    startProcess({
      UPSTREAM_URL: service.url,
      REDIS_URL: group.url,
      REDIS_REPLICAS: '1',
      LANE_SECRET: 'a secret of this fleet, 32 bytes or more',
      NODE_EXTRA_CA_CERTS: certificate.file,
      ...more,
    });

  const ready = async (url: string) => await (await fetch(new URL('/ready', url))).json();

  it('share idempotency keys, also after a failover', async () => {
    expect(group.url).toMatch(scheme);
    const gateways = await Promise.all([startGateway(), startGateway()]);
    const write = async (gateway: number, k: string) => {
      const response = await fetch(gateways[gateway]?.url as string, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...alice },
        body: JSON.stringify({ query: create, variables: { k } }),
      });
      return ((await response.json()) as any).data?.createGroup?.id;
    };
    const keys: string[] = [];
    for (const fail of [async () => {}, () => group.failover()]) {
      await fail();
      await vi.waitFor(async () => {
        const k = randomUUID();
        expect(await write(0, k)).toBe('7');
        keys.push(k);
      }, soon);
      await vi.waitFor(async () => expect(await write(1, keys.at(-1) as string)).toBe('7'), soon);
    }
    const sent = service.received.map(({ body }) => JSON.parse(String(body)).name);
    expect(keys.map((key) => sent.filter((name) => name === key).length)).toEqual([1, 1]);
  });

  it.each([
    ['whose certificate they cannot verify', { NODE_EXTRA_CA_CERTS: '' }],
    ['that they address without TLS', {}],
  ])('do not use servers %s', async (what, more) => {
    const plain = what.endsWith('without TLS') && { REDIS_URL: group.url.replace('rediss', 'redis') };
    const { url } = await startGateway({ ...more, ...plain });
    await vi.waitFor(
      async () => expect(await ready(url)).toEqual({ status: 'ready', degraded: ['redis lost'] }),
      soon,
    );
  });
});
