import type { Redis } from 'ioredis';

export interface Subscriptions {
  /** Subscribes to a channel for as long as this process wants it, over every later connection as well. */
  begin(channel: string): void;
  end(channel: string): void;
}

/** Most channels of one command. */
const batchSize = 1_000;

/**
 * Keeps the channels that a connection is subscribed to the same as the wanted ones. At most one batch of
 * commands is in flight and none is queued: while Redis is away only the set of wanted channels changes.
 * `onSubscribed` gets the channels of each batch once their messages arrive.
 */
export function createSubscriptions(
  connection: Redis,
  onSubscribed: (channels: readonly string[]) => void,
): Subscriptions {
  const wanted = new Set<string>();
  /** Asked for over the present connection. */
  const subscribed = new Set<string>();
  /** Exactly the channels in one of the two sets and not in the other. */
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
