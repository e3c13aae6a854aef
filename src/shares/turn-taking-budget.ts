/** A bound whose holdings take turns when it is nearly used up, so that few are dropped: for responses of the service. */
import type { Bound } from '../bound-names.ts';
import type { Owner } from '../caller.ts';
import { afterThisTurn } from '../tools/event-loop-turns.ts';
import { Holding, type HoldingOptions, most, ReclaimingBudget } from './reclaiming-budget.ts';
import type { Share } from './share.ts';
import type { Shares } from './shares.ts';

/** How long others wait for a holding whose turn it is and that does not grow (ms). */
const turnMs = 500;
/** What extends its turn by a millisecond when it grows (bytes): 16 MiB per second. */
const bytesPerMs = 16 * 1_024;
/** How long an owner is behind all others after the turn of one of its holdings was over (ms). */
const slowMs = 60_000;

export interface TurnTakingOptions extends HoldingOptions {
  /** How long it may wait for others (ms). Called when it first holds something. */
  readonly waitMs: () => number;
}

/** Drops a holding only when those that may not wait any longer reach the bound. */
export class TurnTakingBudget extends ReclaimingBudget {
  readonly #reserve: number;
  /** Those that wait, with what ends their wait. */
  readonly #waiting = new Map<TurnTakingHolding, () => void>();
  /** Until when an owner is behind all others. */
  readonly #slow = new Map<Owner, number>();
  #timer: NodeJS.Timeout | undefined;
  /** Whether those that wait are looked at after this turn of the event loop, in which one has ended. */
  #isResuming = false;

  /** `reserve`: the room in each part of the bound that is for the holding whose turn it is, so that it can end. */
  constructor(share: Share, shares: Shares, reserve: number) {
    super(share, shares, 'of largest owner');
    this.#reserve = reserve;
  }

  override open(options: TurnTakingOptions): TurnTakingHolding {
    return new TurnTakingHolding(options, this);
  }

  override forget(holding: TurnTakingHolding): boolean {
    this.#waiting.delete(holding);
    const hasHeld = super.forget(holding);
    if (hasHeld && this.#waiting.size > 0 && !this.#isResuming) {
      this.#isResuming = true;
      afterThisTurn(() => this.#resume());
    }
    return hasHeld;
  }

  /** Whether the holding has to wait: then `goOn` is called once, when it may hold more, unless it ends before. */
  waits(holding: TurnTakingHolding, goOn: () => void): boolean {
    if (!this.#mustWait(holding)) return false;
    this.#waiting.set(holding, goOn);
    this.#timer ??= setInterval(() => this.#resume(), turnMs / 4).unref();
    return true;
  }

  /**
   * When the room in a part falls below the reserve, its holdings wait for the one whose turn it is: otherwise all would be
   * incomplete when the bound is reached. One that is small compared with the room does not wait.
   */
  #mustWait(holding: TurnTakingHolding): boolean {
    if (performance.now() >= holding.waitsUntil) return false;
    return this.rooms(holding.holder).some(
      ([part, room]) =>
        room < this.#reserve && holding.bytes > room / 64 && this.#nextIn(part, holding) !== holding,
    );
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
   * newcomer, so that a caller who needs little waits for one turn only. An owner with one whose turn was over is behind all
   * others, also with those that it begins then.
   */
  #nextIn(part: Bound, holding: TurnTakingHolding): TurnTakingHolding {
    const now = performance.now();
    // `open` creates no others.
    const all = this.holdingsIn(part, holding.holder.owner) as TurnTakingHolding[];
    for (const { turnEndsAt, holder } of all)
      if (turnEndsAt <= now) this.#slow.set(holder.owner, now + slowMs);
    const inTime = all.filter(({ waitsUntil, turnEndsAt }) => Math.min(waitsUntil, turnEndsAt) > now);
    const ofOthers = inTime.filter(({ holder }) => (this.#slow.get(holder.owner) ?? 0) <= now);
    const ofAccepted = ofOthers.filter(({ holder }) => !this.isNewcomer(holder.lane));
    const first = [ofAccepted, ofOthers, inTime, [holding]].find(
      ({ length }) => length > 0,
    ) as TurnTakingHolding[];
    const next =
      first.find(({ turnEndsAt }) => Number.isFinite(turnEndsAt)) ??
      most(first, ({ holder }) => -this.heldBy(holder.owner));
    next.turnEndsAt = Math.min(next.turnEndsAt, now + turnMs);
    return next;
  }
}

export class TurnTakingHolding extends Holding {
  readonly #budget: TurnTakingBudget;
  readonly #waitMs: () => number;
  /** Until when it may wait for others. */
  waitsUntil = 0;
  /** When its turn is over, from its beginning on. */
  turnEndsAt = Number.POSITIVE_INFINITY;

  constructor(options: TurnTakingOptions, budget: TurnTakingBudget) {
    super(options, budget);
    this.#budget = budget;
    this.#waitMs = options.waitMs;
  }

  override hold(bytes: number): void {
    this.waitsUntil ||= performance.now() + this.#waitMs();
    this.turnEndsAt += Math.max(0, bytes - this.bytes) / bytesPerMs;
    super.hold(bytes);
  }

  /** Whether it has to wait before it holds more: then `goOn` is called once, unless it ends before. */
  waits(goOn: () => void): boolean {
    return this.isOpen && this.#budget.waits(this, goOn);
  }
}
