import type { Redis } from 'ioredis';

const batchSize = 1_000;
/** Time after which a channel that the node refused is requested again (ms), if it still belongs there by then. */
const refusedMs = 250;

/**
 * Keeps a connection subscribed to exactly the wanted channels. At most one batch of commands is in flight, and none is
 * queued: while Redis is unreachable, only the set of wanted channels changes.
 */
export class Subscriptions {
  readonly #connection: Redis;
  readonly #isSharded: boolean;
  readonly #onSubscribed: (channels: readonly string[]) => void;
  readonly #wanted = new Set<string>();
  /** Requested on the current connection. */
  readonly #subscribed = new Set<string>();
  /** The channels that are in exactly one of the two sets. */
  readonly #changed = new Set<string>();
  #isSending = false;

  /**
   * `isSharded`: the channels of a cluster's node, each with a command of its own, as they belong to different slots.
   * `onSubscribed` is called with the channels of each batch as soon as their messages are received.
   */
  constructor(connection: Redis, isSharded: boolean, onSubscribed: (channels: readonly string[]) => void) {
    this.#connection = connection;
    this.#isSharded = isSharded;
    this.#onSubscribed = onSubscribed;
    connection.on('close', () => {
      this.#subscribed.clear();
      this.#changed.clear();
      for (const channel of this.#wanted) this.#changed.add(channel);
    });
    connection.on('ready', () => void this.#send());
    // A node ends the subscriptions of a slot that it gives away. ioredis does not expect that: begin again.
    connection.on('error', ({ message }: Error) => {
      if (message.startsWith('Command queue state error')) connection.disconnect(true);
    });
  }

  /** Subscribes to a channel until `end` is called, also on every later connection. */
  begin(channel: string): void {
    this.#wanted.add(channel);
    this.#update(channel);
  }

  end(channel: string): void {
    this.#wanted.delete(channel);
    this.#update(channel);
  }

  #update(channel: string): void {
    if (this.#wanted.has(channel) === this.#subscribed.has(channel)) this.#changed.delete(channel);
    else this.#changed.add(channel);
    void this.#send();
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#changed.size > 0 && this.#connection.status === 'ready')
      await this.#sendBatch().catch(() => {});
    this.#isSending = false;
  }

  async #sendBatch(): Promise<void> {
    const batch = [...this.#changed.values().take(batchSize)];
    const begun = batch.filter((channel) => this.#wanted.has(channel));
    const ended = batch.filter((channel) => !this.#wanted.has(channel));
    for (const channel of batch) this.#changed.delete(channel);
    for (const channel of begun) this.#subscribed.add(channel);
    for (const channel of ended) this.#subscribed.delete(channel);
    await (this.#isSharded ? this.#sendEach(begun, ended) : this.#sendAll(begun, ended));
  }

  async #sendAll(begun: readonly string[], ended: readonly string[]): Promise<void> {
    await Promise.all([
      begun.length > 0 && this.#connection.subscribe(...begun).then(() => this.#onSubscribed(begun)),
      ended.length > 0 && this.#connection.unsubscribe(...ended),
    ]);
  }

  async #sendEach(begun: readonly string[], ended: readonly string[]): Promise<void> {
    const begin = (channel: string) =>
      this.#connection.ssubscribe(channel).then(
        () => this.#onSubscribed([channel]),
        () => this.#retryRefused(channel),
      );
    const end = (channel: string) => this.#connection.sunsubscribe(channel).catch(() => {});
    await Promise.all([...begun.map(begin), ...ended.map(end)]);
  }

  /** The slot is moving to another node: unless the channel is moved too, it is requested here again. */
  #retryRefused(channel: string): void {
    setTimeout(() => {
      if (this.#connection.status === 'ready' && this.#subscribed.delete(channel)) this.#update(channel);
    }, refusedMs);
  }
}
