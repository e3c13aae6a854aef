/** Waits until replicas have what was written, so that a failover does not lose it. */
import { once } from 'node:events';
import type { Redis } from 'ioredis';
import type { SharedRedis } from '../redis.ts';

/** Longest wait for the acknowledgements of replicas (ms). */
export const acknowledgementMs = 250;
/** Longest wait for a reply: a batch waits for the one before it. */
const commandTimeoutMs = 1_000;

interface Confirmation {
  readonly write: (primary: Redis) => Promise<boolean>;
  readonly resolve: (isConfirmed: boolean) => void;
}

/**
 * Returns a function that sends a write to the primary that holds a key, and returns whether the write was true and `count`
 * replicas acknowledged it, and with it all that was written to that primary before. Never rejects. WAIT blocks its
 * connection, so it has one of its own.
 */
export function createConfirm(redis: SharedRedis, count: number) {
  const primaries = redis.connectPrimaries({
    commandTimeout: commandTimeoutMs,
    // Each write that waits for the connection listens to it.
    onConnection: (connection) => connection.setMaxListeners(0),
  });
  const waiting = new WeakMap<Redis, Confirmation[]>();

  /** One WAIT for all writes that came while the one before was waiting. */
  async function confirmAll(primary: Redis, queue: Confirmation[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0);
      // Sent together, and so over the same connection: WAIT covers the writes of its connection only.
      const writes = Promise.allSettled(batch.map(({ write }) => write(primary)));
      const acknowledged = await primary.wait(count, acknowledgementMs).catch(() => 0);
      const written = await writes;
      for (const [index, { resolve }] of batch.entries()) {
        const write = written[index];
        resolve(acknowledged >= count && write?.status === 'fulfilled' && write.value);
      }
    }
    waiting.delete(primary);
  }

  return async (key: string, write: Confirmation['write']) => {
    const primary = primaries.of(key);
    if (!primary || !(await isReady(primary))) return false;
    return await new Promise<boolean>((resolve) => {
      const queue = waiting.get(primary);
      if (queue) return void queue.push({ write, resolve });
      const first = [{ write, resolve }];
      waiting.set(primary, first);
      void confirmAll(primary, first);
    });
  };
}

/** Waits for a connection that is being made, but not longer than for replicas. */
async function isReady(connection: Redis): Promise<boolean> {
  if (connection.status !== 'ready') {
    await once(connection, 'ready', { signal: AbortSignal.timeout(acknowledgementMs) }).catch(() => {});
  }
  return connection.status === 'ready';
}
