/** Bounds how many calls to the service run, and how many wait, so that no caller can use up what all share. */
import { partOf, parts } from '../bound-names.ts';
import { type Holder, nobody } from '../caller.ts';
import { GatewayError } from '../errors.ts';
import type { CancelSignal } from '../tools/cancellation.ts';
import { FairQueue } from './fair-queue.ts';
import { LaneBudget, refusedBy } from './lane-budget.ts';
import type { Shares } from './shares.ts';

/** What a slot is for, in the order in which calls get free slots. */
const kinds = ['request', 'upload', 'poll'] as const;
export type SlotKind = (typeof kinds)[number];

/** Most calls of other kinds that start one after the other while one of a kind waits: requests without end would let none start. */
const mostBefore = 8;

/** Longest wait of an upload (ms): 30 seconds. Other calls have their own deadline. */
const maxUploadWaitMs = 30_000;

export type Slots = ReturnType<typeof createSlots>;

/** Creates the slots. Free slots go to what waits in the order of `FairQueue`. Polls that wait are not counted: each watch has one. */
export function createSlots(shares: Shares) {
  const running = new LaneBudget(shares.of.slots, shares);
  const uploads = new LaneBudget(shares.of.uploads, shares);
  const waiting = new LaneBudget(shares.of.waiting, shares);
  const createQueue = () => new FairQueue<() => void>(shares.acceptedLanes);
  const queues = { request: createQueue(), upload: createQueue(), poll: createQueue() };
  /** Calls that have started while one of the kind waits, since the last one of the kind. */
  const startedBefore = { request: 0, upload: 0, poll: 0 };

  function hasRoom(holder: Holder, kind: SlotKind): boolean {
    return !running.reached(holder, 1) && (kind !== 'upload' || !uploads.reached(holder, 1));
  }

  /** Starts a call that waits, if there is room: in the order of `kinds`, but one of each kind after `mostBefore` others. */
  function startAny(): boolean {
    const started =
      kinds.find((kind) => startedBefore[kind] >= mostBefore && startNext(kind)) ?? kinds.find(startNext);
    if (started === undefined) return false;
    for (const kind of kinds)
      startedBefore[kind] = kind === started || queues[kind].size === 0 ? 0 : startedBefore[kind] + 1;
    return true;
  }

  /** Starts the next call of the kind that waits, if there is room. */
  function startNext(kind: SlotKind): boolean {
    const queue = queues[kind];
    if (queue.size === 0 || running.held >= running.share.all) return false;
    // Thousands of newcomers may wait, and are not all looked at when one who holds nothing has no room.
    const start = queue.next((holder) => hasRoom(holder, kind), hasRoom(nobody, kind));
    start?.();
    return start !== undefined;
  }

  function holdNow(holder: Holder, kind: SlotKind): () => void {
    const release = running.holdAnyway(holder, 1);
    const releaseUpload = kind === 'upload' ? uploads.holdAnyway(holder, 1) : undefined;
    return () => {
      release();
      releaseUpload?.();
      while (startAny());
    };
  }

  return {
    /** Number of slots in use. */
    running: () => running.held,
    /** Number of calls that wait for a slot, by kind. */
    waiting: () => kinds.map((kind): [SlotKind, number] => [kind, queues[kind].size]),

    /**
     * Takes a free slot and returns a function that releases it; undefined when the call has to wait. It overtakes no call that
     * could start: waiting calls have reached a part of the bound.
     */
    tryHold: (holder: Holder, kind: SlotKind) => (hasRoom(holder, kind) ? holdNow(holder, kind) : undefined),

    /** Throws RATE_LIMITED when as many calls at once could neither run nor wait: check before the first one is made. */
    requireRoom(holder: Holder, calls: number) {
      const toWait = calls - Math.max(0, Math.min(...Object.values(running.rooms(holder))));
      const rooms = waiting.rooms(holder);
      const reached = toWait > 0 && parts.findLast((part) => rooms[part] < toWait);
      if (reached) throw refusedBy(partOf('waiting', reached), 503);
    },

    /**
     * Waits for a slot after `tryHold` has returned none, and returns a function that releases it. Rejects with RATE_LIMITED when
     * too many calls wait, with UPSTREAM_UNAVAILABLE when an upload has waited too long, or with the signal's reason.
     */
    hold(holder: Holder, kind: SlotKind, signal: CancelSignal): Promise<() => void> {
      return new Promise((resolve, reject) => {
        const stopHolding = waiting.hold(holder, kind === 'poll' ? 0 : 1);
        const stopWaiting = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          stopHolding();
        };
        const remove = queues[kind].add(holder, () => {
          stopWaiting();
          resolve(holdNow(holder, kind));
        });
        const fail = (error: unknown) => {
          stopWaiting();
          remove();
          reject(error);
        };
        const onAbort = () => fail(signal.reason);
        const timer =
          kind === 'upload' ? setTimeout(() => fail(uploadWaitedTooLong()), maxUploadWaitMs) : undefined;
        signal.addEventListener('abort', onAbort);
      });
    },
  };
}

function uploadWaitedTooLong(): GatewayError {
  const message = `The upload could not start within ${maxUploadWaitMs / 1_000} s because too many uploads are in progress; nothing was sent.`;
  return new GatewayError({ code: 'UPSTREAM_UNAVAILABLE', message, retryable: true, retryAfterMs: 1_000 });
}
