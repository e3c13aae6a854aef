import { randomUUID } from 'node:crypto';
import type { Client } from 'graphql-ws';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { credentialHeaders } from '../../src/caller.ts';
import { alice, follow, type GraphQLResponse, readinessOf, webSocketClientAt } from '../support/gateway.ts';
import { forTest, redisForFile, serviceForFile } from '../support/lifetimes.ts';
import { type GatewayProcess, killProcesses, startProcess } from '../support/process.ts';
import { fleetOf, hasRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';

const pollMs = 200;

const redis = await redisForFile();
const service = await serviceForFile(does.json(200, { status: 'queued', createGroup: { id: 7 } }));
const create =
  'mutation ($k: String!, $n: String) { createGroup(input: { name: $n, idempotencyKey: $k }) { ... on Group { id } } }';
const createWithoutKey = 'mutation { createGroup(input: {}) { ... on Group { id } } }';
/** Extensions of errors. */
const refused = { code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE', retryable: true };

const isReady = { httpStatus: 200, status: 'ready', degraded: [] };
const hasLostRedis = { ...isReady, degraded: ['redis lost'] };

async function expectError(asked: Promise<GraphQLResponse>, extensions: object): Promise<void> {
  expect((await asked).errors?.[0]?.extensions).toMatchObject(extensions);
}

describe.skipIf(!hasRedis())('several gateways with one Redis', () => {
  /** Those with the usual settings are the first ones. */
  const gateways: Promise<GatewayProcess>[] = [];
  let document = 0;
  beforeEach(() => {
    document += 1;
  });
  afterAll(killProcesses);

  const startGateway = (more: Record<string, string> = {}) =>
    startProcess({
      UPSTREAM_URL: service.url,
      ...fleetOf(redis),
      MALAYSIA_POLL_MIN_MS: String(pollMs),
      MALAYSIA_POLL_MAX_MS: String(pollMs),
      SHUTDOWN_GRACE_MS: '6000',
      ...more,
    });

  /** Starts it when a test uses it for the first time, or after it was killed. */
  function gateway(index: number): Promise<GatewayProcess> {
    gateways[index] ??= startGateway();
    return gateways[index];
  }

  async function kill(index: number): Promise<void> {
    (await gateway(index)).process.kill('SIGKILL');
    delete gateways[index];
  }

  async function ask(index: number, ...asked: Parameters<GatewayProcess['ask']>): Promise<GraphQLResponse> {
    return await (await gateway(index)).ask(...asked);
  }

  const readiness = (index: number) => gateway(index).then(readinessOf);

  /** A client of a gateway, until the end of the test. */
  function connect(index: number): Client {
    const url = async () => (await gateway(index)).url.replace('http', 'ws');
    const client = webSocketClientAt({ url: '' }, { url });
    onTestFinished(async () => client.dispose());
    return client;
  }

  /** Subscribes to this test's document through a gateway. Each call of the returned function waits for the next event. */
  const watch = (index: number, documentId = `d${document}`) => follow(connect(index), documentId);

  const polls = () => service.received.filter(({ path }) => path.includes('/status/')).length;

  /**
   * Duration of the next ten polls, in intervals: about nine if one gateway polls, less than six if two do. That can be so for
   * a moment when a busy machine delays a poll.
   */
  async function intervalsOfTenPolls(): Promise<number> {
    service.received.length = 0;
    const startedAt = performance.now();
    await expect.poll(polls).toBeGreaterThanOrEqual(10);
    return (performance.now() - startedAt) / pollMs;
  }

  describe('a watch', () => {
    it('is polled by one gateway, and a change reaches the subscribers of every gateway', async () => {
      const nexts = [0, 1, 2].map((index) => watch(index));
      for (const next of nexts) expect(await next()).toBe('QUEUED');
      await expect.poll(intervalsOfTenPolls).toBeGreaterThan(7);
      service.will(does.json(200, { status: 'validated' }));
      for (const next of nexts) expect([await next(), await next()]).toEqual(['VALIDATED', 'done']);
    });

    it('shares one poll budget with the watches of all gateways', async () => {
      const perSecond = 10;
      const budget = { MALAYSIA_POLL_BUDGET_PER_SECOND: String(perSecond) };
      const others = [3, 4];
      for (const index of others) gateways[index] = startGateway(budget);
      // Those that still wait at the end fail when their gateway is killed.
      for (let each = 0; each < 40; each += 1) watch(3 + (each % 2), `budget ${each}`)().catch(() => {});
      await expect.poll(polls).toBeGreaterThanOrEqual(2 * perSecond);
      const msOfPolls = async () => {
        service.received.length = 0;
        const startedAt = performance.now();
        await expect.poll(polls).toBeGreaterThanOrEqual(4 * perSecond);
        return performance.now() - startedAt;
      };
      // Two gateways with own budgets need 2 s. Polls may have been saved up while the machine was busy.
      await expect.poll(msOfPolls).toBeGreaterThan(2_800);
      await Promise.all(others.map(kill));
    });

    it('is taken over when the gateway that polls is killed, without missing a change', async () => {
      const first = watch(0);
      expect(await first()).toBe('QUEUED');
      const second = watch(1);
      expect(await second()).toBe('QUEUED');
      await kill(0);
      service.will(does.json(200, { status: 'submitted' }));
      expect(await second()).toBe('SUBMITTED');
      service.will(does.json(200, { status: 'rejected' }));
      expect([await second(), await second()]).toEqual(['REJECTED', 'done']);
    });

    it('is taken over when only the gateway that polls cannot reach the service', async () => {
      const way = forTest(await does.startService(does.json(200, { status: 'queued' })));
      gateways[3] = startGateway({ UPSTREAM_URL: way.url });
      const first = watch(3);
      expect(await first()).toBe('QUEUED');
      const second = watch(1);
      expect(await second()).toBe('QUEUED');
      way.will(does.reset);
      service.will(does.json(200, { status: 'rejected' }));
      const lastOf = async (next: () => Promise<string>) => {
        for (let state = await next(); ; state = await next()) if (!state.endsWith('delayed')) return state;
      };
      expect(await Promise.all([first, second].map(lastOf))).toEqual(['REJECTED', 'REJECTED']);
      await kill(3);
    });

    it('ends with the reason of the service in every gateway, and no log has the reason', async () => {
      const query = `subscription { malaysiaStatusChanged(documentId: "d${document}") { state } }`;
      const events = [0, 1].map((index) => connect(index).iterate<any>({ query }));
      for (const each of events)
        expect((await each.next()).value.data.malaysiaStatusChanged.state).toBe('QUEUED');
      service.will(does.json(403, { message: 'It belongs to TAN AH KOW.' }));
      const upstream = { operation: 'malaysiaStatus', status: 403, messages: ['It belongs to TAN AH KOW.'] };
      for (const each of events) {
        const { errors } = (await each.next()).value;
        expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', upstream } }]);
        expect(errors[0].message).not.toContain('TAN');
      }
      for (const index of [0, 1]) {
        const { lines } = await gateway(index);
        await expect.poll(() => lines.filter((line) => line.includes('FORBIDDEN'))).toHaveLength(1);
        expect(lines.filter((line) => line.includes('TAN'))).toEqual([]);
      }
    });

    it('is polled by each gateway while Redis is unreachable, and by one again afterwards', async () => {
      const nexts = [watch(0), watch(1)];
      for (const next of nexts) expect(await next()).toBe('QUEUED');
      await redis.stop();
      service.will(does.json(200, { status: 'submitted' }));
      for (const next of nexts) expect(await next()).toBe('SUBMITTED');
      expect(await readiness(0)).toEqual(hasLostRedis);
      expect((await ask(0, '{ malaysiaStatus(documentId: "1") { state } }')).errors).toBeUndefined();
      expect((await ask(0, createWithoutKey)).data.createGroup).toBeNull();
      await redis.start();
      for (const index of [0, 1]) await expect.poll(() => readiness(index)).toEqual(isReady);
      await expect.poll(intervalsOfTenPolls).toBeGreaterThan(7);
    });
  });

  it('Redis contains no credential, id or personal data in plain text', async () => {
    const person = 'CANARY PERSON';
    service.will(
      does.json(200, { status: 'rejected', reason: person, createGroup: { id: 7, name: person } }),
    );
    await ask(0, create, { k: 'CANARY-KEY-0001', n: person });
    expect(await watch(0, 'CANARY-1')()).toBe('REJECTED');
    const { client } = redis;
    const keys = await client.keys('*');
    expect(keys.length).toBeGreaterThan(1);
    for (const key of keys) {
      const read = { hash: 'hgetall', string: 'get' }[await client.type(key)] ?? 'dump';
      const value = JSON.stringify(await client.call(read, key));
      for (const planted of ['CANARY', alice[credentialHeaders.apiKey], alice.authorization])
        expect(`${key} ${value}`).not.toContain(planted);
    }
  });

  it('a Redis that is full affects only writes with a key, which succeed once it accepts writes again', async () => {
    const { client } = redis;
    await client.config('SET', 'maxmemory', '1');
    try {
      const k = randomUUID();
      await expectError(ask(0, create, { k }), { ...refused, code: 'RATE_LIMITED', bound: 'ledger' });
      expect((await ask(0, createWithoutKey)).data.createGroup.id).toBe('7');
      const nexts = [watch(0), watch(1)];
      for (const next of nexts) expect(await next()).toBe('QUEUED');
      await expect.poll(intervalsOfTenPolls).toBeGreaterThan(7);
      service.will(does.json(200, { status: 'validated', createGroup: { id: 7 } }));
      for (const next of nexts) expect([await next(), await next()]).toEqual(['VALIDATED', 'done']);
      await client.config('SET', 'maxmemory', '0');
      expect((await ask(1, create, { k })).data.createGroup.id).toBe('7');
    } finally {
      await client.config('SET', 'maxmemory', '0');
    }
  });
});
