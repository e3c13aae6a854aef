/** Judges how old a message of another gateway is: gateways share no clock. */

export interface PublisherClocks {
  /**
   * Time since the message was sent (ms), apart from the shortest time that any message of this publisher took. `sentAt`:
   * by the publisher's clock. `receivedAt`: by this gateway's clock. Both as `clockNow` returns them.
   */
  ageOf(publisher: string, sentAt: number, receivedAt: number): number;
}

/** The time of the system when the process started, and monotonic since then (epoch milliseconds). */
export const clockNow = () => performance.timeOrigin + performance.now();

/** Clocks drift apart, so only differences of the last one or two of these periods count (ms). */
const periodMs = 60_000;
/** Maximum number of publishers. Beyond it the one that was seen first is forgotten. */
const maxPublishers = 1_000;
/** Messages of a new publisher may all have waited in the same place. This long (ms) they are also judged by the system's time. */
const newMs = 10_000;

interface Publisher {
  readonly knownSince: number;
  periodBegan: number;
  /** The smallest difference between both clocks in this period, and in the one before. */
  smallest: number;
  smallestBefore: number;
}

/**
 * Each message shows a difference between both clocks: their true difference and the time that the message took. The
 * smallest difference belongs to the message that took least, so that of another message exceeds it by the time that this
 * one has waited: in a Redis that was paused, or in a socket.
 */
export function createPublisherClocks(): PublisherClocks {
  const publishers = new Map<string, Publisher>();

  function add(name: string, receivedAt: number): Publisher {
    const [first] = publishers.keys();
    if (first !== undefined && publishers.size >= maxPublishers) publishers.delete(first);
    const none = { smallest: Number.POSITIVE_INFINITY, smallestBefore: Number.POSITIVE_INFINITY };
    const publisher = { knownSince: receivedAt, periodBegan: receivedAt, ...none };
    publishers.set(name, publisher);
    return publisher;
  }

  return {
    ageOf(name, sentAt, receivedAt) {
      const publisher = publishers.get(name) ?? add(name, receivedAt);
      const difference = receivedAt - sentAt;
      // A period ends with a message: an interruption, however long, forgets nothing.
      if (receivedAt - publisher.periodBegan > periodMs) {
        publisher.periodBegan = receivedAt;
        publisher.smallestBefore = publisher.smallest;
        publisher.smallest = difference;
      }
      publisher.smallest = Math.min(publisher.smallest, difference);
      const ageMs = difference - Math.min(publisher.smallest, publisher.smallestBefore);
      return receivedAt - publisher.knownSince < newMs ? Math.max(ageMs, difference) : ageMs;
    },
  };
}
