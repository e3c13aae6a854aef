/**
 * A bound that drops: for what arrives in pieces and can be given up, such as bodies and responses that are being read. With a
 * reserve it drops what cannot wait until others have ended.
 */
import type { Bound } from '../bound-names.ts';
import type { Owner } from '../caller.ts';
import { type GatewayError, tryAgainLater } from '../errors.ts';
import { afterThisTurn } from '../tools/event-loop-turns.ts';
import { LaneBudget, reachedText } from './lane-budget.ts';
import { type Holder, nobody, type Share } from './share.ts';
import type { Shares } from './shares.ts';

/**
 * Which holding is dropped. `costliest`: highest product of bytes and time, so that slow senders compete only with each
 * other, whatever credentials they use. `of largest owner`: the largest of the owner who holds most, so that a caller with
 * many large holdings competes with itself.
 */
type Victim = 'costliest' | 'of largest owner';

/** How long others wait for a holding whose turn it is and that does not grow (ms). */
const turnMs = 500;
/** What extends its turn by a millisecond when it grows (bytes): 16 MiB per second. */
const bytesPerMs = 16 * 1_024;
/** How long an owner is behind all others after the turn of one of its holdings was over (ms). */
const slowMs = 60_000;

export interface HoldingOptions {
  /** Called when it is dropped: must stop holding. */
  readonly drop: (error: GatewayError) => void;
  /** Whose it is; undefined when the credentials are malformed or not known yet: all such callers count as one. */
  readonly holder: Holder | undefined;
  /** Whether no caller sees the error of a drop, so that it is counted and logged here. Default false. */
  readonly isSilent?: boolean;
  /** How long it may wait for others (ms). Called when it first holds something. Default 0. */
  readonly waitMs?: () => number;
}

/** When a part of the bound is reached, a holding of that part is dropped: of the owner, of newcomers, or of all. */
export class ReclaimingBudget extends LaneBudget {
  readonly #victim: Victim;
  readonly #reserve: number;
  /** In the order in which they first held something. */
  readonly #holdings = new Set<Holding>();
  /** Those that wait, with what ends their wait. */
  readonly #waiting = new Map<Holding, () => void>();
  /** Until when an owner is behind all others. */
  readonly #slow = new Map<Owner, number>();
  #timer: NodeJS.Timeout | undefined;

  /** `reserve`: the room in each part that is for the holding whose turn it is, so that it can end. Default 0: none waits. */
  constructor(share: Share, shares: Shares, victim: Victim, reserve = 0) {
    super(share, shares);
    this.#victim = victim;
    this.#reserve = reserve;
  }

  open(options: HoldingOptions): Holding {
    return new Holding(options, this);
  }

  /** Drops holdings until there is room for this one, or it is dropped. */
  makeRoom(holding: Holding): void {
    this.#holdings.add(holding);
    while (holding.isOpen) {
      const reached = this.reached(holding.holder, holding.bytes);
      if (!reached) return;
      const dropped = this.#victimOf(this.#holdingsOf(reached, holding));
      dropped.close();
      if (dropped.options.isSilent) this.shares.dropped(reached);
      const message = `${reachedText(reached)}: this one was dropped. Send it again later.`;
      dropped.options.drop(tryAgainLater(reached, message, { retryAfterMs: 1_000, httpStatus: 503 }));
    }
  }

  forget(holding: Holding): void {
    this.#waiting.delete(holding);
    if (this.#holdings.delete(holding) && this.#waiting.size > 0) afterThisTurn(() => this.#resume());
  }

  /** Whether the holding has to wait: then `goOn` is called once, when it may hold more, unless it ends before. */
  waits(holding: Holding, goOn: () => void): boolean {
    if (!this.#mustWait(holding)) return false;
    this.#waiting.set(holding, goOn);
    this.#timer ??= setInterval(() => this.#resume(), turnMs / 4).unref();
    return true;
  }

  /**
   * When the room in a part falls below the reserve, its holdings wait for the one whose turn it is: otherwise all would be
   * incomplete when the bound is reached. What is small beside the room does not wait.
   */
  #mustWait(holding: Holding): boolean {
    if (performance.now() >= holding.waitsUntil) return false;
    return this.rooms(holding.holder).some(
      ([part, room]) =>
        room < this.#reserve && holding.bytes > room / 64 && this.#nextIn(part, holding) !== holding,
    );
  }

  #resume(): void {
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
  #nextIn(part: Bound, holding: Holding): Holding {
    const now = performance.now();
    const all = this.#holdingsIn(part, holding.holder.owner);
    for (const { turnEndsAt, holder } of all)
      if (turnEndsAt <= now) this.#slow.set(holder.owner, now + slowMs);
    const inTime = all.filter(({ waitsUntil, turnEndsAt }) => Math.min(waitsUntil, turnEndsAt) > now);
    const ofOthers = inTime.filter(({ holder }) => (this.#slow.get(holder.owner) ?? 0) <= now);
    const ofAccepted = ofOthers.filter(({ holder }) => !this.isNewcomer(holder.lane));
    const first = [ofAccepted, ofOthers, inTime, [holding]].find(({ length }) => length > 0) as Holding[];
    const next =
      first.find(({ turnEndsAt }) => Number.isFinite(turnEndsAt)) ??
      most(first, ({ holder }) => -this.heldBy(holder.owner));
    next.turnEndsAt = Math.min(next.turnEndsAt, now + turnMs);
    return next;
  }

  /** The holdings that count in the part of the bound; `owner`: whose part it is. */
  #holdingsIn(part: Bound, owner: Owner): Holding[] {
    const { bound } = this.share;
    const all = [...this.#holdings];
    if (part === bound) return all;
    if (part === `${bound}-owner`) return all.filter(({ holder }) => holder.owner === owner);
    return all.filter(({ holder }) => this.isNewcomer(holder.lane));
  }

  /**
   * The holdings that count in the part of the bound that this one has reached. When all of it is reached and newcomers, whose
   * part may be all of it, have more than half, one of theirs is dropped.
   */
  #holdingsOf(reached: Bound, { bytes, holder: { owner, lane } }: Holding): Holding[] {
    const { bound, all } = this.share;
    const ofNewcomers = this.heldByNewcomers + (this.isNewcomer(lane) ? bytes : 0);
    const part = reached === bound && ofNewcomers > all / 2 ? (`${bound}-newcomers` as const) : reached;
    return this.#holdingsIn(part, owner);
  }

  #victimOf(holdings: readonly Holding[]): Holding {
    if (this.#victim === 'costliest') {
      const now = performance.now();
      return most(holdings, ({ bytes, startedAt }) => bytes * (1 + now - startedAt));
    }
    const byOwner = Map.groupBy(holdings, ({ holder }) => holder.owner);
    const ofLargest = most([...byOwner.values()], (own) => own.reduce((sum, { bytes }) => sum + bytes, 0));
    return most(ofLargest, ({ bytes }) => bytes);
  }
}

/**
 * What one holder holds of a budget. Open it with what needs it, and close it at the end of that: from then on nothing can be
 * held. One that is opened at the first byte could be opened after the end.
 */
export class Holding {
  readonly options: HoldingOptions;
  readonly holder: Holder;
  readonly #budget: ReclaimingBudget;
  /** When it first held something (`performance.now()`). */
  startedAt = 0;
  /** Until when it may wait for others. */
  waitsUntil = 0;
  /** When its turn is over, from its beginning on. */
  turnEndsAt = Number.POSITIVE_INFINITY;
  /** Until it is closed or dropped. */
  isOpen = true;
  bytes = 0;
  #release = () => {};

  constructor(options: HoldingOptions, budget: ReclaimingBudget) {
    this.options = options;
    this.holder = options.holder ?? nobody;
    this.#budget = budget;
  }

  /** Sets the bytes that are held. May drop holdings, including this one. */
  hold(bytes: number): void {
    if (!this.isOpen) return;
    this.startedAt ||= performance.now();
    this.waitsUntil ||= this.startedAt + (this.options.waitMs?.() ?? 0);
    this.#release();
    this.turnEndsAt += Math.max(0, bytes - this.bytes) / bytesPerMs;
    this.bytes = bytes;
    this.#budget.makeRoom(this);
    if (this.isOpen) this.#release = this.#budget.holdAnyway(this.holder, bytes);
  }

  /** Whether it has to wait before it holds more: then `goOn` is called once, unless it ends before. */
  waits(goOn: () => void): boolean {
    return this.isOpen && this.#budget.waits(this, goOn);
  }

  close(): void {
    this.isOpen = false;
    this.#release();
    this.#budget.forget(this);
  }
}

function most<T>(items: readonly T[], sizeOf: (item: T) => number): T {
  return items.reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one));
}
