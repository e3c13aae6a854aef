/** Divides the time of the event loop between large inputs, operations and their parts, subscriptions that end, and what WebSockets send. */
import { nextTick } from 'node:process';
import type { Holder } from '../caller.ts';
import {
  areConnectionsFirst,
  createTimeKeeper,
  isTurnLong,
  ownTurn,
  ownTurnBytes,
} from '../tools/event-loop-turns.ts';
import type { AcceptedLanes } from './accepted-lanes.ts';
import { FairQueue } from './fair-queue.ts';

/**
 * Most parts of operations that begin in one turn after they have waited, and most WebSockets of which a small frame is read in
 * one. Most of them take microseconds; a turn that has become long starts no more parts.
 */
const maxResumed = 64;

export type Scheduler = ReturnType<typeof createScheduler>;

/** However many come at once, the event loop is held by one, and by those that took some milliseconds before it. */
export function createScheduler(acceptedLanes: AcceptedLanes) {
  const waiting = new FairQueue<() => void>(acceptedLanes);
  const unread = new FairQueue<() => void>(acceptedLanes);
  const largeInputs = new FairQueue<() => void>(acceptedLanes);
  const keepTime = createTimeKeeper();
  let isScheduled = false;

  /** The next one begins after what this one resolves, and what follows from it: its time is known by then. */
  function resumeSome(most = maxResumed): void {
    if (areConnectionsFirst()) return;
    waiting.next()?.();
    if (most === 1 || waiting.size === 0) return;
    queueMicrotask(() =>
      nextTick(() => {
        if (!isTurnLong()) resumeSome(most - 1);
      }),
    );
  }

  function readNext(): void {
    for (let read = 0; read < maxResumed && unread.size > 0; read += 1) unread.next()?.();
  }

  function schedule(): void {
    isScheduled = waiting.size + unread.size > 0;
    if (!isScheduled) return;
    keepTime();
    setImmediate(readNext);
    setImmediate(resumeSome);
    setImmediate(schedule);
  }

  function laterTurn(holder: Holder, queue = waiting): Promise<void> {
    return new Promise((resolve) => {
      queue.add(holder, resolve);
      if (!isScheduled) schedule();
    });
  }

  /**
   * Waits for an own turn for a large input (`ownTurn`): each is for the holder who is next when it comes. Returns a function
   * that gives it up.
   */
  function forLargeInput(holder: Holder, start: () => void): () => void {
    const giveUp = largeInputs.add(holder, start);
    void ownTurn().then(() => largeInputs.next()?.());
    return giveUp;
  }

  return {
    /** Number that wait. */
    waiting: () => waiting.size,

    /**
     * Call before work whose cost is not known. Returns undefined while this turn of the event loop has time for it. Otherwise a
     * promise that resolves in a later one, in the order of `FairQueue`. What waits must be bounded by its holder.
     * `bytes`: of the input. A large one gets a turn of its own (`ownTurn`), in the order of another `FairQueue`.
     */
    waitForTurn(holder: Holder, bytes = 0) {
      if (bytes > ownTurnBytes) return new Promise<void>((resolve) => forLargeInput(holder, resolve));
      if (waiting.size === 0 && !isTurnLong() && !areConnectionsFirst()) return undefined;
      return laterTurn(holder);
    },

    /** As `waitForTurn`, before a small frame of a WebSocket is read: in the next turn, before work that takes long. */
    waitToRead(holder: Holder) {
      if (unread.size === 0 && !isTurnLong()) return undefined;
      return laterTurn(holder, unread);
    },

    forLargeInput,

    /** Resolves in a later turn that has time for it, in the same order. For one of many that wait for the same result. */
    laterTurn,
  };
}
