import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseRedisAddress, type RedisAddress } from '../../src/config/redis-address.ts';
import { connectRedis, type SharedRedis } from '../../src/state/redis.ts';
import { openCommands, openServer } from '../../src/state/redis-clients.ts';
import { createSubscriptions } from '../../src/state/redis-subscriptions.ts';
import { createRedisWatchBus } from '../../src/state/redis-watch-bus.ts';
import type { WatchMessage } from '../../src/state/watch-bus.ts';
import { startFakeRedis } from '../support/fake-redis.ts';
import { readinessOf, startTestGateway } from '../support/gateway.ts';
import { otherLane as lane } from '../support/ledgers.ts';
import { forTest } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import {
  commandCalls,
  fleetKeys,
  fleetOf,
  freePort,
  hasRedis,
  silentLog,
  startRedis,
  type TestRedis,
} from '../support/redis.ts';

describe.skipIf(!hasRedis())('the subscriptions of a gateway in Redis', () => {
  async function connect({ url }: TestRedis) {
    const shared = forTest(await connectRedis({ kind: 'server', url }, silentLog));
    return { shared, bus: createRedisWatchBus(shared, fleetKeys) };
  }

  const channels = async ({ commands }: SharedRedis): Promise<number> =>
    ((await commands.pubsub('CHANNELS')) as string[]).length;
  const message = (payload: string) => ({ payload, leaseMs: 1_000, sentAt: performance.now() });

  it('include channels that a node of a cluster has refused, once it serves their slots, and ask it for a few of them until then', async () => {
    const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())];
    const { client, port } = forTest(await startRedis(...cluster));
    const { setTimeout: later } = globalThis;
    const retries: (() => void)[] = [];
    // The test decides when a quarter of a second is over.
    const delayed = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((task: () => void, ms: number) =>
        ms === 250 ? retries.push(task) : later(task, ms)) as typeof setTimeout);
    onTestFinished(() => delayed.mockRestore());
    const connection = new Redis({ port });
    onTestFinished(() => connection.disconnect());
    const subscribed: string[] = [];
    const { begin } = createSubscriptions(connection, true, (channels) => subscribed.push(...channels));
    const channels = Array.from({ length: 500 }, (_, index) => `channel ${index}`);
    for (const channel of channels) begin(channel);
    const refused = async () =>
      Number(/ssubscribe:.*rejected_calls=(\d+)/.exec(await client.info('commandstats'))?.[1]);
    const retry = async () => {
      await expect.poll(() => retries).toHaveLength(1);
      retries.pop()?.();
    };
    for (const times of [500, 600, 700]) {
      await expect.poll(refused).toBe(times);
      await retry();
    }
    await expect.poll(refused).toBe(800);
    await client.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
    await expect.poll(() => client.call('CLUSTER', 'INFO')).toContain('cluster_state:ok');
    expect(subscribed).toEqual([]);
    for (const count of [100, 500]) {
      await retry();
      await expect.poll(() => subscribed.length).toBe(count);
    }
    expect(new Set(subscribed)).toEqual(new Set(channels));
    expect(retries).toEqual([]);
  });

  it('include a channel that was requested while a script kept Redis busy', async () => {
    const { client, port } = forTest(await startRedis('--busy-reply-threshold', '1'));
    const connection = new Redis({ port });
    onTestFinished(() => connection.disconnect());
    await once(connection, 'ready');
    const subscribed: string[] = [];
    const { begin } = createSubscriptions(connection, false, (channels) => subscribed.push(...channels));
    const script = client.eval('while true do end', 0).catch(() => {});
    await expect.poll(() => connection.ping().catch(String)).toContain('BUSY');
    begin('a channel');
    await expect(connection.ping()).rejects.toThrow('BUSY');
    await connection.script('KILL');
    await script;
    await expect.poll(() => subscribed).toEqual(['a channel']);
  });

  it('report a channel to a listener who comes before the end of the last one was sent', async () => {
    const { shared } = await connect(forTest(await startRedis()));
    const heard: string[] = [];
    const listen = (channel: string, who: string) =>
      shared.listen(channel, { onMessage() {}, onSubscribed: () => heard.push(who) });
    const leave = listen('a channel', 'the first');
    await expect.poll(() => heard).toEqual(['the first']);
    // While its commands are in flight, no others are sent.
    listen('another channel', 'another');
    leave();
    listen('a channel', 'the next');
    await expect.poll(() => heard).toEqual(['the first', 'the next', 'another']);
  });

  it('are those of the current listeners after Redis was restarted, without queued commands', async () => {
    const redis = forTest(await startRedis());
    const { shared, bus } = await connect(redis);
    const { shared: otherShared, bus: other } = await connect(redis);
    const received: string[] = [];
    const record = (topic: string) => (message: WatchMessage) => received.push(`${topic} ${message.payload}`);
    bus.join(lane, 'kept', record('kept'));
    const left = bus.join(lane, 'left', record('left'));
    await expect.poll(() => channels(shared)).toBe(2);

    await redis.stop();
    await expect.poll(() => shared.isLost()).toBe(true);
    left.leave();
    for (let index = 0; index < 5_000; index += 1) bus.join(lane, `brief-${index}`, record('brief')).leave();
    bus.join(lane, 'begun', record('begun'));
    await redis.start();

    await expect.poll(() => otherShared.isLost()).toBe(false);
    await expect.poll(() => channels(shared)).toBe(2);
    expect(await commandCalls(redis.client, 'subscribe')).toBe(1);
    for (const topic of ['left', 'brief-7', 'kept', 'begun'])
      other.join(lane, topic, () => {}).publish(message('again'), false);
    await expect.poll(() => received).toHaveLength(2);
    expect(received).toEqual(['kept again', 'begun again']);
    expect(await commandCalls(redis.client, 'unsubscribe')).toBe(0);
  });

  it('last until the last of several listeners to one channel has left', async () => {
    const redis = forTest(await startRedis());
    const { shared } = await connect(redis);
    const received: string[] = [];
    const listen = (name: string) =>
      shared.listen('channel', {
        onMessage: (bytes) => received.push(`${name} ${bytes}`),
        onSubscribed() {},
      });
    const [leaveFirst, leaveSecond] = [listen('first'), listen('second')];
    await expect.poll(() => channels(shared)).toBe(1);
    leaveFirst();
    leaveFirst();
    await shared.commands.publish('channel', 'message');
    await expect.poll(() => received).toEqual(['second message']);
    leaveSecond();
    await expect.poll(() => channels(shared)).toBe(0);
  });

  it('are not queued while Redis hangs, and are made again over a new connection when it hangs for long', async () => {
    const redis = forTest(await startRedis());
    const { shared, bus } = await connect(redis);
    redis.freeze();
    for (let index = 0; index < 5_000; index += 1) {
      bus.join(lane, `brief-${index}`, () => {}).leave();
      if (index % 100 === 0) await new Promise(setImmediate);
    }
    bus.join(lane, 'kept', () => {});
    await expect.poll(() => shared.isLost()).toBe(true);
    redis.thaw();
    await expect.poll(() => channels(shared)).toBe(1);
    expect(shared.isLost()).toBe(false);
    for (const command of ['subscribe', 'unsubscribe'])
      expect(await commandCalls(redis.client, command)).toBeLessThanOrEqual(3);
  });
});

it.skipIf(!hasRedis())('a changed address leads to its database at once', async () => {
  const { url, client } = forTest(await startRedis());
  const shared = forTest(await connectRedis({ kind: 'server', url: `${url}/1` }, silentLog));
  shared.changeAddress({ kind: 'server', url: `${url}/2` });
  await expect.poll(() => shared.commands.set('key', 'value').catch(() => {})).toBe('OK');
  expect(await client.info('keyspace')).toMatch(/^# Keyspace\s+db2:keys=1,.*\s+$/);
});

it('a sentinel is sent its own user and password, not those of the primary, and new ones when they have changed', async () => {
  let received = '';
  const sentinel = createServer((socket) =>
    socket.once('data', (bytes) => {
      received += bytes;
      socket.destroy();
    }),
  );
  forTest({ close: () => sentinel.close() });
  await once(sentinel.listen(0, '127.0.0.1'), 'listening');
  const { port } = sentinel.address() as AddressInfo;
  const addressWith = (password: string) =>
    parseRedisAddress(
      `redis+sentinel://user:of-primary@127.0.0.1:${port}/mymaster?sentinelUsername=watcher&sentinelPassword=${password}`,
    ) as RedisAddress;
  const shared = forTest(await connectRedis(addressWith('of-sentinel'), silentLog));
  expect(received).toMatch(/auth\r\n\$7\r\nwatcher\r\n\$11\r\nof-sentinel\r\n/);
  shared.changeAddress(addressWith('the-next'));
  await expect.poll(() => received).toMatch(/auth\r\n\$7\r\nwatcher\r\n\$8\r\nthe-next\r\n/);
});

it('a connection to Redis that is lost is made again after a random time of up to 200 ms, each time twice as long, up to 2 s', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.01);
  onTestFinished(() => void vi.restoreAllMocks());
  const redis = openServer({ kind: 'server', url: 'redis://127.0.0.1:1' });
  redis.on('error', () => {});
  const delays: number[] = [];
  redis.on('reconnecting', (ms: number) => delays.push(ms));
  redis.connect().catch(() => {});
  await expect.poll(() => delays.length).toBeGreaterThan(5);
  redis.disconnect();
  expect(delays.slice(0, 6)).toEqual([2, 4, 8, 16, 20, 20]);
});

it.each([
  ['a server', 'redis'],
  ['a cluster', 'redis+cluster'],
])('a command to %s that cannot be reached fails at once and is not sent later', async (_what, scheme) => {
  const address = parseRedisAddress(`${scheme}://127.0.0.1:1`);
  const redis = openCommands(address as RedisAddress);
  onTestFinished(() => redis.disconnect());
  redis.on('error', () => {});
  redis.connect().catch(() => {});
  await expect(redis.get('key')).rejects.toThrow(/enableOfflineQueue options is false|Cluster isn't ready/);
});

it('a command succeeds whose reply arrives while the process stalls for longer than a command may take', async () => {
  const stall = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  const fake = await startFakeRedis((name) => {
    if (name === 'get') setImmediate(stall);
    return undefined;
  });
  const { port } = forTest(fake);
  const redis = openCommands({ kind: 'server', url: `redis://127.0.0.1:${port}` });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  expect(await redis.get('key')).toBe('OK');
});

describe.skipIf(!hasRedis())('the eviction policy of Redis', () => {
  const start = async (url: string) => forTest(await startTestGateway(fleetOf({ url })));
  const ready = { httpStatus: 200, status: 'ready' };

  it('is checked at every connection, and an evicting one is logged as an error and degrades /ready', async () => {
    const redis = forTest(await startRedis('--maxmemory-policy', 'allkeys-lru'));
    await redis.stop();
    const gateway = await start(redis.url);
    expect(await readinessOf(gateway)).toEqual({ ...ready, degraded: ['redis lost'] });
    await redis.start();
    const evicting = { ...ready, degraded: ['redis evicts'] };
    await expect.poll(() => readinessOf(gateway)).toEqual(evicting);
    expect(gateway.logged('redis evicts')).toMatchObject([{ level: 'error', policy: 'allkeys-lru' }]);

    await redis.client.config('SET', 'maxmemory-policy', 'noeviction');
    await redis.client.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await expect.poll(async () => (await readinessOf(gateway)).degraded).toEqual([]);
  });

  it('is read again every 5 seconds, so that a changed one is an error, degrades /ready and is a metric', async () => {
    const { url, client } = forTest(await startRedis());
    const { setInterval: every } = globalThis;
    const begun = vi.spyOn(globalThis, 'setInterval');
    // What is done every 5 s is done a hundred times as often.
    begun.mockImplementation(((task: () => void, ms: number) =>
      every(task, ms === 5_000 ? 50 : ms)) as typeof setInterval);
    onTestFinished(() => begun.mockRestore());
    const gateway = await start(url);
    expect(begun).toHaveBeenCalledWith(expect.anything(), 5_000);
    const evicts = () => metricOf(gateway, 'folio_redis_evicts');
    expect(await evicts()).toBe(0);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lfu');
    await expect.poll(evicts).toBe(1);
    expect((await readinessOf(gateway)).degraded).toEqual(['redis evicts']);
    expect(gateway.logged('redis evicts')).toMatchObject([{ level: 'error', policy: 'allkeys-lfu' }]);
    await client.config('SET', 'maxmemory-policy', 'noeviction');
    await expect.poll(evicts).toBe(0);
    expect((await readinessOf(gateway)).degraded).toEqual([]);
    expect(gateway.logged('redis lost')).toEqual([]);
    expect(gateway.logged('the eviction policy of redis cannot be read')).toEqual([]);
  });

  const limited = async ({ client, url }: TestRedis, ...rules: string[]) => {
    await client.call('ACL', 'SETUSER', 'folio', 'on', '>pass-4711', '~*', '&*', '+@all', ...rules);
    return url.replace('redis://', 'redis://folio:pass-4711@');
  };

  it('is a warning in the log if it may not be read, and the gateway starts', async () => {
    const redis = forTest(await startRedis());
    const gateway = await start(await limited(redis, '-info', '-config'));
    expect(await readinessOf(gateway)).toEqual({ ...ready, degraded: [] });
    expect(gateway.logged('the eviction policy of redis cannot be read')).toMatchObject([{ level: 'warn' }]);
  });

  it('is read by CONFIG if INFO is refused, and an evicting one stops the start, without another error', async () => {
    const redis = forTest(await startRedis('--maxmemory-policy', 'volatile-ttl'));
    const url = await limited(redis, '-info');
    const error = vi.spyOn(silentLog, 'error');
    onTestFinished(() => error.mockRestore());
    const connected = connectRedis({ kind: 'server', url }, silentLog);
    await expect(connected).rejects.toThrow(/maxmemory-policy is volatile-ttl/);
    expect(error).not.toHaveBeenCalled();
  });
});
