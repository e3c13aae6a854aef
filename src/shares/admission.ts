/** Starts HTTP requests in turn, and refuses new ones while the process has more to do than it can. */
import type { Bound } from '../bounds.ts';
import { FairQueue } from './fair-queue.ts';
import { LaneBudget, refusedBy } from './lane-budget.ts';
import { applicationPart, type Holder, type Share, shareOf } from './share.ts';
import type { Shares } from './shares.ts';

/** Most starts in one turn of the event loop, before the others wait. */
const maxStarts = 8;
/** Turns that take longer (ms) start half as many as the one before, at least one; shorter ones one more. */
const longTurnMs = 20;
/** Most time (ms) by which one turn ages what waits: a longer one is a stall of the machine, during which nothing could start. */
const longestTurnMs = 500;
/** Most requests that one turn looks at: those whose caller has disconnected are skipped. */
const maxLooked = 256;
/** Longest wait (ms), after which a request is refused instead of started. */
const longestWaitMs = { accepted: 3_000, newcomer: 1_500 };
/** Time between two turns of an accepted caller (ms), above which even its only request is refused unless another one can be. */
const longestRoundMs = 6_000;

export interface Admission {
  /**
   * Returns undefined when the request may start now. Otherwise a promise that resolves at its turn, or when `hasDisconnected`
   * returns true then. Throws or rejects with RATE_LIMITED when it would wait too long. `bytes`: what it holds meanwhile.
   */
  enter(holder: Holder, bytes: number, hasDisconnected: () => boolean): Promise<void> | undefined;
  /** Number of requests that wait. */
  waiting(): number;
}

/** One owner has the part of an application: a caller with few requests displaces one of the busiest. */
export function admissionShare(maxBytes: number): Share {
  return shareOf('admission', maxBytes, { owner: maxBytes * applicationPart });
}

interface Waiting {
  readonly holder: Holder;
  readonly since: number;
  readonly hasDisconnected: () => boolean;
  readonly release: () => void;
  readonly settle: PromiseWithResolvers<void>;
}

/**
 * Requests wait in a `FairQueue`, so that a caller with many delays and loses its own. Newcomers are refused first, then
 * callers who have another request waiting, and the only request of an accepted caller last. While the process has time,
 * no request waits. `now`: the time of a monotonic clock (ms).
 */
export function createAdmission(share: Share, shares: Shares, now = () => performance.now()): Admission {
  const budget = new LaneBudget(share, shares);
  /** Advances with each turn: a request that has arrived since the last one has not waited yet, however long this turn takes. */
  let time = 0;
  const queue = new FairQueue<Waiting>(shares.acceptedLanes, () => time);
  let started = 0;
  /** Starts that this turn allows. */
  let allowed = maxStarts;
  let scheduledAt: number | undefined;

  const isAccepted = ({ lane }: Holder) => shares.acceptedLanes.has(lane);
  const isOnlyOfAccepted = (holder: Holder) => isAccepted(holder) && !queue.firstOf(holder);
  const longestWaitOf = (holder: Holder) => longestWaitMs[isAccepted(holder) ? 'accepted' : 'newcomer'];
  const refusal = (holder: Holder) =>
    refusedBy(isAccepted(holder) ? 'admission' : 'admission-newcomers', 503);

  function start(): void {
    started += 1;
    schedule();
  }

  function schedule(): void {
    if (scheduledAt !== undefined) return;
    scheduledAt = now();
    setImmediate(startSome);
  }

  function startSome(): void {
    const turnMs = now() - (scheduledAt as number);
    time += Math.min(turnMs, longestTurnMs);
    allowed = turnMs > longTurnMs ? Math.ceil(allowed / 2) : Math.min(maxStarts, allowed + 1);
    scheduledAt = undefined;
    started = 0;
    for (let looked = 0; looked < maxLooked && started < allowed; looked += 1) {
      const next = queue.next();
      if (!next) break;
      const { holder, since, hasDisconnected, release, settle } = next;
      release();
      const isTooOld = time - since > longestWaitOf(holder) && !isOnlyOfAccepted(holder);
      if (!hasDisconnected() && isTooOld) {
        settle.reject(refusal(holder));
        continue;
      }
      if (!hasDisconnected()) start();
      settle.resolve();
    }
    if (queue.size > 0) schedule();
  }

  /**
   * The part of the bound that is reached by the time to wait. For a new request this is half of the longest wait, so that
   * few requests are refused at their turn.
   */
  function overloaded(holder: Holder): Bound | undefined {
    const longestMs = longestWaitOf(holder) / 2;
    const { since = time } = queue.firstOf(holder) ?? {};
    if (time - since > longestMs) return 'admission-owner';
    if (isAccepted(holder)) return queue.roundMs(holder) > longestRoundMs ? 'admission' : undefined;
    return queue.roundMs(holder) > longestMs ? 'admission-newcomers' : undefined;
  }

  /** Refuses one waiting request. Returns false when each is the only one of an accepted caller. */
  function refuseOne(): boolean {
    const refused = queue.removeOne();
    refused?.release();
    refused?.settle.reject(refusal(refused.holder));
    return refused !== undefined;
  }

  return {
    waiting: () => queue.size,

    enter(holder, bytes, hasDisconnected) {
      if (queue.size === 0 && started < allowed) {
        start();
        return undefined;
      }
      const bound = overloaded(holder) ?? budget.reached(holder, bytes);
      if (bound && !(isOnlyOfAccepted(holder) && refuseOne())) throw refusedBy(bound, 503);
      const release = budget.hold(holder, bytes, 503);
      const settle = Promise.withResolvers<void>();
      queue.add(holder, { holder, since: time, hasDisconnected, release, settle });
      schedule();
      return settle.promise;
    },
  };
}
