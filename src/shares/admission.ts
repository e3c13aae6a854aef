/** Starts HTTP requests in turn, and refuses new ones while the process has more to do than it can. */
import type { Bound } from '../bounds.ts';
import type { Owner } from '../caller.ts';
import { LaneBudget, refusedBy } from './lane-budget.ts';
import { applicationPart, type Holder, type Share, shareOf } from './share.ts';
import type { Shares } from './shares.ts';

/** Most starts in one turn of the event loop, before the others wait. */
const maxStarts = 8;
/** Turns that take longer (ms) start half as many as the one before, at least one; shorter ones one more. */
const longTurnMs = 20;
/** Requests that one turn looks at: those whose caller is gone are skipped. */
const maxLooked = 256;
/** Longest wait (ms), after which a request is refused instead of started. */
const longestWaitMs = { accepted: 3_000, newcomer: 1_500 };

type Standing = keyof typeof longestWaitMs;

export interface Admission {
  /**
   * Returns undefined when the request may start now. Otherwise a promise that resolves at its turn, or when `isGone`
   * returns true then. Throws or rejects with RATE_LIMITED when it would wait too long. `bytes`: what it holds meanwhile.
   */
  enter(holder: Holder, bytes: number, isGone: () => boolean): Promise<void> | undefined;
  /** Number of requests that wait. */
  waiting(): number;
}

/**
 * One busy owner may have most of it, since a caller with few requests displaces one of the busiest: a server that calls
 * for all of its users is one owner.
 */
export function admissionShare(maxBytes: number): Share {
  return shareOf('admission', maxBytes, { owner: maxBytes * applicationPart });
}

interface Waiting {
  readonly owner: Owner;
  readonly since: number;
  readonly isGone: () => boolean;
  readonly release: () => void;
  readonly settle: PromiseWithResolvers<void>;
}

/**
 * Accepted callers and newcomers alternate, and owners take turns. So one with many requests delays and loses its own,
 * newcomers are refused first, and a caller with few requests is served as long as its share suffices. While little is
 * to do, nothing waits.
 */
export function createAdmission(share: Share, shares: Shares): Admission {
  const budget = new LaneBudget(share, shares);
  const turns = { accepted: new Turns(), newcomer: new Turns() };
  let order: readonly Standing[] = ['accepted', 'newcomer'];
  let waiting = 0;
  let started = 0;
  /** Starts that this turn allows. */
  let allowed = maxStarts;
  let scheduledAt: number | undefined;
  /** When a turn last started some. What has arrived since then has not waited yet, however long this turn takes. */
  let startedAt = 0;

  function start(): void {
    started += 1;
    schedule();
  }

  function schedule(): void {
    if (scheduledAt !== undefined) return;
    scheduledAt = performance.now();
    setImmediate(startSome);
  }

  function startSome(): void {
    const isLong = performance.now() - (scheduledAt as number) > longTurnMs;
    allowed = isLong ? Math.ceil(allowed / 2) : Math.min(maxStarts, allowed + 1);
    scheduledAt = undefined;
    started = 0;
    startedAt = performance.now();
    for (let looked = 0; looked < maxLooked && started < allowed; looked += 1) {
      const standing = order.find((one) => turns[one].length > 0);
      if (standing === undefined) break;
      order = standing === 'accepted' ? ['newcomer', 'accepted'] : ['accepted', 'newcomer'];
      const { owner, since, isGone, release, settle } = turns[standing].next() as Waiting;
      waiting -= 1;
      release();
      // The only request of an accepted caller is not refused because of what others sent.
      const isOnly = standing === 'accepted' && turns.accepted.sinceOf(owner) === Infinity;
      if (!isOnly && !isGone() && startedAt - since > longestWaitMs[standing]) {
        settle.reject(refusedBy(boundOf(standing), 503));
        continue;
      }
      if (!isGone()) start();
      settle.resolve();
    }
    if (waiting > 0) schedule();
  }

  /** Half of the longest wait, so that few of those that are let in are refused at their turn. */
  function overloaded(standing: Standing, owner: Owner): Bound | undefined {
    const longestMs = longestWaitMs[standing] / 2;
    if (startedAt - turns[standing].sinceOf(owner) > longestMs) return 'admission-owner';
    const ofOthersMs = startedAt - turns[standing].sinceOfFresh();
    return ofOthersMs > (standing === 'newcomer' ? 1 : 4) * longestMs ? boundOf(standing) : undefined;
  }

  /** For the only request of an accepted caller, the newest of a newcomer or of the busiest owner is refused. */
  function makeRoom(standing: Standing, owner: Owner): void {
    if (standing === 'newcomer' || turns.accepted.sinceOf(owner) !== Infinity) return;
    const dropped = turns.newcomer.dropOne() ?? turns.accepted.dropOne();
    if (!dropped) return;
    waiting -= 1;
    dropped.release();
    dropped.settle.reject(refusedBy('admission', 503));
  }

  return {
    waiting: () => waiting,

    enter(holder, bytes, isGone) {
      if (waiting === 0 && started < allowed) {
        start();
        return undefined;
      }
      const { lane, owner } = holder;
      const standing = shares.acceptedLanes.has(lane) ? 'accepted' : 'newcomer';
      const bound = overloaded(standing, owner);
      if (bound) throw refusedBy(bound, 503);
      if (budget.reached(holder, bytes)) makeRoom(standing, owner);
      const release = budget.hold(holder, bytes, 503);
      const settle = Promise.withResolvers<void>();
      turns[standing].add({ owner, since: performance.now(), isGone, release, settle });
      waiting += 1;
      schedule();
      return settle.promise;
    },
  };
}

/** What waits, by owner. One who had nothing waiting comes before those who have had their turn. */
class Turns {
  length = 0;
  readonly #fresh = new Map<Owner, Waiting[]>();
  readonly #others = new Map<Owner, Waiting[]>();

  add(one: Waiting): void {
    this.length += 1;
    const queue = this.#queueOf(one.owner);
    if (queue) queue.push(one);
    else this.#fresh.set(one.owner, [one]);
  }

  /** Removes the newest one of the owner of whom most wait. */
  dropOne(): Waiting | undefined {
    let longest: Waiting[] = [];
    for (const owners of [this.#fresh, this.#others]) {
      for (const queue of owners.values()) if (queue.length > longest.length) longest = queue;
    }
    const dropped = longest.pop();
    if (dropped) this.length -= 1;
    return dropped;
  }

  next(): Waiting | undefined {
    for (const owners of [this.#fresh, this.#others]) {
      for (const [owner, queue] of owners) {
        owners.delete(owner);
        const first = queue.shift();
        if (!first) continue;
        this.length -= 1;
        // Also when it is empty now: an owner who sends one request after another waits for its turn, too.
        if (this.length > 0) this.#others.set(owner, queue);
        else this.#others.clear();
        return first;
      }
    }
    return undefined;
  }

  /** The time since which the first one of the owner has waited. Infinity: nothing waits. */
  sinceOf(owner: Owner): number {
    return this.#queueOf(owner)?.[0]?.since ?? Infinity;
  }

  /** The time since which that has waited which comes before an owner who had nothing waiting. */
  sinceOfFresh(): number {
    const [first] = this.#fresh.values();
    return first?.[0]?.since ?? Infinity;
  }

  #queueOf(owner: Owner): Waiting[] | undefined {
    return this.#fresh.get(owner) ?? this.#others.get(owner);
  }
}

function boundOf(standing: Standing): Bound {
  return standing === 'accepted' ? 'admission' : 'admission-newcomers';
}
