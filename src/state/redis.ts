/** The connections to the Redis that several gateways share. */
import { once } from 'node:events';
import { Cluster, type Redis } from 'ioredis';
import type { RedisAddress } from '../config/redis-address.ts';
import type { Log } from '../telemetry/log.ts';
import { createChannels } from './redis-channels.ts';
import { changeOptions, openCommands, tryName } from './redis-clients.ts';
import { isTimeout, replyCodeOf } from './redis-error.ts';
import { EvictingRedisError, readPolicies } from './redis-eviction.ts';
import { openPrimaries, type Primaries, type PrimariesOptions, primaryOf } from './redis-primaries.ts';
import { watchConnection } from './redis-watchdog.ts';

/** Time between two reads of a cluster's slots (ms). They are also read when a node redirects a command or is lost. */
const slotsRefreshMs = 2_000;

export type SharedRedis = Awaited<ReturnType<typeof connectRedis>>;

/**
 * Connects in the background: an unreachable server is not an error. Rejects with `EvictingRedisError` if a server
 * evicts keys.
 */
export async function connectRedis(address: RedisAddress, log: Log) {
  const commands = openCommands(address);
  const isCluster = commands instanceof Cluster;
  const publish: 'publish' | 'spublish' = isCluster ? 'spublish' : 'publish';
  let wasLost = false;
  /** The last code that was logged since then. */
  let lostReply: string | undefined;
  let isStarted = false;
  let isSilent = false;
  /** The maxmemory-policy that evicts keys, as last seen; undefined if none does. */
  let evicting: string | undefined;
  /** The last reading at a connection: each one may reach another server or another configuration. */
  let policyRead: Promise<void> | undefined;

  const servers = (): readonly Redis[] => (isCluster ? commands.nodes('master') : [commands]);

  function recordPolicies(policies: readonly string[]): void {
    const found = policies.find((policy) => policy !== 'noeviction');
    if (found !== undefined && found !== evicting && isStarted) log.error({ policy: found }, 'redis evicts');
    evicting = found;
  }
  /** An empty message, to a channel to which nobody listens. */
  async function tryMessage(): Promise<void> {
    try {
      await commands[publish](tryName, '');
      isSilent = false;
    } catch (error) {
      const reply = replyCodeOf(error);
      if (reply !== 'NOPERM') return;
      if (!isSilent) log.error({ reply }, 'redis refuses messages');
      isSilent = true;
    }
  }
  function onError(error: Error): void {
    const reason = isTimeout(error) ? 'timeout' : undefined;
    const reply = replyCodeOf(error);
    // A server that comes back can refuse what it accepted before.
    if (!wasLost || (reply && reply !== lostReply)) log.warn({ err: error, reply, reason }, 'redis lost');
    wasLost = true;
    lostReply = reply ?? lostReply;
  }
  const reconnectListeners: (() => void)[] = [];
  function onConnected(): void {
    if (wasLost) log.info('redis is back');
    wasLost = false;
    lostReply = undefined;
    policyRead = readPolicies(servers(), log).then(recordPolicies);
    void tryMessage();
    for (const listener of reconnectListeners) listener();
  }

  commands.on('error', onError);
  // Not the interval of ioredis: it starts again when the connection is closed during a read, and ignores that no node replies.
  const refresh = isCluster ? setInterval(() => refreshSlots(commands), slotsRefreshMs) : undefined;
  if (isCluster) watchNodes(commands, onConnected);
  else {
    watchConnection(commands);
    commands.on('ready', onConnected);
  }
  const opened: Primaries[] = [];
  function connectPrimaries(options: PrimariesOptions): Primaries {
    const primaries = openPrimaries(address, commands, options);
    opened.push(primaries);
    return primaries;
  }
  const listen = createChannels(connectPrimaries, isCluster, onError);
  const close = () => {
    clearInterval(refresh);
    for (const primaries of opened) primaries.close();
    commands.disconnect();
  };
  // Without an address from the sentinels, or with a cluster that is not ready, the promise is never settled.
  await Promise.race([once(commands, 'close'), commands.connect()]).catch(() => {});
  await policyRead;
  if (evicting !== undefined) {
    close();
    throw new EvictingRedisError(evicting);
  }
  isStarted = true;
  return {
    /** For commands. They fail at once while the connection is lost, and after half a second if Redis does not reply. */
    commands,
    listen,
    /** The command that sends a message: in a cluster to one shard. */
    publish,
    /** The connections for commands to all primaries. */
    servers,
    isLost: () => commands.status !== 'ready',
    /** Whether a server evicts keys, as last seen: a write with an idempotency key could be sent twice. */
    isEvicting: () => evicting !== undefined,
    /** Whether Redis refuses messages between gateways, as last tried: its user has no right to their channels. */
    isSilent: () => isSilent,
    tryMessage,
    /** Takes the maxmemory-policies of all servers, just read. */
    recordPolicies,
    /** The name of the primary that holds a key, as far as is known: the same for all keys except in a cluster. */
    primaryOf: (key: string) => primaryOf(commands, key),
    /** Opens further connections, one to each primary. They are closed with the others. */
    connectPrimaries,
    /** Calls the listener after each new connection to a primary. */
    onReconnect: (listener: () => void) => void reconnectListeners.push(listener),
    /**
     * Uses other credentials, or the other address of a server, for connections from now on. Open connections stay, unless
     * the server or the database is another one. Returns whether that is possible: an address of another kind needs a restart.
     */
    changeAddress(next: RedisAddress): boolean {
      if (next.kind !== address.kind) return false;
      // Connections to nodes that are found later.
      Object.assign(address, next);
      const open = opened.flatMap((primaries) => primaries.all());
      if (isCluster) changeOptions(commands.options.redisOptions ?? {}, next);
      for (const connection of isCluster ? commands.nodes() : [commands]) open.push(connection);
      for (const connection of open) {
        const { host, port, db } = connection.options;
        changeOptions(connection.options, next);
        const { options } = connection;
        const isElsewhere = host !== options.host || port !== options.port || db !== options.db;
        if (isElsewhere) connection.disconnect(true);
      }
      return true;
    },
    close,
  };
}

/**
 * Reads the slots, over new connections. When no node replies and none is connected, connects to the cluster again, beginning
 * with those of its address. Open connections stay: a password that was removed, and a full server, refuse new ones only.
 */
function refreshSlots(cluster: Cluster): void {
  cluster.refreshSlotsCache((error) => {
    const isConnected = cluster.nodes().some(({ status }) => status === 'ready');
    if (error && !isConnected && cluster.status === 'ready') cluster.disconnect(true);
  });
}

/** Calls `onConnected` when the cluster is ready, and when it has other primaries or a new connection to one. */
function watchNodes(cluster: Cluster, onConnected: () => void): void {
  let primaries = '';
  const isReady = () => cluster.status === 'ready';
  cluster.on('+node', (node: Redis) => {
    watchConnection(node);
    const { asking } = node;
    // ioredis sends it before a command that a node redirects, and handles only the rejection of that command.
    node.asking = () => asking.call(node).catch(() => 'OK');
    if (node.options.readOnly) return;
    node.on('ready', () => isReady() && onConnected());
    if (isReady()) node.connect().catch(() => {});
  });
  cluster.on('refresh', () => {
    const current = [...new Set(cluster.slots.map((nodes) => nodes?.[0]))].sort().join(' ');
    if (current === primaries) return;
    primaries = current;
    if (isReady()) onConnected();
  });
  cluster.on('ready', () => {
    // Connected before they are needed: while a connection is being made, commands fail.
    for (const node of cluster.nodes('master')) node.connect().catch(() => {});
    onConnected();
  });
}
