/** Replaces connections whose replies cannot be read, or belong to no command: ioredis would keep them, or never connect again. */
import { Cluster, type Redis, type RedisOptions } from 'ioredis';
import { z } from 'zod';
import { ReplySize } from './reply-size.ts';

/** Ends the connections at once, so that no further reply is read. Each is made again as after any loss. */
export function replace(connection: Redis | Cluster, reason: Error): void {
  const connections = connection instanceof Cluster ? connection.nodes() : [connection];
  // Without a stream it has never been connected.
  for (const { stream } of connections as Partial<Redis>[]) stream?.destroy(reason);
}

/** Members of ioredis that its types hide. */
interface Hidden {
  readonly connector: {
    check(info: unknown): boolean;
    connectToSentinel?(...parameters: unknown[]): Redis;
  };
}

/**
 * Replaces the connection when ioredis throws while it reads a reply, or would need too much memory for it, when a reply has come
 * that no command awaits, and when the server has refused to select the database. The same for the connections that ioredis
 * derives from it: to sentinels, and to read the slots of a cluster. From these it is given no reply that it could not read.
 */
export function replaceUnreadable(connection: Redis): Redis {
  connection.on('connect', () => guardData(connection));
  connection.on('error', (error: Error & { readonly command?: { readonly name: string } }) => {
    const isUnasked = error.message.startsWith('Command queue state error');
    // Commands would have the entries of database 0.
    if (isUnasked || error.command?.name === 'select') connection.stream.destroy();
  });
  const { connector } = connection as unknown as Hidden;
  const { check, connectToSentinel } = connector;
  connector.check = (info) => check.call(connector, info ?? {});
  if (connectToSentinel) {
    connector.connectToSentinel = (...parameters) =>
      ofSentinel(replaceUnreadable(connectToSentinel.apply(connector, parameters)));
  }
  const { duplicate } = connection;
  connection.duplicate = (override?: Partial<RedisOptions>) =>
    ofSlots(replaceUnreadable(duplicate.call(connection, override)));
  return connection;
}

/** ioredis reads what the connection has received in listeners that it has added before. */
function guardData({ stream }: Redis): void {
  for (const read of stream.listeners('data') as ((bytes: Buffer) => void)[]) {
    stream.off('data', read);
    const size = new ReplySize();
    stream.on('data', (bytes) => {
      try {
        size.read(bytes);
        read(bytes);
      } catch (error) {
        stream.destroy(error as Error);
      }
    });
  }
}

/** An address that cannot be connected to would end the connection for good: the next sentinel is asked instead. */
function ofSentinel(sentinel: Redis): Redis {
  const asked = async (command: string, ...parameters: string[]) => {
    const reply = await sentinel.call('sentinel', command, ...parameters);
    const isUnusable = command === 'get-master-addr-by-name' && !addressForm.safeParse(reply).success;
    return isUnusable ? null : reply;
  };
  return Object.assign(sentinel, { sentinel: asked });
}

const addressForm = z.tuple([z.string().min(1), z.coerce.number().int().min(1).max(65_535)], z.unknown());

/** ioredis would throw in a timer, or fill its list of slots without end: the next node is asked instead. */
function ofSlots(node: Redis): Redis {
  const ask = node.cluster as (command: 'SLOTS') => Promise<unknown>;
  const cluster = (command: 'SLOTS', callback: (error: unknown, slots?: unknown) => void) =>
    ask
      .call(node, command)
      .then(
        (reply) =>
          slotsForm.safeParse(reply).success
            ? callback(null, reply)
            : callback(new Error('The reply of Redis has no slots.')),
        callback,
      );
  return Object.assign(node, { cluster });
}

const slot = z.number().int().min(0).max(16_383);
/** Ranges of slots, each from the first to the last one with the nodes that serve it. */
const slotsForm = z
  .array(z.tuple([slot, slot], z.array(z.unknown())).refine(([first, last]) => first <= last))
  .min(1);
