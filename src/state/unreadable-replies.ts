/** Replaces connections whose replies cannot be read, or belong to no command: ioredis would keep them, or never connect again. */
import { Cluster, type Redis, type RedisOptions } from 'ioredis';
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
    return command === 'get-master-addr-by-name' && !isAddress(reply) ? null : reply;
  };
  return Object.assign(sentinel, { sentinel: asked });
}

function isAddress(reply: unknown): boolean {
  if (!Array.isArray(reply)) return false;
  const [host, port] = reply;
  return typeof host === 'string' && host !== '' && isWithin(Number(port), 1, 65_535);
}

/** ioredis would throw in a timer, or fill its list of slots without end: the next node is asked instead. */
function ofSlots(node: Redis): Redis {
  const ask = node.cluster as (command: 'SLOTS') => Promise<unknown>;
  const cluster = (command: 'SLOTS', callback: (error: unknown, slots?: unknown) => void) =>
    ask
      .call(node, command)
      .then(
        (reply) =>
          areSlots(reply) ? callback(null, reply) : callback(new Error('The reply of Redis has no slots.')),
        callback,
      );
  return Object.assign(node, { cluster });
}

function areSlots(reply: unknown): boolean {
  const isRange = (range: unknown) => {
    if (!Array.isArray(range)) return false;
    const [first, last, ...nodes] = range;
    return isWithin(first, 0, 16_383) && isWithin(last, first, 16_383) && nodes.every(Array.isArray);
  };
  return Array.isArray(reply) && reply.length > 0 && reply.every(isRange);
}

function isWithin(number: unknown, smallest: number, largest: number): boolean {
  return Number.isInteger(number) && smallest <= (number as number) && (number as number) <= largest;
}
