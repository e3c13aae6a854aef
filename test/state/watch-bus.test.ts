/** A message in Redis is decoded before a watch sees it: only a gateway of this fleet and format is understood. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPublisherClocks } from '../../src/state/publisher-clocks.ts';
import { connectRedis } from '../../src/state/redis.ts';
import { createRedisWatchBus } from '../../src/state/redis-watch-bus.ts';
import { createSealedBox } from '../../src/state/sealed-box.ts';
import type { WatchMessage } from '../../src/state/watch-bus.ts';
import { lane } from '../support/ledgers.ts';
import { forFile, forTest, redisForFile } from '../support/lifetimes.ts';
import { bytesSent, fleetKeys, hasRedis, silentLog } from '../support/redis.ts';

const { box } = fleetKeys;

const redis = await redisForFile();
/** Without the gateway's limit of time for a command, which a busy machine exceeds. */
const { client } = redis;
const openBus = async (keep = forTest) =>
  createRedisWatchBus(keep(await connectRedis({ kind: 'server', url: redis.url }, silentLog)), fleetKeys);
const bus = await openBus(forFile);
const otherBus = await openBus(forFile);
let topics = 0;
/** Channels of earlier topics, which their gateways may not have left yet. */
const seen = new Set<string>();

it.each([
  [5, 20, 30_000],
  [65, 19, 30_000],
  [65, 20, 29_999],
])(
  'a message that waited 5 s, of a clock one minute behind, is %i s old after %i messages in %i ms',
  (seconds, count, ms) => {
    const clocks = createPublisherClocks();
    const firstAt = 1_000_000;
    for (let index = 0; index < count - 1; index += 1) {
      const receivedAt = firstAt + (index * ms) / count;
      clocks.ageOf('behind', receivedAt - 60_000, receivedAt);
    }
    const age = clocks.ageOf('behind', firstAt + ms - 65_000, firstAt + ms);
    expect(Math.round(age / 1_000)).toBe(seconds);
  },
);

describe('the age of a message by the clocks of its publisher', () => {
  /** Clocks that know a publisher one minute behind, from 20 messages in 30 s. */
  function knownClocks() {
    const clocks = createPublisherClocks();
    for (let at = 0; at <= 30_000; at += 1_500) clocks.ageOf('behind', at - 60_000, at);
    return clocks;
  }
  const lastAt = 30_000;

  it('is never below the 50 ms that the fastest message may have taken', () => {
    expect(createPublisherClocks().ageOf('new', 1_000, 1_000)).toBe(50);
    expect(createPublisherClocks().ageOf('ahead', 9_000, 1_000)).toBe(50);
    expect(knownClocks().ageOf('behind', lastAt - 60_000, lastAt)).toBe(50);
  });

  it('allows for clocks that drift apart by a thousandth of the time', () => {
    const laterAt = lastAt + 1_000_000;
    expect(knownClocks().ageOf('behind', laterAt - 61_000, laterAt)).toBeCloseTo(50);
    expect(knownClocks().ageOf('behind', laterAt - 63_000, laterAt)).toBeCloseTo(2_050);
  });

  it.each([
    [999, 50],
    [1_000, 60_050],
  ])('is judged by 1,000 publishers: after %i others it is %i ms', (others, ageMs) => {
    const clocks = knownClocks();
    for (let name = 0; name < others; name += 1) clocks.ageOf(`${name}`, lastAt, lastAt);
    expect(clocks.ageOf('behind', lastAt - 60_000, lastAt)).toBe(ageMs);
  });
});

describe.skipIf(!hasRedis())('a gateway that subscribes to a topic in Redis', () => {
  /** Two gateways join a new topic. Returns it, its channel, and the payloads that arrive at one of them. */
  async function subscribe(second = otherBus) {
    topics += 1;
    const topic = `topic-${topics}`;
    const payloads: unknown[] = [];
    const received: { ageMs: number }[] = [];
    const own = bus.join(lane, topic, ({ payload, sentAt }) => {
      payloads.push(payload);
      received.push({ ageMs: performance.now() - sentAt });
    });
    const other = second.join(lane, topic, () => {});
    onTestFinished(() => {
      own.leave();
      other.leave();
    });
    const channels = async () =>
      ((await client.pubsub('CHANNELS')) as string[]).filter((name) => !seen.has(name));
    await expect.poll(channels).toHaveLength(1);
    const [channel = ''] = await channels();
    seen.add(channel);
    await expect.poll(async () => (await client.pubsub('NUMSUB', channel))[1]).toBe(2);
    const publish = (bytes: Buffer) => client.publish(channel, bytes);
    return { own, other, topic, payloads, received, channel, publish };
  }

  const aMessage = (payload: string) => ({ payload, leaseMs: 1_000, sentAt: performance.now() });
  const at = performance.timeOrigin + performance.now();
  const envelope = { from: 'another gateway', at, payload: 'received', leaseMs: 1_000 };

  it('ignores malformed messages, published or kept, and bytes that no gateway of the fleet has sealed, and receives the next one', async () => {
    const { other, topic, payloads, publish, channel } = await subscribe();
    const malformed = [
      { ...envelope, from: undefined },
      { ...envelope, at: undefined },
      { ...envelope, at: Number.NEGATIVE_INFINITY },
      { ...envelope, leaseMs: 'long' },
      { ...envelope, leaseMs: -1 },
      { ...envelope, leaseMs: 86_400_001 },
      null,
    ].map((value) => box.seal(value, [channel]));
    const ofOthers = createSealedBox('the secret of another fleet, 32 bytes').seal(envelope, [channel]);
    const later: unknown[] = [];
    for (const bytes of [...malformed, ofOthers, Buffer.from('{"version":1}')]) {
      await client.set(`${channel}:last`, bytes, 'PX', 60_000);
      onTestFinished(bus.join(lane, topic, ({ payload }) => void later.push(payload)).leave);
      await publish(bytes);
    }
    // Each kept message was read before this one is published: the reply to a lease comes after it.
    await other.lease(1_000);
    other.publish(aMessage('next'), false);
    await expect.poll(() => payloads).toEqual(['next']);
    await expect.poll(() => later).toEqual(Array(malformed.length + 2).fill('next'));
  });

  it('receives the kept message, and for how long another gateway still holds the lease, also with a second subscriber of the topic', async () => {
    const { other, topic, payloads } = await subscribe();
    other.publish({ ...aMessage('kept'), leaseMs: 60_000 }, true);
    await expect.poll(() => payloads).toEqual(['kept']);
    expect(await other.lease(5_000)).toBe('mine');
    const later: WatchMessage[] = [];
    onTestFinished(bus.join(lane, topic, (received) => void later.push(received)).leave);
    await expect.poll(() => later).toMatchObject([{ payload: 'kept' }]);
    expect(later[0]?.leaseMs).toBeGreaterThan(0);
    expect(later[0]?.leaseMs).toBeLessThanOrEqual(5_000);
  });

  it('receives the kept message with the reply that another gateway holds the lease, also while Redis refuses its subscriptions', async () => {
    const { own, other, payloads, channel } = await subscribe();
    expect(await other.lease(60_000)).toBe('mine');
    await client.config('SET', 'maxclients', '1');
    await client.client('KILL', 'TYPE', 'pubsub');
    onTestFinished(async () => {
      await client.config('SET', 'maxclients', '10000');
      await expect.poll(async () => (await client.pubsub('NUMSUB', channel))[1]).toBe(2);
    });
    other.publish(aMessage('kept'), true);
    // It is published over another connection than that of the lease.
    await expect.poll(() => client.exists(`${channel}:last`)).toBe(1);
    expect(await own.lease(60_000)).toBe('other');
    await expect.poll(() => payloads).toEqual(['kept']);
  });

  it('learns with its subscription that the lease of another gateway was released before', async () => {
    const { own, other, payloads, channel } = await subscribe();
    expect(await other.lease(60_000)).toBe('mine');
    await client.config('SET', 'maxclients', '1');
    onTestFinished(() => void client.config('SET', 'maxclients', '10000'));
    await client.client('KILL', 'TYPE', 'pubsub');
    expect(await own.lease(60_000)).toBe('other');
    other.leave();
    await expect.poll(() => client.exists(`${channel}:lease`)).toBe(0);
    await client.config('SET', 'maxclients', '10000');
    await expect.poll(() => payloads).toEqual([undefined]);
    expect(await own.lease(60_000)).toBe('mine');
  });

  it('receives messages whose lease is over, or has a day', async () => {
    const { payloads, publish, channel } = await subscribe();
    for (const leaseMs of [0, 86_400_000]) await publish(box.seal({ ...envelope, leaseMs }, [channel]));
    await expect.poll(() => payloads).toEqual(['received', 'received']);
  });

  it('reads at most 1 MiB of a kept message, which another program can make longer', async () => {
    const { own, other, channel } = await subscribe();
    expect(await other.lease(60_000)).toBe('mine');
    await client.set(`${channel}:last`, Buffer.alloc(8 * 1_024 * 1_024));
    const before = await bytesSent(client);
    expect(await own.lease(60_000)).toBe('other');
    // Its command was sent before this one over the same connection.
    expect(await own.lease(60_000)).toBe('other');
    expect((await bytesSent(client)) - before).toBeLessThan(4 * 1_024 * 1_024);
  });

  it.each<[string, (name: string) => Promise<unknown>]>([
    ['without an end', (name) => client.set(name, 'foreign')],
    ['of another type', (name) => client.rpush(name, 'foreign')],
    ['of many years', (name) => client.set(name, 'foreign', 'PX', 2 ** 40)],
  ])(
    'acquires a lease %s, which no gateway has written, and none of another gateway',
    async (_how, write) => {
      const { own, other, channel } = await subscribe();
      await write(`${channel}:lease`);
      expect(await own.lease(60_000)).toBe('mine');
      expect(await other.lease(60_000)).toBe('other');
    },
  );

  it('does not wait for a lease that Redis keeps longer than its holder asked for, as when its clock is set back', async () => {
    const { own, other, topic, payloads, channel } = await subscribe();
    expect(await other.lease(1_000)).toBe('mine');
    other.publish(aMessage('kept'), true);
    await expect.poll(() => payloads).toEqual(['kept']);
    await client.pexpire(`${channel}:lease`, 3_600_000);
    const later: WatchMessage[] = [];
    onTestFinished(bus.join(lane, topic, (received) => void later.push(received)).leave);
    await expect.poll(() => later).toMatchObject([{ payload: 'kept', leaseMs: 1_000 }]);
    expect(await own.lease(60_000)).toBe('mine');
    expect(await other.lease(60_000)).toBe('other');
  });

  it('knows how long a message has waited, whatever the clock of its gateway shows', async () => {
    const { publish, channel, received } = await subscribe();
    for (const ago of [0, 36_000, 12_000, 0]) {
      // By a clock that is a minute ahead.
      const sentAt = performance.timeOrigin + performance.now() + 60_000 - ago;
      await publish(box.seal({ ...envelope, from: 'a minute ahead', at: sentAt }, [channel]));
    }
    await expect.poll(() => received).toHaveLength(4);
    expect(received.map(({ ageMs }) => Math.round(ageMs / 4_000))).toEqual([0, 9, 3, 0]);
  });

  it('counts the time for which a new gateway was paused before it published a message as its age', async () => {
    const { other, received } = await subscribe(await openBus());
    other.publish({ ...aMessage('late'), sentAt: performance.now() - 5_000 }, false);
    await expect.poll(() => received).toHaveLength(1);
    expect(received[0]?.ageMs).toBeGreaterThan(5_000);
  });
});
