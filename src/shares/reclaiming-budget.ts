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

export interface Holding {
  /** Sets the bytes that are held. May drop holdings, including this one. */
  hold(bytes: number): void;
  close(): void;
}

interface Entry {
  readonly holder: Holder;
  readonly startedAt: number;
  readonly drop: (error: GatewayError) => void;
  readonly isSilent: boolean;
  bytes: number;
  release: () => void;
}

/** When a part of the bound is reached, a holding of that part is dropped: of the owner, of newcomers, or of all. */
export class ReclaimingBudget {
  readonly #budget: LaneBudget;
  readonly #share: Share;
  readonly #shares: Shares;
  readonly #victim: Victim;
  readonly #freeBytes: number;
  readonly #entries = new Set<Entry>();

  /** `freeBytes`: a holding up to this size is not counted. Default 0. */
  constructor(share: Share, shares: Shares, victim: Victim, freeBytes = 0) {
    this.#budget = new LaneBudget(share, shares);
    this.#share = share;
    this.#shares = shares;
    this.#victim = victim;
    this.#freeBytes = freeBytes;
  }

  get held(): number {
    return this.#budget.held;
  }

  open({ drop, holder = nobody, isSilent = false }: HoldingOptions): Holding {
    const startedAt = performance.now();
    const entry: Entry = { holder, startedAt, drop, isSilent, bytes: 0, release: () => {} };
    let isOpen = true;
    return {
      hold: (bytes) => {
        if (!isOpen || (entry.bytes === 0 && bytes <= this.#freeBytes)) return;
        if (entry.bytes === 0) this.#entries.add(entry);
        else if (!this.#entries.has(entry)) return;
        entry.release();
        entry.bytes = bytes;
        this.#makeRoom(entry);
        if (this.#entries.has(entry)) entry.release = this.#budget.holdAnyway(holder, bytes);
      },
      close: () => {
        isOpen = false;
        this.#remove(entry);
      },
    };
  }

  /** Drops holdings until there is room for this one, or it is dropped. */
  #makeRoom(entry: Entry): void {
    while (this.#entries.has(entry)) {
      const reached = this.#budget.reached(entry.holder, entry.bytes);
      if (!reached) return;
      const dropped = this.#victimOf(this.#entriesOf(reached, entry.holder));
      this.#remove(dropped);
      if (dropped.isSilent) this.#shares.dropped(reached);
      const message = `${reachedText(reached)}: this one was dropped. Send it again later.`;
      dropped.drop(tryAgainLater(reached, message, { retryAfterMs: 1_000, httpStatus: 503 }));
    }
  }

  #remove(entry: Entry): void {
    if (this.#entries.delete(entry)) entry.release();
  }

  /** The holdings that count in the part of the bound that this holder has reached. */
  #entriesOf(reached: Bound, { owner }: Holder): Entry[] {
    const { bound } = this.#share;
    const all = [...this.#entries];
    if (reached === `${bound}-owner`) return all.filter(({ holder }) => holder.owner === owner);
    const { acceptedLanes } = this.#shares;
    return reached === bound ? all : all.filter(({ holder }) => !acceptedLanes.has(holder.lane));
  }

  #victimOf(entries: readonly Entry[]): Entry {
    if (this.#victim === 'costliest') {
      const now = performance.now();
      return most(entries, ({ bytes, startedAt }) => bytes * (1 + now - startedAt));
    }
    const byOwner = Map.groupBy(entries, ({ holder }) => holder.owner);
    const ofLargest = most([...byOwner.values()], (own) => own.reduce((sum, { bytes }) => sum + bytes, 0));
    return most(ofLargest, ({ bytes }) => bytes);
  }
}

function most<T>(items: readonly T[], sizeOf: (item: T) => number): T {
  return items.reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one));
}
