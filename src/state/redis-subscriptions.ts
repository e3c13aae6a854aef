import type { Redis } from 'ioredis';

export interface Subscriptions {
  /** Subscribes to a channel until `end` is called, also on every later connection. */
  begin(channel: string): void;
  end(channel: string): void;
}

/** Maximum number of channels in one command. */
const batchSize = 1_000;

/**
 * Keeps a connection subscribed to exactly the wanted channels. At most one batch of commands is in flight, and none is
 * queued: while Redis is unreachable, only the set of wanted channels changes. `onSubscribed` is called with the
 * channels of each batch as soon as their messages are received.
 */
export function createSubscriptions(
  connection: Redis,
  onSubscribed: (channels: readonly string[]) => void,
): Subscriptions {
  const wanted = new Set<string>();
  /** Requested on the current connection. */
  const subscribed = new Set<string>();
  /** The channels that are in exactly one of the two sets. */
  const changed = new Set<string>();
  let isSending = false;

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
    await Promise.all([
      begun.length > 0 && connection.subscribe(...begun).then(() => onSubscribed(begun)),
      ended.length > 0 && connection.unsubscribe(...ended),
    ]);
  }

  connection.on('close', () => {
    subscribed.clear();
    changed.clear();
    for (const channel of wanted) changed.add(channel);
  });
  connection.on('ready', () => void send());

  return {
    begin(channel) {
      wanted.add(channel);
      update(channel);
    },
    end(channel) {
      wanted.delete(channel);
      update(channel);
    },
  };
}
