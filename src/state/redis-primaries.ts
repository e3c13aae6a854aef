/** Connections of one purpose, one to each primary. */
import { Cluster, Command, type Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '../config/redis-address.ts';
import { openNode, openServer } from './redis-clients.ts';
import { watchConnection } from './redis-watchdog.ts';

export type Primaries = ReturnType<typeof openPrimaries>;

export interface PrimariesOptions extends RedisOptions {
  /** Called with each new connection, before it connects. */
  readonly onConnection?: (connection: Redis) => void;
  /** Called when keys may have another primary. */
  readonly onMove?: () => void;
}

/** The name of the primary that holds a key, as far as is known: `host:port` in a cluster, else always the same. */
export function primaryOf(commands: Redis | Cluster, key: string): string {
  return commands instanceof Cluster ? (commands.slots[slotOf(key)]?.[0] ?? '') : '';
}

function slotOf(key: string): number {
  return new Command('get', [key]).getSlot() as number;
}

/** Connects in the background. `commands`: the connection that knows the nodes of a cluster. */
export function openPrimaries(
  address: RedisAddress,
  commands: Redis | Cluster,
  { onConnection = () => {}, onMove = () => {}, ...options }: PrimariesOptions,
) {
  const connections = new Map<string, Redis>();
  /** The primary of each slot of a cluster, as last read: between two reads, ioredis changes its own when a node redirects a command. */
  let known: readonly (string | undefined)[] = [];

  function add(name: string, connection: Redis): void {
    connections.set(name, connection);
    watchConnection(connection);
    // A lost connection is reported by the one for commands.
    connection.on('error', () => {});
    onConnection(connection);
    connection.connect().catch(() => {});
  }

  if (address.kind !== 'cluster') {
    add('', openServer(address, options));
  } else if (commands instanceof Cluster) {
    const cluster = commands;
    const connectAll = () => {
      const read = cluster.slots.map((nodes) => nodes?.[0]);
      // They are read every 2 seconds, and finding the primary of each of 20,000 channels takes about 0.3 seconds.
      if (read.join() === known.join()) return;
      known = read;
      const names = new Set(known.filter((name) => name !== undefined));
      for (const [name, connection] of connections) {
        if (names.has(name)) continue;
        connections.delete(name);
        connection.disconnect();
      }
      for (const name of names) {
        if (connections.has(name)) continue;
        const connection = openNode(address, name, options);
        connection.on('close', () => {
          if (connections.get(name) === connection) cluster.refreshSlotsCache();
        });
        add(name, connection);
      }
      onMove();
    };
    cluster.on('refresh', connectAll);
    connectAll();
  }

  return {
    /** The connection to the primary that holds a key; undefined while that is unknown. */
    of: (key: string) => connections.get(known.length > 0 ? (known[slotOf(key)] ?? '') : ''),
    all: () => [...connections.values()],
    close() {
      for (const connection of connections.values()) connection.disconnect();
      connections.clear();
    },
  };
}
