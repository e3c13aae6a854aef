/** Judges how old a message of another gateway is: gateways share no clock. */

/** The fastest message of a publisher took this long at most (ms). */
const fastestMs = 50;
/** Two clocks drift apart by less than this share of the time. */
const maxDrift = 0.001;
/** Maximum number of publishers. Beyond it the one that was seen first is forgotten. */
const maxPublishers = 1_000;
/**
 * The first messages of a publisher may all have waited in the same place. Until there were this many in this time (ms), they
 * are judged by the system's time too.
 */
const newMessages = 20;
const newMs = 30_000;

interface Publisher {
  readonly knownSince: number;
  messages: number;
  lastAt: number;
  /** The smallest difference between both clocks. */
  smallest: number;
}

/**
 * Each message shows a difference between both clocks: their true difference and the time that the message took. The
 * smallest difference belongs to the message that took least, so that of another message exceeds it by the time that this
 * one has waited: in a Redis that was paused, or in a socket.
 */
export function createPublisherClocks() {
  const publishers = new Map<string, Publisher>();

  function add(name: string, receivedAt: number): Publisher {
    const [first] = publishers.keys();
    if (first !== undefined && publishers.size >= maxPublishers) publishers.delete(first);
    const times = { knownSince: receivedAt, lastAt: receivedAt };
    const publisher = { ...times, messages: 0, smallest: Number.POSITIVE_INFINITY };
    publishers.set(name, publisher);
    return publisher;
  }

  return {
    /**
     * Time since a message was sent (ms), never too short. `sentAt`: by the publisher's clock. `receivedAt`: by this gateway's
     * clock. Both in epoch milliseconds: the time of the system when the process started, and monotonic since then.
     */
    ageOf(name: string, sentAt: number, receivedAt: number): number {
      const publisher = publishers.get(name) ?? add(name, receivedAt);
      const difference = receivedAt - sentAt;
      const drifted = publisher.smallest + (receivedAt - publisher.lastAt) * maxDrift;
      publisher.smallest = Math.min(drifted, difference);
      publisher.lastAt = receivedAt;
      publisher.messages += 1;
      const isNew = publisher.messages < newMessages || receivedAt - publisher.knownSince < newMs;
      const waitedMs = difference - publisher.smallest;
      return fastestMs + (isNew ? Math.max(waitedMs, difference) : waitedMs);
    },
  };
}
