/** A bound that drops: for what arrives in pieces and can be given up, such as bodies and responses that are being read. */
import { type Part, partOf } from '../bound-names.ts';
import { type Holder, nobody, type Owner } from '../caller.ts';
import type { GatewayError } from '../errors.ts';
import type { Share } from './bound-sizes.ts';
import { LaneBudget, refusedBy } from './lane-budget.ts';
import type { Shares } from './shares.ts';

/**
 * Which holding is dropped. `costliest`: highest product of bytes and time, so that slow senders compete only with each
 * other, whatever credentials they use. `of largest owner`: the largest of the owner who holds most, so that a caller with
 * many large holdings competes with itself.
 */
type Victim = 'costliest' | 'of largest owner';

export interface HoldingOptions {
  /** Called when it is dropped: must stop holding. */
  readonly drop: (error: GatewayError) => void;
  /** Whose it is; undefined when the credentials are malformed or not known yet: all such callers count as one. */
  readonly holder: Holder | undefined;
  /** Whether no caller sees the error of a drop, so that it is counted and logged here. Default false. */
  readonly isSilent?: boolean;
  /** Whether it is dropped before all that are not guests, which do not wait for it. Default false. */
  readonly isGuest?: boolean;
}

/** When a part of the bound is reached, a holding of that part is dropped: of the owner, of newcomers, or of all. */
export class ReclaimingBudget extends LaneBudget {
  /** Others displace what they need. */
  protected override readonly kept = 0;
  readonly #victim: Victim;
  /** All but guests. */
  readonly #holdings = new Set<Holding>();
  readonly #guests = new Set<Holding>();
  /** What guests hold, of whom there can be thousands. */
  protected readonly guests: LaneBudget;

  constructor(share: Share, shares: Shares, victim: Victim) {
    super(share, shares);
    this.#victim = victim;
    this.guests = new LaneBudget(share, { ...shares, report: () => {} });
  }

  open(options: HoldingOptions): Holding {
    return new Holding(options, this);
  }

  /** Sets the bytes of the holding, and drops holdings until there is room for it, or it is dropped. */
  makeRoom(holding: Holding, bytes: number): void {
    holding.bytes = bytes;
    if (bytes === 0) this.forget(holding);
    else (holding.options.isGuest ? this.#guests : this.#holdings).add(holding);
    while (holding.isOpen) {
      const part = this.reachedPart(holding.holder, holding.bytes);
      if (!part) return;
      const dropped = this.#victimOf(this.#holdingsOf(part, holding));
      dropped.close();
      const bound = partOf(this.share.bound, part);
      if (dropped.options.isSilent) this.shares.dropped(bound);
      dropped.options.drop(refusedBy(bound, 503, ': this one was dropped. Send it again later.'));
    }
  }

  /** Holds its bytes, for which there is room. */
  holdFor({ options, holder, bytes }: Holding): () => void {
    const release = this.holdAnyway(holder, bytes);
    if (!options.isGuest) return release;
    const releaseGuest = this.guests.holdAnyway(holder, bytes);
    return () => {
      release();
      releaseGuest();
    };
  }

  /** Returns whether it has held something. */
  forget(holding: Holding): boolean {
    return this.#holdings.delete(holding) || this.#guests.delete(holding);
  }

  /** The holdings that count in the part of the bound, without guests; `owner`: whose part it is. */
  protected holdingsIn(part: Part, owner: Owner, of: ReadonlySet<Holding> = this.#holdings): Holding[] {
    const all = [...of];
    if (part === 'all') return all;
    return all.filter(({ holder }) =>
      part === 'owner' ? holder.owner === owner : this.isNewcomer(holder.lane),
    );
  }

  /**
   * The holdings that count in the part of the bound that this one has reached, of which guests are dropped first. When all of it
   * is reached and newcomers, whose part may be all of it, have more than half, one of theirs is dropped.
   */
  #holdingsOf(reached: Part, { bytes, holder: { owner, lane } }: Holding): Holding[] {
    const guests = this.holdingsIn(reached, owner, this.#guests);
    if (guests.length > 0) return guests;
    const ofNewcomers = this.heldByNewcomers + (this.isNewcomer(lane) ? bytes : 0);
    const isTheirs = reached === 'all' && ofNewcomers > this.share.all / 2;
    return this.holdingsIn(isTheirs ? 'newcomers' : reached, owner);
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
  /** When its turn is over, from its beginning on: in a `TurnTakingBudget`. */
  turnEndsAt = Number.POSITIVE_INFINITY;
  /** Whether it may have a turn: false while it waits for something else. */
  canGrow = true;
  /** Until it is closed or dropped. */
  isOpen = true;
  bytes = 0;
  #release: (() => void) | undefined;

  constructor(options: HoldingOptions, budget: ReclaimingBudget) {
    this.options = options;
    this.holder = options.holder ?? nobody;
    this.#budget = budget;
  }

  /** Sets the bytes that are held. May drop holdings, including this one. */
  hold(bytes: number): void {
    if (!this.isOpen) return;
    this.startedAt ||= performance.now();
    this.#release?.();
    this.#budget.makeRoom(this, bytes);
    if (this.isOpen) this.#release = this.#budget.holdFor(this);
  }

  close(): void {
    this.isOpen = false;
    this.#release?.();
    this.#budget.forget(this);
  }
}

/** The first item of the largest size. */
export function most<T>(items: readonly T[], sizeOf: (item: T) => number): T {
  return items.reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one));
}
