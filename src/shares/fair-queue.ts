import type { Lane, Owner } from '../caller.ts';
import type { AcceptedLanes } from './accepted-lanes.ts';
import type { Holder } from './share.ts';

interface Entry<T> {
  readonly holder: Holder;
  readonly item: T;
}

/** By owner, in the order in which they take turns; the entries of each in the order in which they came. */
type Group<T> = Map<Owner, Set<Entry<T>>>;

/**
 * What waits for something scarce. Accepted callers and newcomers alternate, and among each the owners take turns, so that
 * an owner with many entries delays only itself. When a lane is accepted, its entries move at once. The queue has no
 * bound of its own: bound what is added.
 */
export class FairQueue<T> {
  readonly #acceptedLanes: AcceptedLanes;
  readonly #accepted: Group<T> = new Map();
  readonly #newcomers: Group<T> = new Map();
  #isNewcomerNext = false;
  #size = 0;

  constructor(acceptedLanes: AcceptedLanes) {
    this.#acceptedLanes = acceptedLanes;
    acceptedLanes.onAccept(({ lane, owner }) => this.#move(lane, owner));
  }

  get size(): number {
    return this.#size;
  }

  /** Owners that wait. Newcomers count at most as many as accepted ones, and at least one, since they are free to invent. */
  get owners(): number {
    const { size } = this.#accepted;
    return size + Math.min(this.#newcomers.size, Math.max(1, size));
  }

  /** Returns a function that removes the item if it still waits. */
  add(holder: Holder, item: T): () => void {
    const entry = { holder, item };
    this.#enter(this.#groupOf(holder.lane), entry);
    this.#size += 1;
    return () => {
      // It may have moved: its lane may have been accepted meanwhile.
      for (const group of [this.#accepted, this.#newcomers]) this.#remove(group, entry);
    };
  }

  /**
   * Removes and returns the next item. `mayStart`: whether an owner has room; one without is skipped. `allowsNewcomers`:
   * whether newcomers together have room.
   */
  next(mayStart: (holder: Holder) => boolean = () => true, allowsNewcomers = true): T | undefined {
    for (const isNewcomer of [this.#isNewcomerNext, !this.#isNewcomerNext]) {
      if (isNewcomer && !allowsNewcomers) continue;
      const group = isNewcomer ? this.#newcomers : this.#accepted;
      for (const [owner, entries] of group) {
        const [entry] = entries;
        if (!entry || !mayStart(entry.holder)) continue;
        this.#remove(group, entry);
        if (group.delete(owner)) group.set(owner, entries);
        this.#isNewcomerNext = !isNewcomer;
        return entry.item;
      }
    }
    return undefined;
  }

  #groupOf(lane: Lane): Group<T> {
    return this.#acceptedLanes.has(lane) ? this.#accepted : this.#newcomers;
  }

  #enter(group: Group<T>, entry: Entry<T>): void {
    group.getOrInsertComputed(entry.holder.owner, () => new Set()).add(entry);
  }

  #remove(group: Group<T>, entry: Entry<T>): boolean {
    const { owner } = entry.holder;
    const entries = group.get(owner);
    if (!entries?.delete(entry)) return false;
    this.#size -= 1;
    if (entries.size === 0) group.delete(owner);
    return true;
  }

  #move(lane: Lane, owner: Owner): void {
    for (const entry of this.#newcomers.get(owner) ?? []) {
      if (entry.holder.lane !== lane || !this.#remove(this.#newcomers, entry)) continue;
      this.#enter(this.#accepted, entry);
      this.#size += 1;
    }
  }
}
