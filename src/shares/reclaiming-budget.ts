/** A bound that drops: for what arrives in pieces and can be given up, such as bodies and responses that are being read. */

import { sharedBounds } from '../bounds.ts';
import type { Owner } from '../caller.ts';
import { type GatewayError, tryAgainLater } from '../errors.ts';
import type { Holder, Share } from './share.ts';
import type { Shares } from './shares.ts';

/**
 * Which holding is dropped. `costliest`: highest product of bytes and time, so that slow senders compete only with each
 * other, whatever credentials they use. `of largest owner`: the largest of the owner who holds most, so that a caller with
 * many large ones competes with itself. `largest`: the largest of all.
 */
export type Victim = 'costliest' | 'of largest owner' | 'largest';

export interface HoldingOptions {
  /** Called when it is dropped: must stop holding. */
  readonly drop: (error: GatewayError) => void;
  /** Undefined while the caller is not known: only the bound of all callers applies. */
  readonly holder?: Holder | undefined;
  /** Whether no caller sees the error of a drop, so that it is counted and logged here. Default false. */
  readonly isSilent?: boolean;
}

export interface Holding {
  /** Sets the bytes that are held. May drop holdings, including this one. */
  hold(bytes: number): void;
  close(): void;
}

interface Entry extends HoldingOptions {
  readonly startedAt: number;
  bytes: number;
}

export class ReclaimingBudget {
  readonly #share: Share;
  readonly #shares: Shares;
  readonly #victim: Victim;
  readonly #freeBytes: number;
  readonly #entries = new Set<Entry>();
  #total = 0;

  /** `freeBytes`: up to this size one is not counted. Default 0. */
  constructor(share: Share, shares: Shares, victim: Victim, freeBytes = 0) {
    this.#share = share;
    this.#shares = shares;
    this.#victim = victim;
    this.#freeBytes = freeBytes;
    shares.report(share, () => ({
      all: this.#total,
      newcomers: sumOf(this.#newcomers()),
      owner: Math.max(0, ...this.#byOwner(this.#entries).values()),
    }));
  }

  get held(): number {
    return this.#total;
  }

  open(options: HoldingOptions): Holding {
    const entry: Entry = { ...options, startedAt: performance.now(), bytes: 0 };
    let isOpen = true;
    return {
      hold: (bytes) => {
        if (!isOpen || (entry.bytes === 0 && bytes <= this.#freeBytes)) return;
        if (entry.bytes === 0) this.#entries.add(entry);
        else if (!this.#entries.has(entry)) return;
        this.#total += bytes - entry.bytes;
        entry.bytes = bytes;
        this.#reclaim();
      },
      close: () => {
        isOpen = false;
        this.#remove(entry);
      },
    };
  }

  #reclaim(): void {
    const { all, newcomers } = this.#share;
    // Newcomers hold at most as much as all do: only then they are worth counting.
    while (this.#total > newcomers) {
      const entries = this.#newcomers();
      if (sumOf(entries) <= newcomers) break;
      this.#drop(entries);
    }
    while (this.#total > all) this.#drop(this.#entries);
  }

  #drop(entries: Iterable<Entry>): void {
    const { bound } = this.#share;
    const dropped = this.#victimOf(entries);
    this.#remove(dropped);
    if (dropped.isSilent) this.#shares.dropped(bound);
    const message = `All callers have together reached the bound on ${sharedBounds[bound]}: this one was dropped. Send it again later.`;
    dropped.drop(tryAgainLater(bound, message, { retryAfterMs: 1_000, httpStatus: 503 }));
  }

  #remove(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#total -= entry.bytes;
  }

  #victimOf(entries: Iterable<Entry>): Entry {
    if (this.#victim === 'of largest owner') {
      const [largest] = [...this.#byOwner(entries)].reduce((one, other) => (other[1] > one[1] ? other : one));
      return most(
        [...entries].filter(({ holder }) => holder?.owner === largest),
        ({ bytes }) => bytes,
      );
    }
    const now = performance.now();
    const isByTime = this.#victim === 'costliest';
    return most(entries, ({ bytes, startedAt }) => bytes * (isByTime ? 1 + now - startedAt : 1));
  }

  #newcomers(): Entry[] {
    const { acceptedLanes } = this.#shares;
    return [...this.#entries].filter(({ holder }) => holder && !acceptedLanes.has(holder.lane));
  }

  #byOwner(entries: Iterable<Entry>): Map<Owner | undefined, number> {
    const held = new Map<Owner | undefined, number>();
    for (const { holder, bytes } of entries) held.set(holder?.owner, (held.get(holder?.owner) ?? 0) + bytes);
    return held;
  }
}

function sumOf(entries: Iterable<Entry>): number {
  let sum = 0;
  for (const { bytes } of entries) sum += bytes;
  return sum;
}

function most(entries: Iterable<Entry>, costOf: (entry: Entry) => number): Entry {
  return [...entries].reduce((one, other) => (costOf(other) > costOf(one) ? other : one));
}
