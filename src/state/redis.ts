/** The connection to Redis that several gateways share, and what it means when it is lost. */
import { createHmac } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Log } from '../telemetry/log.ts';
import { EvictingRedisError, evictingPolicy } from './evicting-redis.ts';
import { watchConnection } from './redis-watchdog.ts';

export interface SharedRedis {
  /** For commands: they fail at once while the connection is lost, and within half a second when it is slow. */
  readonly commands: Redis;
  /** For messages: a connection that subscribes can do nothing else. A new connection has no subscription. */
  readonly messages: Redis;
  readonly isLost: () => boolean;
  /** The server connected to last evicts keys: a write under an idempotency key could be sent twice. */
  readonly isEvicting: () => boolean;
  /** A key of ours: nothing in it can be read back. */
  keyOf(kind: string, ...parts: readonly string[]): string;
  close(): void;
}

const commandTimeoutMs = 500;
const longestReconnectMs = 2_000;

/**
 * Connects in the background; an unreachable server is no failure. Rejects with `EvictingRedisError` when it can
 * be asked and evicts. `secret`: the fleet's, for the names of keys.
 */
export async function connectRedis(url: string, secret: string, log: Log): Promise<SharedRedis> {
  const options = {
    // What cannot be said now is not said later: the caller has been answered by then.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    // Gateways that lost it together do not come back together.
    retryStrategy: (attempt: number) => Math.random() * Math.min(100 * 2 ** attempt, longestReconnectMs),
  };
  const commands = new Redis(url, { ...options, commandTimeout: commandTimeoutMs, lazyConnect: true });
  // Its subscriptions are made again from those who listen: nothing of a lost connection is kept.
  const messages = new Redis(url, {
    ...options,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    lazyConnect: true,
  });
  let wasLost = false;
  let isStarted = false;
  let isEvicting = false;
  /** Of the server connected to last: each connection may lead to another one, or to one configured anew. */
  let policy: Promise<string | undefined> | undefined;
  function judge(evicting: string | undefined): string | undefined {
    isEvicting = evicting !== undefined;
    if (isEvicting && isStarted) log.error({ policy: evicting }, 'redis evicts');
    return evicting;
  }
  for (const connection of [commands, messages]) {
    connection.on('error', (error) => {
      if (!wasLost) log.warn({ err: error }, 'redis lost');
      wasLost = true;
    });
  }
  commands.on('ready', () => {
    if (wasLost) log.info('redis is back');
    wasLost = false;
    policy = evictingPolicy(commands, log).then(judge);
  });
  const watches = [watchConnection(commands), watchConnection(messages)];
  const close = () => {
    for (const stopWatching of watches) stopWatching();
    commands.disconnect();
    messages.disconnect();
  };
  await Promise.allSettled([commands.connect(), messages.connect()]);
  const evicting = await policy;
  if (evicting !== undefined) {
    close();
    throw new EvictingRedisError(evicting);
  }
  isStarted = true;
  return {
    commands,
    messages,
    isLost: () => commands.status !== 'ready',
    isEvicting: () => isEvicting,
    keyOf: (kind, ...parts) =>
      `folio:${kind}:{${createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url')}}`,
    close,
  };
}
