/** A bound that drops: for what arrives in pieces and can be given up, such as bodies and responses that are being read. */
import type { Bound } from '../bounds.ts';
import { type GatewayError, tryAgainLater } from '../errors.ts';
import { LaneBudget, reachedText } from './lane-budget.ts';
import { type Holder, nobody, type Share } from './share.ts';
import type { Shares } from './shares.ts';

/**
 * Which holding is dropped. `costliest`: highest product of bytes and time, so that slow senders compete only with each
 * other, whatever credentials they use. `of largest owner`: the largest of the owner who holds most, so that a caller with
 * many large holdings competes with itself.
 */
export type Victim = 'costliest' | 'of largest owner';

export interface HoldingOptions {
  /** Called when it is dropped: must stop holding. */
  readonly drop: (error: GatewayError) => void;
  /** Whose it is; undefined when the credentials are malformed or not known yet: all such callers count as one. */
  readonly holder: Holder | undefined;
  /** Whether no caller sees the error of a drop, so that it is counted and logged here. Default false. */
  readonly isSilent?: boolean;
}

/** What one holder holds of a budget. */
export interface Holding {
  /** Sets the bytes that are held. May drop holdings, including this one. Has no effect after a drop or `close`. */
  hold(bytes: number): void;
  close(): void;
}

interface Part extends Required<HoldingOptions> {
  readonly holder: Holder;
  readonly startedAt: number;
  isOpen: boolean;
  bytes: number;
  release: () => void;
}

/** When a part of the bound is reached, a holding of that part is dropped: of the owner, of newcomers, or of all. */
export class ReclaimingBudget {
  readonly #budget: LaneBudget;
  readonly #share: Share;
  readonly #shares: Shares;
  readonly #victim: Victim;
  /** Those that hold something. */
  readonly #parts = new Set<Part>();

  constructor(share: Share, shares: Shares, victim: Victim) {
    this.#budget = new LaneBudget(share, shares);
    this.#share = share;
    this.#shares = shares;
    this.#victim = victim;
  }

  get held(): number {
    return this.#budget.held;
  }

  open({ drop, holder = nobody, isSilent = false }: HoldingOptions): Holding {
    const startedAt = performance.now();
    const part: Part = { drop, holder, isSilent, startedAt, isOpen: true, bytes: 0, release() {} };
    return { hold: (bytes) => this.#hold(part, bytes), close: () => this.#close(part) };
  }

  #hold(part: Part, bytes: number): void {
    if (!part.isOpen) return;
    part.release();
    part.bytes = bytes;
    this.#parts.add(part);
    this.#makeRoom(part);
    if (part.isOpen) part.release = this.#budget.holdAnyway(part.holder, bytes);
  }

  #close(part: Part): void {
    part.isOpen = false;
    this.#parts.delete(part);
    part.release();
  }

  /** Drops holdings until there is room for this one, or it is dropped. */
  #makeRoom(part: Part): void {
    while (part.isOpen) {
      const reached = this.#budget.reached(part.holder, part.bytes);
      if (!reached) return;
      const dropped = this.#victimOf(this.#partsIn(reached, part.holder));
      this.#close(dropped);
      if (dropped.isSilent) this.#shares.dropped(reached);
      const message = `${reachedText(reached)}: this one was dropped. Send it again later.`;
      dropped.drop(tryAgainLater(reached, message, { retryAfterMs: 1_000, httpStatus: 503 }));
    }
  }

  /** The holdings that count in the part of the bound that this holder has reached. */
  #partsIn(reached: Bound, { owner }: Holder): Part[] {
    const { bound } = this.#share;
    const all = [...this.#parts];
    if (reached === `${bound}-owner`) return all.filter(({ holder }) => holder.owner === owner);
    const { acceptedLanes } = this.#shares;
    return reached === bound ? all : all.filter(({ holder }) => !acceptedLanes.has(holder.lane));
  }

  #victimOf(parts: readonly Part[]): Part {
    if (this.#victim === 'costliest') {
      const now = performance.now();
      return most(parts, ({ bytes, startedAt }) => bytes * (1 + now - startedAt));
    }
    const byOwner = Map.groupBy(parts, ({ holder }) => holder.owner);
    const ofLargest = most([...byOwner.values()], (own) => own.reduce((sum, { bytes }) => sum + bytes, 0));
    return most(ofLargest, ({ bytes }) => bytes);
  }
}

function most<T>(items: readonly T[], sizeOf: (item: T) => number): T {
  return items.reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one));
}
