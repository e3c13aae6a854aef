import type { Redis } from 'ioredis';

const batchSize = 1_000;
/** Time after which channels that the node refused are requested again (ms), if they still belong there by then. */
const refusedMs = 250;
/** How many of them, while the node takes no channel: it can be down for long, and each refusal costs time. */
const refusedSize = 100;

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
  /** Channels whose subscription, or the end of it, has not been sent over the current connection. */
  const changed = new Set<string>();
  let isSending = false;
  /** Refused on the current connection. */
  const refused = new Set<string>();
  let isRetrying = false;
  /** Whether the node took a channel of the last batch. */
  let isTaking = true;

  connection.on('close', () => {
    refused.clear();
    changed.clear();
    for (const channel of wanted) changed.add(channel);
  });
  connection.on('ready', () => void send());

  function change(channel: string): void {
    if (!changed.delete(channel)) changed.add(channel);
    void send();
  }

  async function send(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (changed.size > 0 && connection.status === 'ready') await sendBatch();
    isSending = false;
  }

  async function sendBatch(): Promise<void> {
    const batch = [...changed.values().take(batchSize)];
    const begun = batch.filter((channel) => wanted.has(channel));
    const ended = batch.filter((channel) => !wanted.has(channel));
    for (const channel of batch) changed.delete(channel);
    const left = new Set(begun);
    const begin = async (...names: readonly string[]) => {
      await (isSharded ? connection.ssubscribe(...names) : connection.subscribe(...names));
      for (const name of names) {
        left.delete(name);
        refused.delete(name);
      }
      onSubscribed(names);
    };
    const end = (...names: readonly string[]) =>
      isSharded ? connection.sunsubscribe(...names) : connection.unsubscribe(...names);
    const { promise: unsettled, resolve: onUnsettled } = Promise.withResolvers<void>();
    // A command for a channel whose slot another node serves is never settled by ioredis, which emits this instead. Nor is one
    // whose reply it could not read.
    connection.once('moved', onUnsettled);
    connection.once('close', onUnsettled);
    const commands = isSharded
      ? [...begun.map((name) => begin(name)), ...ended.map((name) => end(name))]
      : [begun.length > 0 && begin(...begun), ended.length > 0 && end(...ended)];
    await Promise.race([Promise.allSettled(commands), unsettled]);
    connection.off('moved', onUnsettled);
    connection.off('close', onUnsettled);
    if (begun.length > 0) isTaking = left.size < begun.length;
    if (left.size > 0 && connection.status === 'ready') retryLater(left);
  }

  /** Their slots may be moving, or have moved, to another node: unless they are moved too, they are requested here again. */
  function retryLater(channels: Iterable<string>): void {
    for (const channel of channels) refused.add(channel);
    if (!isRetrying) setTimeout(retry, refusedMs);
    isRetrying = true;
  }

  function retry(): void {
    isRetrying = false;
    for (const channel of [...refused.values().take(isTaking ? refused.size : refusedSize)]) {
      refused.delete(channel);
      // Unless it waits to be requested again, or its end was sent.
      if (wanted.has(channel) !== changed.has(channel)) change(channel);
    }
    if (refused.size > 0) retryLater([]);
  }

  return {
    /** Subscribes to a channel until `end` is called, also on every later connection. */
    begin(channel: string): void {
      wanted.add(channel);
      // Its end has not been sent: no reply will report it.
      if (changed.has(channel)) onSubscribed([channel]);
      change(channel);
    },
    end(channel: string): void {
      wanted.delete(channel);
      change(channel);
    },
  };
}
