import type { Lane } from '../caller.ts';

/** A message about one watch, from one gateway to the others. */
export interface WatchMessage {
  /** Defined and decoded in watch/watch-message.ts. Undefined: the lease is free. */
  readonly payload: unknown;
  /** For how long the sender still holds the lease (ms). */
  readonly leaseMs: number;
  /**
   * The time to which the durations in the payload refer, by the clock of the gateway that has the message (ms). In a received
   * message it is the earliest possible one.
   */
  readonly sentAt: number;
}

export type OnWatchMessage = (message: WatchMessage) => void;

/** Decides which gateway polls for a lane and topic, and carries its messages to the gateways that watch the same. */
export interface WatchBus {
  /**
   * Subscribes to the messages of other gateways about a topic. The last kept message is delivered too, possibly after
   * newer ones, or after `leave`.
   */
  join(lane: Lane, topic: string, onMessage: OnWatchMessage): WatchChannel;
}

export interface WatchChannel {
  /**
   * Acquires or renews the lease. `mine`: this gateway polls. `other`: another gateway polls; wait for its messages.
   * `unreachable`: the other gateways cannot be asked; poll independently.
   */
  lease(leaseMs: number): Promise<'mine' | 'other' | 'unreachable'>;
  /** Sends a message to the other gateways. `isKept`: those that subscribe shortly afterwards receive it too. */
  publish(message: WatchMessage, isKept: boolean): void;
  /** Unsubscribes, and releases the lease, so that another gateway can acquire it at once. */
  leave(): void;
}

const channelOfOne: WatchChannel = { lease: async () => 'mine', publish() {}, leave() {} };

/** The bus of a single gateway: it holds every lease, and its messages go nowhere. */
export const localWatchBus: WatchBus = { join: () => channelOfOne };
