/** The bound on watched values: what one watch holds of it. */
import type { Holder } from '../caller.ts';
import { watchBytes } from '../shares/bound-sizes.ts';
import type { LaneBudget } from '../shares/lane-budget.ts';
import type { Timed, Watchable } from './watchable.ts';

export class WatchBudget {
  readonly #bound: LaneBudget;
  readonly #holder: Holder;
  readonly #release: () => void;
  #releaseTexts: () => void = () => {};
  /** The watch, and subscriptions that have not read its last value. */
  #users = 1;

  /** Throws RATE_LIMITED when the bound on watches is reached. */
  constructor(bound: LaneBudget, holder: Holder) {
    this.#bound = bound;
    this.#holder = holder;
    this.#release = bound.hold(holder, watchBytes);
  }

  /**
   * Holds the texts of a value in place of those of the previous one. Returns the value without some of them if there is no
   * room; the others are held anyway.
   */
  fit<T extends Timed>(watchable: Pick<Watchable<T>, 'bytesOf' | 'withoutTexts'>, value: T): T {
    this.#releaseTexts();
    const isFull = this.#bound.reached(this.#holder, watchable.bytesOf(value)) !== undefined;
    const fitting = isFull ? watchable.withoutTexts(value) : value;
    this.#releaseTexts = this.#bound.holdAnyway(this.#holder, watchable.bytesOf(fitting));
    return fitting;
  }

  /** Adds a user. Each calls `release` once. */
  retain(): this {
    this.#users += 1;
    return this;
  }

  release(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#releaseTexts();
    this.#release();
  }
}
