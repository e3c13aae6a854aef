/** Gateways with replicated Redis servers that fail over, all as real processes. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  alice,
  type GraphQLResponse,
  startTestGateway,
  webSocketClientAt,
  withKey,
} from '../support/gateway.ts';
import { forTest, serviceForFile } from '../support/lifetimes.ts';
import { type GatewayProcess, killProcesses, startProcess } from '../support/process.ts';
import { fleetOf, hasRedis, type TestRedis } from '../support/redis.ts';
import { startCluster } from '../support/redis-cluster.ts';
import type { RedisGroup } from '../support/redis-group.ts';
import { startSentinels } from '../support/redis-sentinels.ts';
import * as does from '../support/service.ts';

const documents = 200;

const create =
  'mutation ($k: String!) { createGroup(input: { name: $k, idempotencyKey: $k }) { ... on Group { id } } }';

const service = await serviceForFile();

describe.skipIf(!hasRedis()).each([
  ['one primary, two replicas and three sentinels', () => startSentinels()],
  ['a cluster of three primaries with a replica each', () => startCluster()],
])('gateways with %s', (_title, start) => {
  let group: RedisGroup;
  let gateways: GatewayProcess[];
  /** The status that the service reports for every document. */
  let status: string;
  /** Id of the first document of this test: messages about the documents of an earlier one are still in Redis. */
  let firstId = 0;

  beforeAll(async () => {
    group = await start();
  });
  afterAll(() => group?.close());
  beforeEach(() => {
    status = 'queued';
    firstId += documents;
    service.will((request, response) =>
      does.json(200, { status, createGroup: { id: 7 } })(request, response),
    );
  });
  afterEach(killProcesses);

  async function startGateways(): Promise<void> {
    const environment = {
      UPSTREAM_URL: service.url,
      ...fleetOf(group),
      REDIS_REPLICAS: '1',
      MALAYSIA_POLL_MIN_MS: '4000',
      MALAYSIA_POLL_MAX_MS: '4000',
      MALAYSIA_POLL_BUDGET_PER_SECOND: '1000',
      UPSTREAM_CONCURRENCY_PER_CALLER: '100',
      LOG_LEVEL: 'warn',
    };
    gateways = await Promise.all([startProcess(environment), startProcess(environment)]);
  }

  const ask = (index: number, ...asked: Parameters<GatewayProcess['ask']>) =>
    (gateways[index] as GatewayProcess).ask(...asked);

  const posts = () => {
    const bodies = service.received.filter(({ method }) => method === 'POST').map(({ body }) => String(body));
    return bodies.map((body) => JSON.stringify(JSON.parse(body)));
  };

  /** Waits until keyed writes succeed at both gateways, several times in a row. */
  async function writesSucceed(): Promise<void> {
    const errors = async () => {
      const answers: GraphQLResponse[] = [];
      for (let round = 0; round < 3; round += 1) {
        const k = randomUUID();
        for (const gateway of [0, 1]) answers.push(await ask(gateway, create, { k }));
      }
      return answers.flatMap(({ errors = [] }) => errors);
    };
    await expect.poll(errors).toEqual([]);
  }

  /** Subscribes to all documents, 100 over each socket; returns the final states that arrive. */
  async function watchAll(): Promise<string[]> {
    const states: string[] = [];
    let begun = 0;
    for (let socket = 0; socket < documents / 100; socket += 1) {
      const client = webSocketClientAt(gateways[socket % 2] as GatewayProcess);
      for (let index = 0; index < 100; index += 1) {
        const query = `subscription { malaysiaStatusChanged(documentId: "${firstId + socket * 100 + index}") { state } }`;
        const sink = {
          next({ data }: any) {
            const state = data?.malaysiaStatusChanged.state;
            if (state === 'QUEUED') begun += 1;
            else states.push(state);
          },
          // All at once may be more than a new process lets in: the others subscribe again after `retryAfterMs`.
          error(errors: any) {
            const { code, retryAfterMs } = errors[0]?.extensions ?? {};
            if (code === 'RATE_LIMITED') setTimeout(() => client.subscribe({ query }, sink), retryAfterMs);
            else states.push(JSON.stringify(errors));
          },
          complete() {},
        };
        client.subscribe({ query }, sink);
      }
    }
    await expect.poll(() => begun).toBeGreaterThanOrEqual(documents);
    expect(states).toEqual([]);
    return states;
  }

  /** Sends keyed writes until `stop`, each twice, to both gateways. */
  function writeAlways() {
    const keys: string[] = [];
    const results: GraphQLResponse[] = [];
    let isStopped = false;
    const running = (async () => {
      while (!isStopped) {
        const k = randomUUID();
        keys.push(k);
        results.push(...(await Promise.all([0, 1].map((gateway) => ask(gateway, create, { k })))));
        await sleep(20);
      }
    })();
    return {
      keys,
      results,
      async stop() {
        isStopped = true;
        await running;
      },
    };
  }

  /** Expects the channels of all watches at the nodes that hold them. */
  async function expectChannels(): Promise<void> {
    const isCluster = group.url.startsWith('redis+cluster');
    const count = async (node: TestRedis, what: string) =>
      ((await group.run(node, 'PUBSUB', what, 'folio:*')) as string[]).length;
    const primaries = isCluster ? group.nodes : [await group.primary()];
    const sharded = () => Promise.all(group.nodes.map((node) => count(node, 'SHARDCHANNELS')));
    const others = () => Promise.all(primaries.map((node) => count(node, 'CHANNELS')));
    const total = (counts: readonly number[]) => counts.reduce((sum, channels) => sum + channels, 0);
    // A state can arrive before its channel is subscribed to.
    await expect.poll(async () => total(await (isCluster ? sharded : others)())).toBe(documents);
    expect(total(await (isCluster ? others : sharded)())).toBe(0);
    if (isCluster) expect(Math.max(...(await sharded()))).toBeLessThan(documents / 2);
  }

  it('subscribe to watches at the nodes that hold their channels, lose no status and send each keyed write once when the primary is demoted, and when it is killed', async () => {
    await startGateways();
    const states = await watchAll();
    await expectChannels();
    const writes = writeAlways();
    await expect.poll(() => writes.results.length).toBeGreaterThan(20);

    await group.failover();
    await writesSucceed();
    const killed = await group.primary();
    await killed.stop();
    await expect.poll(() => group.primary()).not.toBe(killed);
    // Its shard of the cluster has no other replica.
    await killed.start();
    await writesSucceed();
    await writes.stop();

    const sent = posts();
    expect(new Set(sent).size).toBe(sent.length);
    for (const { extensions } of writes.results.flatMap((result) => result.errors ?? [])) {
      expect(['UPSTREAM_UNAVAILABLE NONE', 'OUTCOME_UNKNOWN POSSIBLE']).toContain(
        `${extensions['code']} ${extensions['sideEffect']}`,
      );
    }
    expect(states).toEqual([]);
    status = 'validated';
    await expect.poll(() => states).toHaveLength(documents);
    expect(new Set(states)).toEqual(new Set(['VALIDATED']));
  });

  it('count the operations of a caller together', async () => {
    const environment = { ...fleetOf(group), RATE_LIMIT_PER_MINUTE: '3' };
    const [one, other] = [await startTestGateway(environment), await startTestGateway(environment)];
    for (const gateway of [one, other]) forTest(gateway);
    const headers = { ...alice, ...withKey(randomUUID()) };
    const codes = [];
    for (const gateway of [one, other, one, other]) {
      const { errors } = await gateway.ask('{ __typename }', {}, headers);
      codes.push(errors?.[0]?.extensions['code'] ?? 'ok');
    }
    expect(codes).toEqual(['ok', 'ok', 'ok', 'RATE_LIMITED']);
  });
});
