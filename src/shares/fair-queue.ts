/** Decides whose turn is next where callers wait for something scarce: slots, polls, requests, messages and turns of the event loop. */
import type { Holder, Lane, Owner } from '../caller.ts';
import type { AcceptedLanes } from './accepted-lanes.ts';

interface Entry<T> {
  readonly holder: Holder;
  readonly item: T;
  /** Where it waits: another one once its lane is accepted. */
  group: Group<T>;
}

/** The waiting items of one owner, in the order in which they were added. */
interface Turn<T> {
  readonly entries: Set<Entry<T>>;
  /** When the owner began to wait for its next turn. */
  readonly since: number;
}

/** By owner, in the order in which they take turns. */
type Group<T> = Map<Owner, Turn<T>>;

/**
 * A queue for something scarce. Accepted callers and newcomers alternate, and among each the owners take turns, so that
 * an owner with many entries delays only itself. When a lane is accepted, its entries move at once. The queue has no
 * bound of its own: bound what is added.
 */
export class FairQueue<T> {
  readonly #acceptedLanes: Pick<AcceptedLanes, 'has'>;
  readonly #now: () => number;
  readonly #accepted: Group<T> = new Map();
  readonly #newcomers: Group<T> = new Map();
  #isNewcomerNext = false;
  #size = 0;

  /** `now`: the time (ms) for `roundMs`. */
  constructor(
    acceptedLanes: Pick<AcceptedLanes, 'has' | 'onAccept'>,
    now: () => number = () => performance.now(),
  ) {
    this.#acceptedLanes = acceptedLanes;
    this.#now = now;
    acceptedLanes.onAccept(({ lane, owner }) => this.#move(lane, owner));
  }

  get size(): number {
    return this.#size;
  }

  /** Owners that wait. Newcomers count at most as many as accepted ones, and at least one, since anyone can invent credentials. */
  get owners(): number {
    const { size } = this.#accepted;
    return size + Math.min(this.#newcomers.size, Math.max(1, size));
  }

  /** Returns a function that removes the item if it still waits. */
  add(holder: Holder, item: T): () => void {
    const entry = { holder, item, group: this.#groupOf(holder.lane) };
    this.#enter(entry);
    return () => this.#remove(entry);
  }

  /**
   * Removes and returns the next item. `mayStart`: whether an owner has room; one without is skipped. `allowsNewcomers`:
   * whether newcomers together have room.
   */
  next(mayStart: (holder: Holder) => boolean = () => true, allowsNewcomers = true): T | undefined {
    for (const isNewcomer of [this.#isNewcomerNext, !this.#isNewcomerNext]) {
      if (isNewcomer && !allowsNewcomers) continue;
      const group = isNewcomer ? this.#newcomers : this.#accepted;
      for (const [owner, { entries }] of group) {
        const [entry] = entries;
        if (!entry || !mayStart(entry.holder)) continue;
        this.#remove(entry);
        if (group.delete(owner)) group.set(owner, { entries, since: this.#now() });
        this.#isNewcomerNext = !isNewcomer;
        return entry.item;
      }
    }
    return undefined;
  }

  /** The next item of the owner; undefined when none waits. */
  firstOf({ lane, owner }: Holder): T | undefined {
    const [first] = this.#groupOf(lane).get(owner)?.entries ?? [];
    return first?.item;
  }

  /** How long the owner who is next among accepted callers, or among newcomers, has waited for its turn (ms). */
  roundMs({ lane }: Holder): number {
    const [next] = this.#groupOf(lane).values();
    return next ? this.#now() - next.since : 0;
  }

  /** Removes and returns the newest item of the owner with most: of a newcomer, or else of an accepted one with several. */
  removeOne(): T | undefined {
    for (const [group, least] of [[this.#newcomers, 1] as const, [this.#accepted, 2] as const]) {
      let most: ReadonlySet<Entry<T>> = new Set();
      for (const { entries } of group.values()) if (entries.size > most.size) most = entries;
      const newest = [...most].at(-1);
      if (!newest || most.size < least) continue;
      this.#remove(newest);
      return newest.item;
    }
    return undefined;
  }

  #groupOf(lane: Lane): Group<T> {
    return this.#acceptedLanes.has(lane) ? this.#accepted : this.#newcomers;
  }

  #enter(entry: Entry<T>): void {
    const createTurn = () => ({ entries: new Set<Entry<T>>(), since: this.#now() });
    entry.group.getOrInsertComputed(entry.holder.owner, createTurn).entries.add(entry);
    this.#size += 1;
  }

  #remove(entry: Entry<T>): void {
    const { group, holder } = entry;
    const entries = group.get(holder.owner)?.entries;
    if (!entries?.delete(entry)) return;
    this.#size -= 1;
    if (entries.size === 0) group.delete(holder.owner);
  }

  #move(lane: Lane, owner: Owner): void {
    for (const entry of this.#newcomers.get(owner)?.entries ?? []) {
      if (entry.holder.lane !== lane) continue;
      this.#remove(entry);
      entry.group = this.#accepted;
      this.#enter(entry);
    }
  }
}
