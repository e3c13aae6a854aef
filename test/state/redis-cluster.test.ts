/** What a gateway makes of a Redis Cluster whose slots move. */
import { Redis } from 'ioredis';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSubscriptions } from '../../src/state/redis-subscriptions.ts';
import { hasRedis, type TestRedis } from '../support/redis.ts';
import { startCluster } from '../support/redis-cluster.ts';
import type { RedisGroup } from '../support/redis-group.ts';

describe.skipIf(!hasRedis())('in a cluster', () => {
  let group: RedisGroup;
  beforeAll(async () => {
    group = await startCluster();
    return () => group.close();
  });

  const idOf = async (node: TestRedis) => String(await group.run(node, 'CLUSTER', 'MYID'));

  it('a channel whose slot another node serves holds up no others, and is included when the slot has moved', async () => {
    const [moving, staying] = ['a', 'b'];
    const [from, to] = [await group.primary(moving), await group.primary(staying)];
    expect(from).not.toBe(to);
    const connection = new Redis({ port: to.port });
    onTestFinished(() => connection.disconnect());
    const subscribed: string[] = [];
    const { begin } = createSubscriptions(connection, true, (channels) => subscribed.push(...channels));
    begin(moving);
    await expect
      .poll(() => group.run(to, 'INFO', 'commandstats'))
      .toMatch(/ssubscribe:.*rejected_calls=[1-9]/);
    begin(staying);
    await expect.poll(() => subscribed).toEqual([staying]);
    const slot = Number(await group.run(to, 'CLUSTER', 'KEYSLOT', moving));
    await group.run(to, 'CLUSTER', 'SETSLOT', slot, 'IMPORTING', await idOf(from));
    for (const node of [to, from]) await group.run(node, 'CLUSTER', 'SETSLOT', slot, 'NODE', await idOf(to));
    await expect.poll(() => subscribed).toEqual([staying, moving]);
  });
});
