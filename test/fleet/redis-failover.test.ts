/** Gateways with replicated Redis servers that fail over, all as real processes. What writes need of them: `fleet-history`. */
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { alice, startTestGateway, webSocketClientAt, withKey } from '../support/gateway.ts';
import { type GatewayProcess, killProcesses, startProcess } from '../support/process.ts';
import { fleetOf, hasRedis, type TestRedis } from '../support/redis.ts';
import { startCluster } from '../support/redis-cluster.ts';
import type { RedisGroup } from '../support/redis-group.ts';
import { startSentinels } from '../support/redis-sentinels.ts';
import * as does from '../support/service.ts';

const documents = 200;
const perSocket = 100;

/** Subscribes to all documents over sockets of all gateways. Returns the states that arrive after the first ones. */
async function watchAll(gateways: readonly GatewayProcess[]): Promise<string[]> {
  const states: string[] = [];
  let begun = 0;
  const watch = (client: ReturnType<typeof webSocketClientAt>, documentId: number) => {
    const query = `subscription { malaysiaStatusChanged(documentId: "${documentId}") { state } }`;
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
  };
  for (const [index, gateway] of gateways.entries()) {
    const client = webSocketClientAt(gateway);
    for (let at = 0; at < perSocket; at += 1) watch(client, 1 + index * perSocket + at);
  }
  await eventually(async () => expect(begun).toBeGreaterThanOrEqual(documents));
  return states;
}

const isCluster = ({ url }: RedisGroup) => url.startsWith('redis+cluster');

/** Waits for the channels of all watches at the nodes that hold them now. */
async function expectChannels(group: RedisGroup): Promise<void> {
  const count = async (nodes: readonly TestRedis[], what: string) => {
    const found = nodes.map((node) => group.run(node, 'PUBSUB', what, 'folio:*') as Promise<string[]>);
    return (await Promise.all(found)).map(({ length }) => length);
  };
  const counted = async () => {
    const sharded = await count(group.nodes, 'SHARDCHANNELS');
    const others = await count(isCluster(group) ? group.nodes : [await group.primary()], 'CHANNELS');
    const [used, unused] = isCluster(group) ? [sharded, others] : [others, sharded];
    const total = (counts: readonly number[]) => counts.reduce((sum, channels) => sum + channels, 0);
    const isSpread = !isCluster(group) || Math.max(...sharded) < documents / 2;
    return [total(used), total(unused), isSpread];
  };
  // A state can arrive before its channel is subscribed to.
  await eventually(async () => expect(await counted()).toEqual([documents, 0, true]));
}

async function expectOneRateLimit(environment: Record<string, string>): Promise<void> {
  const settings = { ...environment, RATE_LIMIT_PER_MINUTE: '3' };
  const [one, other] = [await startTestGateway(settings), await startTestGateway(settings)];
  const headers = { ...alice, ...withKey('limited') };
  const codes = [];
  for (const gateway of [one, other, one, other]) {
    const { errors } = await gateway.ask('{ __typename }', {}, headers);
    codes.push(errors?.[0]?.extensions['code'] ?? 'ok');
  }
  await Promise.all([one.close(), other.close()]);
  expect(codes).toEqual(['ok', 'ok', 'ok', 'RATE_LIMITED']);
}

describe.skipIf(!hasRedis())('gateways with', () => {
  afterAll(killProcesses);

  // Both at the same time: they mostly wait. `expect.poll` would not know in which test it is.
  it.concurrent.each([
    ['one primary, two replicas and three sentinels', () => startSentinels()],
    ['a cluster of three primaries with a replica each', () => startCluster()],
  ])(
    '%s count the operations of a caller together, subscribe at the nodes that hold the channels of watches, and lose no status when the primary is demoted, and when it is killed',
    async (_title, start) => {
      let status = 'queued';
      const service = await does.startService((request, response) =>
        does.json(200, { status })(request, response),
      );
      const group = await start();
      try {
        const fleet = fleetOf(group);
        await expectOneRateLimit(fleet);
        const environment = {
          UPSTREAM_URL: service.url,
          ...fleet,
          MALAYSIA_POLL_MIN_MS: '4000',
          MALAYSIA_POLL_MAX_MS: '4000',
          MALAYSIA_POLL_BUDGET_PER_SECOND: '1000',
          UPSTREAM_CONCURRENCY_PER_CALLER: '100',
          LOG_LEVEL: 'warn',
        };
        const states = await watchAll(
          await Promise.all([startProcess(environment), startProcess(environment)]),
        );
        await expectChannels(group);

        await group.failover();
        if (isCluster(group)) await expectChannels(group);
        const killed = await group.primary();
        await killed.stop();
        await eventually(async () => expect(await group.primary()).not.toBe(killed));
        // Its shard of the cluster has no other replica.
        await killed.start();
        // Behind sentinels subscribers stay at the demoted server for a while, which passes messages on to them.
        if (isCluster(group)) await expectChannels(group);

        expect(states).toEqual([]);
        status = 'validated';
        await eventually(async () => expect(states).toHaveLength(documents));
        expect(new Set(states)).toEqual(new Set(['VALIDATED']));
      } finally {
        await group.close();
        await service.close();
      }
    },
  );
});
