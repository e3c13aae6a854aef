/** The connections to the Redis server that several gateways share. */
import { createHmac } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Log } from '../telemetry/log.ts';
import { EvictingRedisError, evictingPolicy } from './evicting-redis.ts';
import { createChannels, type RedisChannels } from './redis-channels.ts';
import { watchConnection } from './redis-watchdog.ts';

export interface SharedRedis {
  /** For commands. They fail at once while the connection is lost, and after half a second if Redis does not reply. */
  readonly commands: Redis;
  readonly messages: RedisChannels;
  readonly isLost: () => boolean;
  /** Whether the server of the last connection evicts keys: a write with an idempotency key could be sent twice. */
  readonly isEvicting: () => boolean;
  /** The name of a key in Redis. The parts are hashed with the fleet's secret and cannot be read back. */
  keyOf(kind: string, ...parts: readonly string[]): string;
  close(): void;
}

const commandTimeoutMs = 500;
const maxReconnectMs = 2_000;

/**
 * Connects in the background: an unreachable server is not an error. Rejects with `EvictingRedisError` if the server
 * evicts keys. `secret`: the fleet's secret, used for the names of keys.
 */
export async function connectRedis(url: string, secret: string, log: Log): Promise<SharedRedis> {
  const options = {
    // A command that cannot be sent now is not sent later: the caller has its response by then.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    // A random delay, so that gateways that lost Redis together do not reconnect together.
    retryStrategy: (attempt: number) => Math.random() * Math.min(100 * 2 ** attempt, maxReconnectMs),
  };
  const commands = new Redis(url, { ...options, commandTimeout: commandTimeoutMs, lazyConnect: true });
  // A connection that subscribes cannot send other commands. `createChannels` subscribes again: nothing of a lost
  // connection is kept.
  const subscriber = new Redis(url, {
    ...options,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    lazyConnect: true,
  });
  let wasLost = false;
  let isStarted = false;
  let isEvicting = false;
  /** The policy at the last connection: each one may reach another server or another configuration. */
  let policy: Promise<string | undefined> | undefined;
  function recordPolicy(evicting: string | undefined): string | undefined {
    isEvicting = evicting !== undefined;
    if (isEvicting && isStarted) log.error({ policy: evicting }, 'redis evicts');
    return evicting;
  }
  for (const connection of [commands, subscriber]) {
    connection.on('error', (error) => {
      if (!wasLost) log.warn({ err: error }, 'redis lost');
      wasLost = true;
    });
  }
  commands.on('ready', () => {
    if (wasLost) log.info('redis is back');
    wasLost = false;
    policy = evictingPolicy(commands, log).then(recordPolicy);
  });
  const watches = [watchConnection(commands), watchConnection(subscriber)];
  const close = () => {
    for (const stopWatching of watches) stopWatching();
    commands.disconnect();
    subscriber.disconnect();
  };
  await Promise.allSettled([commands.connect(), subscriber.connect()]);
  const evicting = await policy;
  if (evicting !== undefined) {
    close();
    throw new EvictingRedisError(evicting);
  }
  isStarted = true;
  return {
    commands,
    messages: createChannels(subscriber),
    isLost: () => commands.status !== 'ready',
    isEvicting: () => isEvicting,
    keyOf: (kind, ...parts) =>
      `folio:${kind}:{${createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url')}}`,
    close,
  };
}
