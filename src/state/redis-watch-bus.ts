/** The watch bus of gateways that share one Redis: a lease decides which gateway polls for a lane and topic. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { FleetKeys } from './fleet-secrets.ts';
import { createPublisherClocks } from './publisher-clocks.ts';
import type { SharedRedis } from './redis.ts';
import { runScript } from './redis-script.ts';
import type { OnWatchMessage, WatchBus, WatchMessage } from './watch-bus.ts';

/** Maximum duration of a lease (ms): 1 day, more than any interval between polls. */
const maxLeaseMs = 86_400_000;

/**
 * Acquires the lease when it is free, and renews it when this gateway holds it. Its value is its holder and its duration (ms). It
 * is free too as a value that no gateway writes, without an end, or with one beyond its duration, as when the clock of Redis is
 * set back. It begins with a command that a full Redis accepts, which then accepts the other too.
 */
const leaseScript = `
local value = redis.pcall('GET', KEYS[1])
local ms = redis.call('PTTL', KEYS[1])
local holder, duration = string.match(type(value) == 'string' and value or '', '^(%S+) (%d+)$')
if not holder or holder == ARGV[1] or ms < 0 or ms > tonumber(duration) then
  redis.call('DEL', KEYS[1])
  redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2], 'PX', ARGV[2])
  return 1
end
return 0`;

/** ARGV[2]: PUBLISH or SPUBLISH. */
const releaseScript = `
if string.match(redis.call('GET', KEYS[1]) or '', '^%S+') == ARGV[1] then
  redis.call('DEL', KEYS[1])
  redis.call(ARGV[2], KEYS[2], '')
end
return 0`;

/** How long the last message is kept after the end of the lease (ms), for gateways that subscribe meanwhile. */
const lastMessageMs = 5_000;

/** Bytes of a kept message that are read: other programs can write longer ones, of which each holds up all commands. */
const maxKeptBytes = 1_024 * 1_024;

/**
 * Format of the messages: increase it when an envelope or the payload of a feature changes. It is a part of every key, for which
 * messages are sealed, so gateways of different formats share neither leases nor messages while a fleet is updated: each format
 * polls for itself.
 */
const formatVersion = 3;

const envelopeForm = z.object({
  /** The gateway that published the message. */
  from: z.string(),
  /** `sentAt` of the message, by its own clock (epoch milliseconds). */
  at: z.number(),
  payload: z.unknown(),
  leaseMs: z.number().min(0).max(maxLeaseMs),
});
type Envelope = z.infer<typeof envelopeForm>;

/** Leases and messages in Redis. Messages are sealed, since they contain what the tax portal reported. */
export function createRedisWatchBus(
  { commands, listen, publish }: SharedRedis,
  { keyOf, box }: FleetKeys,
): WatchBus {
  const self = randomUUID();
  const clocks = createPublisherClocks();

  /** Undefined for a message of this gateway, which Redis delivers to it too, and for one that no gateway of this fleet has sealed. */
  function open(bytes: Buffer, key: string): Envelope | undefined {
    const envelope = envelopeForm.safeParse(box.open(bytes, [key])).data;
    return envelope && envelope.from !== self ? envelope : undefined;
  }

  /**
   * Delivers the message published before the subscription began, with what is left of the lease. Redis has had it for at least
   * its time that is over. Returns whether the lease is free.
   */
  async function deliverLast(key: string, onMessage: OnWatchMessage): Promise<boolean> {
    const lastKey = `${key}:last`;
    const requestedAt = performance.now();
    const replies = await commands
      .multi()
      .getrangeBuffer(lastKey, 0, maxKeptBytes)
      .pttl(lastKey)
      .pttl(leaseKeyOf(key))
      .exec()
      .catch(() => null);
    const [[, bytes] = [], [, remainingMs] = [], [, heldMs] = []] = replies ?? [];
    const envelope = bytes ? open(bytes as Buffer, key) : undefined;
    if (envelope) {
      const message = receivedMessage(envelope);
      const storedMs = keptMsOf(message.leaseMs) - (remainingMs as number);
      const leaseMs = Math.min(Math.max(0, heldMs as number), message.leaseMs);
      onMessage({ ...message, leaseMs, sentAt: Math.min(requestedAt - storedMs, message.sentAt) });
    }
    return (heldMs as number) < 0;
  }

  /** The message in the time of this gateway. It reads its clock once: a process can be paused between two readings. */
  function receivedMessage({ from, at, payload, leaseMs }: Envelope): WatchMessage {
    const now = performance.now();
    return { payload, leaseMs, sentAt: now - clocks.ageOf(from, at, performance.timeOrigin + now) };
  }

  return {
    join(lane, topic, onMessage) {
      const key = keyOf('watch', `format ${formatVersion}`, lane, topic);
      const leaseKey = leaseKeyOf(key);
      /** Whether another gateway had the lease when it was last requested. */
      let isOthers = false;
      const onReleased = () => onMessage({ payload: undefined, leaseMs: 0, sentAt: performance.now() });
      /** A message that the lease was released may have come before the subscription. */
      const catchUp = async () => {
        const isFree = await deliverLast(key, onMessage);
        if (isFree && isOthers) onReleased();
      };
      const unsubscribe = listen(key, {
        onMessage(bytes) {
          if (bytes.length === 0) return onReleased();
          const envelope = open(bytes, key);
          if (envelope) onMessage(receivedMessage(envelope));
        },
        onSubscribed: () => void catchUp(),
      });
      return {
        async lease(leaseMs) {
          try {
            const mine = await runScript(commands, leaseScript, [leaseKey], [self, Math.ceil(leaseMs)]);
            isOthers = mine !== 1;
            if (!isOthers) return 'mine';
            // Messages of the holder may not arrive: Redis can refuse the connection that receives them, and take commands.
            void catchUp();
            return 'other';
          } catch {
            return 'unreachable';
          }
        },
        publish({ sentAt, ...message }, isKept) {
          const envelope: Envelope = { from: self, at: performance.timeOrigin + sentAt, ...message };
          const bytes = box.seal(envelope, [key]);
          const batch = commands.pipeline();
          // First, so that each subscriber gets it in one of both ways. A full Redis does not keep it.
          if (isKept) batch.set(`${key}:last`, bytes, 'PX', keptMsOf(message.leaseMs));
          batch[publish](key, bytes)
            .exec()
            .catch(() => {});
        },
        leave() {
          unsubscribe();
          runScript(commands, releaseScript, [leaseKey, key], [self, publish]).catch(() => {});
        },
      };
    },
  };
}

function leaseKeyOf(key: string): string {
  return `${key}:lease`;
}

/** How long the last message is kept from its publication (ms). */
function keptMsOf(leaseMs: number): number {
  return Math.ceil(leaseMs + lastMessageMs);
}
