import { randomUUID } from 'node:crypto';
import type { SharedRedis } from './redis.ts';
import { createSubscriptions } from './redis-subscriptions.ts';
import type { SealedBox } from './sealed-box.ts';
import type { StatusBus, WatchNews } from './status-bus.ts';

/** Takes the lease when it is free, renews it when it is ours. */
const leaseScript = `
local holder = redis.call('GET', KEYS[1])
if holder == false or holder == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1
end
return 0`;

const releaseScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
  redis.call('PUBLISH', KEYS[2], '')
end
return 0`;

/** An empty message: the lease was given back. */
const leaseIsFree: WatchNews = { message: undefined, isKept: false, leaseMs: 0 };

/** How long the last news outlive the lease (ms): whoever joins meanwhile hears them. */
const lastNewsMs = 5_000;

interface Envelope {
  /** The gateway that tells it. */
  readonly from: string;
  readonly news: WatchNews;
}

/** Leases and news in Redis. News are sealed: they hold what the tax portal said. */
export function createRedisStatusBus({ commands, messages, keyOf }: SharedRedis, box: SealedBox): StatusBus {
  const self = randomUUID();
  const listeners = new Map<string, Set<Parameters<StatusBus['listen']>[2]>>();
  const subscriptions = createSubscriptions(messages, (keys) => {
    for (const key of keys) void tellLast(key);
  });

  messages.on('messageBuffer', (channel: Buffer, bytes: Buffer) => {
    const key = String(channel);
    const news = bytes.length === 0 ? leaseIsFree : newsIn(bytes, key);
    if (news) for (const hear of listeners.get(key) ?? []) hear(news);
  });

  /** undefined: our own, which Redis tells us as well, or not of this fleet. */
  function newsIn(bytes: Buffer, key: string): WatchNews | undefined {
    const envelope = box.open(bytes, [key]) as Envelope | undefined;
    return envelope && envelope.from !== self ? envelope.news : undefined;
  }

  /** What was published before the subscription began, and how long ago, by the time that Redis still keeps it. */
  async function tellLast(key: string): Promise<void> {
    const askedAt = performance.now();
    const lastKey = `${key}:last`;
    const replies = await commands
      .multi()
      .getBuffer(lastKey)
      .pttl(lastKey)
      .exec()
      .catch(() => null);
    const [[, bytes] = [], [, remainingMs] = []] = replies ?? [];
    const news = bytes ? newsIn(bytes as Buffer, key) : undefined;
    if (!news) return;
    const agoMs = keptMsOf(news) - (remainingMs as number) + performance.now() - askedAt;
    for (const hear of listeners.get(key) ?? []) hear(news, agoMs);
  }

  return {
    async lease(lane, topic, leaseMs) {
      const key = keyOf('watch', lane, topic);
      try {
        const mine = await commands.eval(leaseScript, 1, `${key}:lease`, self, Math.ceil(leaseMs));
        return mine === 1 ? 'mine' : 'other';
      } catch {
        return 'unreachable';
      }
    },
    release(lane, topic) {
      const key = keyOf('watch', lane, topic);
      commands.eval(releaseScript, 2, `${key}:lease`, key, self).catch(() => {});
    },
    publish(lane, topic, news) {
      const key = keyOf('watch', lane, topic);
      const bytes = box.seal({ from: self, news } satisfies Envelope, [key]);
      const batch = commands.multi().publish(key, bytes);
      if (news.isKept) batch.set(`${key}:last`, bytes, 'PX', keptMsOf(news));
      batch.exec().catch(() => {});
    },
    listen(lane, topic, hear) {
      const key = keyOf('watch', lane, topic);
      const hearing = listeners.get(key) ?? new Set();
      listeners.set(key, hearing);
      hearing.add(hear);
      if (hearing.size === 1) subscriptions.begin(key);
      else void tellLast(key);
      return () => {
        hearing.delete(hear);
        if (hearing.size > 0 || listeners.get(key) !== hearing) return;
        listeners.delete(key);
        subscriptions.end(key);
      };
    },
  };
}

/** How long the last message is kept from its publication (ms). */
function keptMsOf({ leaseMs }: WatchNews): number {
  return Math.ceil(leaseMs + lastNewsMs);
}
