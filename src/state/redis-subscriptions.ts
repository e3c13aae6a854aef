import type { Redis } from 'ioredis';

const batchSize = 1_000;
/** Time after which a channel that the node refused is requested again (ms), if it still belongs there by then. */
const refusedMs = 250;

export type Subscriptions = ReturnType<typeof createSubscriptions>;

/**
 * Keeps a connection subscribed to exactly the wanted channels. At most one batch of commands is in flight, and none is
 * queued: while Redis is unreachable, only the set of wanted channels changes. `isSharded`: the channels of a cluster's
 * node, each with a command of its own, as they belong to different slots. `onSubscribed` is called with the channels of
 * each batch as soon as their messages are received.
 */
export function createSubscriptions(
  connection: Redis,
  isSharded: boolean,
  onSubscribed: (channels: readonly string[]) => void,
) {
  const wanted = new Set<string>();
  /** Requested on the current connection. */
  const subscribed = new Set<string>();
  /** The channels that are in exactly one of the two sets. */
  const changed = new Set<string>();
  let isSending = false;

  connection.on('close', () => {
    subscribed.clear();
    changed.clear();
    for (const channel of wanted) changed.add(channel);
  });
  connection.on('ready', () => void send());
  // A node ends the subscriptions of a slot that it gives away. ioredis does not expect that: begin again.
  connection.on('error', ({ message }: Error) => {
    if (message.startsWith('Command queue state error')) connection.disconnect(true);
  });

  function update(channel: string): void {
    if (wanted.has(channel) === subscribed.has(channel)) changed.delete(channel);
    else changed.add(channel);
    void send();
  }

  async function send(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (changed.size > 0 && connection.status === 'ready') await sendBatch().catch(() => {});
    isSending = false;
  }

  async function sendBatch(): Promise<void> {
    const batch = [...changed.values().take(batchSize)];
    const begun = batch.filter((channel) => wanted.has(channel));
    const ended = batch.filter((channel) => !wanted.has(channel));
    for (const channel of batch) changed.delete(channel);
    for (const channel of begun) subscribed.add(channel);
    for (const channel of ended) subscribed.delete(channel);
    await (isSharded ? sendEach(begun, ended) : sendAll(begun, ended));
  }

  async function sendAll(begun: readonly string[], ended: readonly string[]): Promise<void> {
    await Promise.all([
      begun.length > 0 && connection.subscribe(...begun).then(() => onSubscribed(begun)),
      ended.length > 0 && connection.unsubscribe(...ended),
    ]);
  }

  async function sendEach(begun: readonly string[], ended: readonly string[]): Promise<void> {
    const refused = new Set(begun);
    const begin = async (channel: string) => {
      await connection.ssubscribe(channel);
      refused.delete(channel);
      onSubscribed([channel]);
    };
    const end = (channel: string) => connection.sunsubscribe(channel);
    const { promise: moved, resolve: onMoved } = Promise.withResolvers<void>();
    // A command for a channel whose slot another node serves is never settled by ioredis, which emits this instead.
    connection.once('moved', onMoved);
    await Promise.race([Promise.allSettled([...begun.map(begin), ...ended.map(end)]), moved]);
    connection.off('moved', onMoved);
    for (const channel of refused) retryRefused(channel);
  }

  /** Its slot has moved, or is moving, to another node: unless the channel is moved too, it is requested here again. */
  function retryRefused(channel: string): void {
    setTimeout(() => {
      if (connection.status === 'ready' && subscribed.delete(channel)) update(channel);
    }, refusedMs);
  }

  return {
    /** Subscribes to a channel until `end` is called, also on every later connection. */
    begin(channel: string): void {
      wanted.add(channel);
      // Its end has not been sent: no reply will report it.
      if (subscribed.has(channel)) onSubscribed([channel]);
      update(channel);
    },
    end(channel: string): void {
      wanted.delete(channel);
      update(channel);
    },
  };
}
