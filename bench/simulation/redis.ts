/** The leases and messages of `src/state/redis-status-bus.ts`, in memory and with a delay, and a count of the commands. */
import type { Lane } from '../../src/caller.ts';
import type { Clock } from '../../src/malaysia/clock.ts';
import type { OnWatchMessage, StatusBus, WatchMessage } from '../../src/state/status-bus.ts';

/** Time from a gateway to Redis and back, or through Redis to another gateway (ms). */
export const redisMs = 1;
/** As in `redis-status-bus.ts` (ms). */
const lastMessageMs = 5_000;

interface Topic {
  holder: number | undefined;
  leasedUntil: number;
  last: { readonly message: WatchMessage; readonly at: number } | undefined;
  readonly subscribers: Map<number, OnWatchMessage>;
}

export interface SimulatedRedis {
  bus(gateway: number): StatusBus;
  /** Commands so far, and messages that were delivered to gateways. */
  counts(): { readonly commands: number; readonly delivered: number };
}

export function createSimulatedRedis(clock: Clock): SimulatedRedis {
  const topics = new Map<string, Topic>();
  let commands = 0;
  let delivered = 0;

  function topicOf(lane: Lane, name: string): Topic {
    const key = `${lane}/${name}`;
    let topic = topics.get(key);
    if (!topic) {
      topic = { holder: undefined, leasedUntil: 0, last: undefined, subscribers: new Map() };
      topics.set(key, topic);
    }
    return topic;
  }

  function deliver(topic: Topic, from: number, message: WatchMessage): void {
    for (const [gateway, onMessage] of topic.subscribers) {
      delivered += 1;
      if (gateway !== from)
        clock.after(redisMs, () => {
          if (topic.subscribers.get(gateway) === onMessage) onMessage(message, 0);
        });
    }
  }

  return {
    counts: () => ({ commands, delivered }),
    bus: (self) => ({
      lease(lane, name, leaseMs) {
        commands += 1;
        return new Promise((resolve) => {
          clock.after(redisMs, () => {
            const topic = topicOf(lane, name);
            const now = clock.now();
            if (topic.holder !== undefined && topic.holder !== self && topic.leasedUntil > now) {
              resolve('other');
              return;
            }
            topic.holder = self;
            topic.leasedUntil = now + leaseMs;
            resolve('mine');
          });
        });
      },
      release(lane, name) {
        commands += 1;
        const topic = topicOf(lane, name);
        if (topic.holder === self) {
          commands += 2;
          topic.holder = undefined;
          deliver(topic, self, { payload: undefined, isKept: false, leaseMs: 0 });
        }
        if (topic.subscribers.size === 0) topics.delete(`${lane}/${name}`);
      },
      publish(lane, name, message) {
        // MULTI, PUBLISH, EXEC, and SET for a message that is kept.
        commands += message.isKept ? 4 : 3;
        const topic = topicOf(lane, name);
        if (message.isKept) topic.last = { message, at: clock.now() };
        deliver(topic, self, message);
      },
      subscribe(lane, name, onMessage) {
        // SUBSCRIBE, then MULTI, GET, PTTL and EXEC for the last message; UNSUBSCRIBE at the end.
        commands += 6;
        const topic = topicOf(lane, name);
        topic.subscribers.set(self, onMessage);
        const { last } = topic;
        if (last && clock.now() - last.at < last.message.leaseMs + lastMessageMs)
          clock.after(2 * redisMs, () => {
            if (topic.subscribers.get(self) === onMessage) onMessage(last.message, clock.now() - last.at);
          });
        return () => topic.subscribers.delete(self);
      },
    }),
  };
}
