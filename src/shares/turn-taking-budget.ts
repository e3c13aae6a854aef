/** A bound whose holdings take turns when it is nearly used up, so that few are dropped: for responses of the service. */
import { type Part, parts } from '../bound-names.ts';
import type { Owner } from '../caller.ts';
import { afterThisTurn } from '../tools/event-loop-turns.ts';
import type { Share } from './bound-sizes.ts';
import { type Holding, most, ReclaimingBudget } from './reclaiming-budget.ts';
import type { Shares } from './shares.ts';

/** How long others wait for a holding whose turn it is and that does not grow (ms). */
const turnMs = 500;
/** How often those that wait are looked at (ms). */
const stepMs = 125;
/**
 * What extends its turn by a millisecond when it grows (bytes): 4 MiB per second, at which the largest response ends within 9 s,
 * less than the deadline of a read.
 */
const bytesPerMs = 4 * 1_024;
/** How long an owner is behind all others after the turn of one of its holdings was over (ms). */
const slowMs = 60_000;

/** Drops a holding only when those whose turns are over reach the bound. */
export class TurnTakingBudget extends ReclaimingBudget {
  readonly #reserve: number;
  /** Those that wait, with what ends their wait. */
  readonly #waiting = new Map<Holding, () => void>();
  /** Until when an owner is behind all others. */
  readonly #slow = new Map<Owner, number>();
  #timer: NodeJS.Timeout | undefined;
  /** Time in steps (ms), while some wait. A stall of the event loop takes one step at most: nothing can grow in it. */
  #time = 0;
  /** Whether those that wait are looked at after this turn of the event loop, in which one has ended. */
  #isResuming = false;

  /** `reserve`: the room in each part of the bound that is for the holding whose turn it is, so that it can end. */
  constructor(share: Share, shares: Shares, reserve: number) {
    super(share, shares, 'of largest owner');
    this.#reserve = reserve;
  }

  override makeRoom(holding: Holding, bytes: number): void {
    holding.turnEndsAt += Math.max(0, bytes - holding.bytes) / bytesPerMs;
    super.makeRoom(holding, bytes);
  }

  override forget(holding: Holding): boolean {
    this.#waiting.delete(holding);
    const hasHeld = super.forget(holding);
    if (hasHeld && this.#waiting.size > 0 && !this.#isResuming) {
      this.#isResuming = true;
      afterThisTurn(() => this.#resume());
    }
    return hasHeld;
  }

  /** Whether the holding has to wait: then `goOn` is called once, when it may hold more, unless it ends before. */
  waits(holding: Holding, goOn: () => void): boolean {
    if (!holding.isOpen || !this.#mustWait(holding)) return false;
    this.#waiting.set(holding, goOn);
    this.#timer ??= setInterval(() => {
      this.#time += stepMs;
      this.#resume();
    }, stepMs).unref();
    return true;
  }

  /**
   * When the room in a part falls below the reserve, its holdings wait for the one whose turn it is: otherwise all would be
   * incomplete when the bound is reached. One that is small compared with the room does not wait.
   */
  #mustWait(holding: Holding): boolean {
    const rooms = this.rooms(holding.holder);
    return parts.some((part) => {
      // Guests are dropped when their room is needed.
      const room = rooms[part] + this.guests.heldIn(part, holding.holder.owner);
      return (
        room < this.#reserve && holding.bytes > room / 64 && this.#nextIn(part, room, holding) !== holding
      );
    });
  }

  #resume(): void {
    this.#isResuming = false;
    for (const [holding, goOn] of this.#waiting) {
      if (this.#mustWait(holding)) continue;
      this.#waiting.delete(holding);
      goOn();
    }
    for (const [owner, until] of this.#slow) if (until <= performance.now()) this.#slow.delete(owner);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * The holding whose turn it is in a part. After it, it is the turn of the accepted caller who holds least, or else of such a
   * newcomer, so that a caller who needs little waits for one turn only; of the largest holding while others have left no room
   * in which that one could end. An owner with one whose turn was over is behind all others, also with those that it begins then.
   */
  #nextIn(part: Part, room: number, holding: Holding): Holding {
    const [now, time] = [performance.now(), this.#time];
    const all = this.holdingsIn(part, holding.holder.owner);
    for (const { turnEndsAt, holder } of all)
      if (turnEndsAt <= time) this.#slow.set(holder.owner, now + slowMs);
    const inTime = all.filter(({ turnEndsAt, canGrow }) => canGrow && turnEndsAt > time);
    const ofOthers = inTime.filter(({ holder }) => (this.#slow.get(holder.owner) ?? 0) <= now);
    const ofAccepted = ofOthers.filter(({ holder }) => !this.isNewcomer(holder.lane));
    const first = [ofAccepted, ofOthers, inTime].find(({ length }) => length > 0) ?? [holding];
    const least = most(first, ({ holder }) => -this.heldBy(holder.owner));
    const canEnd = room >= this.#reserve - least.bytes;
    const next =
      first.find(({ turnEndsAt }) => Number.isFinite(turnEndsAt)) ??
      (canEnd ? least : most(first, ({ bytes }) => bytes));
    next.turnEndsAt = Math.min(next.turnEndsAt, time + turnMs);
    return next;
  }
}
