import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLaneMaker } from '../src/state/lane.ts';
import { connectRedis, type SharedRedis } from '../src/state/redis.ts';
import { createRedisStatusBus } from '../src/state/redis-status-bus.ts';
import { createSealedBox } from '../src/state/sealed-box.ts';
import type { StatusBus, WatchNews } from '../src/state/status-bus.ts';
import { createLog } from '../src/telemetry/log.ts';
import { hasRedis, startRedis, type TestRedis } from './support/redis.ts';

const secret = 'a secret of this fleet, 32 bytes or more';
const lane = createLaneMaker(secret)({ apiKey: 'a', authorization: undefined });
const log = createLog({ level: 'silent', production: true });
const soon = { timeout: 10_000, interval: 20 };

describe.skipIf(!hasRedis())('the subscriptions of a gateway in Redis', { timeout: 30_000 }, () => {
  let redis: TestRedis;
  let open: SharedRedis[];
  beforeEach(async () => {
    redis = await startRedis();
    open = [];
  });
  afterEach(async () => {
    for (const shared of open) shared.close();
    await redis.stop();
  });

  async function connect(): Promise<{ shared: SharedRedis; bus: StatusBus }> {
    const shared = await connectRedis(redis.url, secret, log);
    open.push(shared);
    return { shared, bus: createRedisStatusBus(shared, createSealedBox(secret)) };
  }

  /** How often the server was sent a command since it started. */
  async function calls({ commands }: SharedRedis, command: string): Promise<number> {
    const stats = await commands.info('commandstats');
    return Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, 'm').exec(stats)?.[1] ?? 0);
  }

  const channels = async ({ commands }: SharedRedis): Promise<number> =>
    ((await commands.pubsub('CHANNELS')) as string[]).length;
  const news = (message: string): WatchNews => ({ message, isKept: false, leaseMs: 1_000 });

  it('are those of the current listeners after Redis was away, and nothing else was kept to be sent', async () => {
    const { shared, bus } = await connect();
    const { shared: otherShared, bus: other } = await connect();
    const heard: string[] = [];
    const hear = (topic: string) => (received: WatchNews) => heard.push(`${topic} ${received.message}`);
    bus.listen(lane, 'kept', hear('kept'));
    const endLeft = bus.listen(lane, 'left', hear('left'));
    await vi.waitFor(async () => expect(await channels(shared)).toBe(2), soon);

    await redis.stop();
    await vi.waitFor(() => expect(shared.messages.status).not.toBe('ready'), soon);
    endLeft();
    for (let index = 0; index < 5_000; index += 1) bus.listen(lane, `brief-${index}`, hear('brief'))();
    bus.listen(lane, 'begun', hear('begun'));
    await redis.start();

    await vi.waitFor(() => expect(otherShared.isLost()).toBe(false), soon);
    await vi.waitFor(async () => expect(await channels(shared)).toBe(2), soon);
    for (const topic of ['left', 'brief-7', 'kept', 'begun']) other.publish(lane, topic, news('again'));
    await vi.waitFor(() => expect(heard).toHaveLength(2), soon);
    expect(heard).toEqual(['kept again', 'begun again']);
    expect(await calls(otherShared, 'subscribe')).toBe(1);
    expect(await calls(otherShared, 'unsubscribe')).toBe(0);
  });

  it('are not queued for a Redis that hangs', async () => {
    const { shared, bus } = await connect();
    redis.freeze();
    for (let index = 0; index < 5_000; index += 1) {
      bus.listen(lane, `brief-${index}`, () => {})();
      if (index % 100 === 0) await new Promise(setImmediate);
    }
    bus.listen(lane, 'kept', () => {});
    redis.thaw();
    await vi.waitFor(async () => expect(await channels(shared)).toBe(1), soon);
    expect(await calls(shared, 'subscribe')).toBeLessThanOrEqual(3);
    expect(await calls(shared, 'unsubscribe')).toBeLessThanOrEqual(3);
  });

  it('are dropped with their connection when Redis hangs for long, and so is every command', async () => {
    const { shared, bus } = await connect();
    redis.freeze();
    await vi.waitFor(() => expect(shared.isLost()).toBe(true), soon);
    await vi.waitFor(() => expect(shared.messages.status).not.toBe('ready'), soon);
    bus.listen(lane, 'kept', () => {});
    redis.thaw();
    await vi.waitFor(async () => expect(await channels(shared)).toBe(1), soon);
    expect(shared.isLost()).toBe(false);
  });
});
