/** The leases and messages of `src/state/redis-watch-bus.ts`, in memory and with a delay, and a count of the commands. */
import type { Lane } from '../../src/caller.ts';
import type { FleetPollBudget } from '../../src/state/fleet-poll-budget.ts';
import type { OnWatchMessage, WatchBus, WatchMessage } from '../../src/state/watch-bus.ts';
import type { Clock } from '../../src/watch/clock.ts';

/** Time from a gateway to Redis and back, or through Redis to another gateway (ms). */
export const redisMs = 1;
/** As in `redis-watch-bus.ts` (ms). */
const lastMessageMs = 5_000;

interface Topic {
  holder: number | undefined;
  leasedUntil: number;
  last: WatchMessage | undefined;
  readonly subscribers: Map<number, OnWatchMessage>;
}

export interface SimulatedRedis {
  bus(gateway: number): WatchBus;
  /** The token bucket of `src/state/fleet-poll-budget.ts`. */
  budget(perSecond: number): (gateway: string) => FleetPollBudget;
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
          if (topic.subscribers.get(gateway) === onMessage) onMessage(message);
        });
    }
  }

  return {
    counts: () => ({ commands, delivered }),
    budget(perSecond) {
      const size = Math.max(1, perSecond);
      let tokens = size;
      let at = 0;
      let waiting = { second: 0, before: 0, callers: new Map<string, number>() };
      const sum = (callers: Map<string, number>) => [...callers.values()].reduce((a, b) => a + b, 0);
      return (gateway) => ({
        take: (wanted, callers) =>
          new Promise((resolve) => {
            commands += 1;
            clock.after(redisMs, () => {
              const second = Math.floor(clock.now() / 1_000);
              if (second !== waiting.second) {
                const before = second === waiting.second + 1 ? sum(waiting.callers) : 0;
                waiting = { second, before, callers: new Map() };
              }
              const last = waiting.callers.get(gateway) ?? 0;
              waiting.callers.set(gateway, Math.max(last, callers));
              const total = Math.max(waiting.before, sum(waiting.callers));
              tokens = Math.min(size, tokens + ((clock.now() - at) / 1_000) * perSecond);
              at = clock.now();
              const taken = Math.min(wanted, Math.floor(tokens), Math.ceil((tokens * callers) / total));
              tokens -= taken;
              resolve(taken);
            });
          }),
      });
    },
    bus: (self) => ({
      join(lane, name, onMessage) {
        // SUBSCRIBE, then MULTI, GET, PTTL and EXEC for the last message; UNSUBSCRIBE at the end.
        commands += 6;
        const topic = topicOf(lane, name);
        topic.subscribers.set(self, onMessage);
        const { last } = topic;
        if (last && clock.now() - last.sentAt < last.leaseMs + lastMessageMs)
          clock.after(2 * redisMs, () => {
            if (topic.subscribers.get(self) === onMessage) onMessage(last);
          });
        return {
          lease(leaseMs) {
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
          publish(message, isKept) {
            // PUBLISH, and SET for a message that is kept.
            commands += isKept ? 2 : 1;
            if (isKept) topic.last = message;
            deliver(topic, self, message);
          },
          leave() {
            topic.subscribers.delete(self);
            commands += 1;
            if (topic.holder === self) {
              commands += 2;
              topic.holder = undefined;
              deliver(topic, self, { payload: undefined, leaseMs: 0, sentAt: clock.now() });
            }
            if (topic.subscribers.size === 0) topics.delete(`${lane}/${name}`);
          },
        };
      },
    }),
  };
}
