/** Opens the connections of ioredis to what REDIS_URL addresses. */
import { Cluster, Command, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '../config/redis-address.ts';
import { replaceUnreadable } from './unreadable-replies.ts';

const commandTimeoutMs = 500;
const connectTimeoutMs = 2_000;
/** Time between two attempts of a command in a cluster (ms). */
const redirectionMs = 60;
const maxReconnectMs = 2_000;

/** A random delay, so that gateways that lost Redis together do not reconnect together. */
const retryStrategy = (attempt: number) => Math.random() * Math.min(100 * 2 ** attempt, maxReconnectMs);

const common = {
  maxRetriesPerRequest: 0,
  connectTimeout: connectTimeoutMs,
  // Each connection subscribes again by itself, and nothing of a lost connection is kept.
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  lazyConnect: true,
} satisfies RedisOptions;

/** After a pause of this process, replies are read before a command has timed out. As ioredis does it otherwise. */
Command.prototype.setTimeout = function (ms) {
  const timeOut = () => {
    if (!this.isResolved) this.reject(new Error('Command timed out'));
  };
  // The attempts of a command in a cluster share one.
  if (!Reflect.has(this, '_commandTimeoutTimer'))
    Object.assign(this, { _commandTimeoutTimer: setTimeout(setImmediate, ms, timeOut) });
};

const ofServer = {
  ...common,
  // A command that cannot be sent now is not sent later: the caller has its response by then.
  enableOfflineQueue: false,
  retryStrategy,
} satisfies RedisOptions;

/** Time between two new connections because the server is read-only (ms). */
const readOnlyMs = 1_000;

/**
 * A demoted primary refuses writes and may keep its connections: a new one leads to its successor. At a server that stays a
 * replica the connection would be lost nearly always, since each new one begins with outcomes to store again. The failover
 * detector of ioredis for sentinels is not used: a failover that it reports while the connection is being made again ends the
 * connection for good.
 */
function replacedWhenReadOnly(connection: Redis): Redis {
  let nextAt = 0;
  let isDue = false;
  function replace(): void {
    isDue = false;
    nextAt = performance.now() + readOnlyMs;
    if (connection.status === 'ready') connection.disconnect(true);
  }
  connection.options.reconnectOnError = ({ message }) => {
    if (isDue || !/\bREADONLY\b/.test(message)) return false;
    isDue = true;
    setTimeout(replace, Math.max(0, nextAt - performance.now())).unref();
    return false;
  };
  // ioredis would select the database of the last connection in place of that of a changed address.
  connection.on('close', () => Object.assign(connection, { prevCondition: null }));
  return replaceUnreadable(connection);
}

/** Name of the entry, and of the channel, with which it is tried what the user of Redis may do. */
export const tryName = 'folio:try:{check}';

/** A connection for commands: they fail at once while it is lost, and after half a second if Redis does not reply. */
export function openCommands(address: RedisAddress): Redis | Cluster {
  return address.kind === 'cluster'
    ? openCluster(address)
    : openServer(address, { commandTimeout: commandTimeoutMs });
}

/** A connection to the only server, or to the primary that the sentinels name. */
export function openServer(
  address: Exclude<RedisAddress, ClusterAddress>,
  options: RedisOptions = {},
): Redis {
  if (address.kind === 'server')
    return replacedWhenReadOnly(new Redis(address.url, { ...ofServer, ...options }));
  const { hosts, isTls, name, db, sentinelUsername, sentinelPassword } = address;
  const ofSentinels: RedisOptions = {
    ...ofServer,
    ...options,
    sentinels: [...hosts],
    name,
    db,
    ...accessOf(address),
    ...(sentinelUsername && { sentinelUsername }),
    ...(sentinelPassword && { sentinelPassword }),
    ...(isTls && { sentinelTLS: {}, enableTLSForSentinelMode: true }),
    sentinelCommandTimeout: commandTimeoutMs,
    sentinelRetryStrategy: retryStrategy,
  };
  return replacedWhenReadOnly(new Redis(ofSentinels));
}

type ClusterAddress = Extract<RedisAddress, { kind: 'cluster' }>;

function openCluster(address: ClusterAddress): Cluster {
  const cluster = new Cluster([...address.hosts], {
    enableOfflineQueue: false,
    lazyConnect: true,
    clusterRetryStrategy: retryStrategy,
    slotsRefreshTimeout: connectTimeoutMs,
    // Host names are not resolved: certificates are issued for them.
    dnsLookup: (host, callback) => callback(null, host),
    // Shorter than a command may take: then the error is that of the last attempt.
    maxRedirections: 5,
    retryDelayOnClusterDown: redirectionMs,
    retryDelayOnTryAgain: redirectionMs,
    retryDelayOnFailover: redirectionMs,
    redisOptions: {
      ...common,
      ...accessOf(address),
      commandTimeout: commandTimeoutMs,
    },
  });
  cluster.on('+node', replaceUnreadable);
  return cluster;
}

export function openNode(address: ClusterAddress, node: string, options: RedisOptions = {}): Redis {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(node) ?? [];
  const ofNode = { ...ofServer, ...options, host, port: Number(port), ...accessOf(address) };
  return replacedWhenReadOnly(new Redis(ofNode));
}

/** Changes the options by which a connection is made: to one server its address too, otherwise the credentials. */
export function changeOptions(options: RedisOptions, address: RedisAddress): void {
  if (address.kind !== 'server') {
    const { username = null, password = null } = address;
    Object.assign(options, { username, password });
    if (address.kind === 'sentinel') {
      const { sentinelUsername = null, sentinelPassword = null } = address;
      Object.assign(options, { sentinelUsername, sentinelPassword });
    }
    return;
  }
  const next = openServer(address);
  const { host, port, db, username, password, tls } = next.options;
  next.disconnect();
  Object.assign(options, { host, port, db, username, password, tls });
}

function accessOf({ isTls, username, password }: Exclude<RedisAddress, { kind: 'server' }>) {
  return { ...(username && { username }), ...(password && { password }), ...(isTls && { tls: {} }) };
}
