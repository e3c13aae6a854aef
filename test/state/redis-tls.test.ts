/** Gateways with one Redis, with Sentinel and with a cluster over TLS. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../support/certificate.ts';
import { eventually } from '../support/eventually.ts';
import { readinessOf, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { forFile, forTest, serviceForFile } from '../support/lifetimes.ts';
import { fleetOf, hasRedis, startRedis } from '../support/redis.ts';
import { startCluster } from '../support/redis-cluster.ts';
import type { RedisGroup } from '../support/redis-group.ts';
import { startSentinels } from '../support/redis-sentinels.ts';
import * as does from '../support/service.ts';

const create =
  'mutation ($k: String!) { createGroup(input: { name: $k, idempotencyKey: $k }) { ... on Group { id } } }';

const service = await serviceForFile(does.json(200, { createGroup: { id: 7 } }));
const { file, redis: parameters } = makeCertificate(forFile);

/** As NODE_EXTRA_CA_CERTS does for a process. */
const trust = (...authorities: string[]) => setDefaultCACertificates(authorities);
const usual = getCACertificates();
beforeEach(() => trust(readFileSync(file, 'utf8')));
afterAll(() => trust(...usual));

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
  afterAll(() => group.close());

  const startGateway = async () =>
    forTest(await startTestGateway({ UPSTREAM_URL: service.url, ...fleetOf(group) }));

  it('share idempotency keys, also after a failover', async () => {
    expect(group.url).toMatch(scheme);
    const [first, second] = await Promise.all([startGateway(), startGateway()]);
    const write = async (gateway: TestGateway, k: string) => {
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

  it('do not use servers whose certificate they cannot verify', async () => {
    trust();
    const lost = { httpStatus: 200, status: 'ready', degraded: ['redis lost'] };
    expect(await readinessOf(await startGateway())).toEqual(lost);
  });
});
