/** Starts requests and messages in turn, and refuses new requests while the process has more to do than it can. */
import type { Bound } from '../bound-names.ts';
import type { Holder } from '../caller.ts';
import { afterThisTurn, isTurnLong } from '../tools/event-loop-turns.ts';
import { FairQueue } from './fair-queue.ts';
import { LaneBudget, refusedBy } from './lane-budget.ts';
import type { Shares } from './shares.ts';

/** Time (ms) after the first start of a turn of the event loop in which all others start too: cheap requests do not wait. */
const freeMs = 2;
/** Most starts in one turn that takes longer, less those that have started and wait for the time of the event loop. At least one. */
const maxStarts = 8;
/** Time (ms) that starts may take in one turn. */
const maxStartsMs = 20;
/** Most time (ms) by which one turn ages what waits: a longer one is a stall of the machine, during which nothing could start. */
const longestTurnMs = 500;
/** Most requests and messages that one turn looks at: those whose caller has disconnected are skipped. */
const maxLooked = 256;
/** Longest wait (ms), after which a request is refused instead of started: short enough to be back to normal within 2 s of an overload. */
const longestWaitMs = { accepted: 1_750, newcomer: 1_500 };
/** Time between two turns of an accepted caller (ms), above which even its only request is refused unless another one can be. */
const longestRoundMs = 6_000;

export type Admission = ReturnType<typeof createAdmission>;

interface WaitingRequest {
  readonly since: number;
  readonly start: () => boolean;
  readonly refuse: () => true;
}

/**
 * Requests wait in a `FairQueue`, and messages in another; the two alternate. So a caller with many requests delays and
 * loses its own. Newcomers are refused first, then callers who have another request waiting, and the only request of an
 * accepted caller last. While the process has time, nothing waits.
 * `now`: the time of a monotonic clock (ms).
 */
export function createAdmission(shares: Shares, now = () => performance.now()) {
  const budget = new LaneBudget(shares.of.admission, shares);
  /** Advances with each turn: a request that has arrived since the last one has not waited yet, however long this turn takes. */
  let time = 0;
  const requests = new FairQueue<WaitingRequest>(shares.acceptedLanes, () => time);
  const messages = new FairQueue<() => boolean>(shares.acceptedLanes);
  let isMessageNext = false;
  let started = 0;
  let scheduledAt: number | undefined;

  const waiting = () => requests.size + messages.size;
  const isAccepted = ({ lane }: Holder) => shares.acceptedLanes.has(lane);
  const isOnlyOfAccepted = (holder: Holder) => isAccepted(holder) && !requests.firstOf(holder);
  const longestWaitOf = (holder: Holder) => longestWaitMs[isAccepted(holder) ? 'accepted' : 'newcomer'];

  /** Most starts of a turn. */
  const mostStarts = () => Math.max(1, maxStarts - shares.scheduler.waiting());

  function countStart(): void {
    started += 1;
    schedule();
  }

  function schedule(): void {
    if (scheduledAt !== undefined) return;
    scheduledAt = now();
    afterThisTurn(startSome);
  }

  function startSome(): void {
    const beganAt = now();
    time += Math.min(beganAt - (scheduledAt as number), longestTurnMs);
    scheduledAt = undefined;
    started = 0;
    const most = mostStarts();
    for (let looked = 0; waiting() > 0 && looked < maxLooked && started < most; looked += 1) {
      if (next()?.()) countStart();
      if (now() - beganAt > maxStartsMs) break;
    }
    if (waiting() > 0) schedule();
  }

  function next(): (() => boolean) | undefined {
    isMessageNext = !isMessageNext;
    const message = () => messages.next();
    const request = () => requests.next()?.start;
    return isMessageNext ? (message() ?? request()) : (request() ?? message());
  }

  /**
   * The part of the bound that is reached by the time to wait. For a new request this is half of the longest wait, so that
   * few requests are refused at their turn.
   */
  function overloaded(holder: Holder): Bound | undefined {
    const longestMs = longestWaitOf(holder) / 2;
    const { since = time } = requests.firstOf(holder) ?? {};
    if (time - since > longestMs) return 'admission-owner';
    if (isAccepted(holder)) return requests.roundMs(holder) > longestRoundMs ? 'admission' : undefined;
    return requests.roundMs(holder) > longestMs ? 'admission-newcomers' : undefined;
  }

  function tryStart(): boolean {
    if (waiting() > 0) return false;
    const isTurnFull = started >= mostStarts() && now() - (scheduledAt ?? now()) >= freeMs;
    if (isTurnFull || isTurnLong()) return false;
    countStart();
    return true;
  }

  return {
    /** Number of requests and messages that wait. */
    waiting,
    /** Whether a message may be handled now. Otherwise call `startLater`. */
    tryStart,

    /** Calls `start` at its turn, however late: bound what waits. `start` returns whether it had something to do. */
    startLater(holder: Holder, start: () => boolean) {
      messages.add(holder, start);
      schedule();
    },

    /**
     * Returns undefined when the request may start now. Otherwise a promise that resolves at its turn, or when `hasDisconnected`
     * returns true then. Throws or rejects with RATE_LIMITED when it would wait too long. `bytes`: what it holds meanwhile.
     */
    enter(holder: Holder, bytes: number, hasDisconnected: () => boolean) {
      if (tryStart()) return undefined;
      // Not when each is the only one of an accepted caller.
      const makeRoom = () => isOnlyOfAccepted(holder) && requests.removeOne()?.refuse();
      const bound = overloaded(holder);
      if (bound && !makeRoom()) throw refusedBy(bound, 503);
      // Of smaller requests one can be too little.
      while (budget.reached(holder, bytes) && makeRoom());
      const release = budget.hold(holder, bytes, 503);
      const settle = Promise.withResolvers<void>();
      const since = time;
      const refuse = () => {
        release();
        settle.reject(refusedBy(isAccepted(holder) ? 'admission' : 'admission-newcomers', 503));
        return true as const;
      };
      const start = () => {
        const isTooOld = time - since > longestWaitOf(holder) && !isOnlyOfAccepted(holder);
        if (isTooOld && !hasDisconnected()) refuse();
        else settle.resolve();
        release();
        return !isTooOld && !hasDisconnected();
      };
      requests.add(holder, { since, start, refuse });
      schedule();
      return settle.promise;
    },
  };
}
