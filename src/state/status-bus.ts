import type { Lane } from '../caller.ts';

/** What gateways tell each other of one watch. */
export interface WatchNews {
  /** The watch's own message: only its feature knows what is in it. */
  readonly message: unknown;
  /** Whoever joins shortly after hears it too. */
  readonly isKept: boolean;
  /** For how long whoever tells it goes on holding the lease (ms). */
  readonly leaseMs: number;
}

/**
 * Who polls, among all gateways with a watch of the same lane and document, and what the others hear of it.
 */
export interface StatusBus {
  /**
   * Takes or renews the lease for that long. `mine`: poll now. `other`: somebody else polls; listen.
   * `unreachable`: the others cannot be asked; poll for yourself.
   */
  lease(lane: Lane, topic: string, leaseMs: number): Promise<'mine' | 'other' | 'unreachable'>;
  /** Gives the lease back, so that another may take it at once. */
  release(lane: Lane, topic: string): void;
  /** Tells the others. */
  publish(lane: Lane, topic: string, news: WatchNews): void;
  /**
   * Subscribes to the messages of other gateways, the last kept one included, which may arrive after newer ones.
   * `agoMs`: how long ago a message was published (default 0). Returns a function that unsubscribes.
   */
  listen(lane: Lane, topic: string, hear: (news: WatchNews, agoMs?: number) => void): () => void;
}

/** One gateway alone: it holds every lease and has nobody to tell. */
export function createLocalStatusBus(): StatusBus {
  return {
    lease: async () => 'mine',
    release() {},
    publish() {},
    listen: () => () => {},
  };
}
