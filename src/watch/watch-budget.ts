/** The bound on watched values: what one watch holds of it. */

import { watchBytes } from '../shares/bound-sizes.ts';
import type { LaneBudget } from '../shares/lane-budget.ts';
import type { Holder } from '../shares/share.ts';
import type { Timed, Watchable } from './watchable.ts';

export class WatchBudget {
  readonly #bound: LaneBudget;
  readonly #holder: Holder;
  readonly #release: () => void;
  #releaseTexts: () => void = () => {};

  /** Throws RATE_LIMITED when there is no room for another watch. */
  constructor(bound: LaneBudget, holder: Holder) {
    this.#bound = bound;
    this.#holder = holder;
    this.#release = bound.hold(holder, watchBytes);
  }

  /** Holds the texts of a value in place of those of the previous one. Returns the value without them if there is no room. */
  fit<T extends Timed>(watchable: Watchable<T>, value: T): T {
    this.#releaseTexts();
    const bytes = watchable.bytesOf(value);
    const isFull = this.#bound.reached(this.#holder, bytes) !== undefined;
    this.#releaseTexts = isFull ? () => {} : this.#bound.holdAnyway(this.#holder, bytes);
    return isFull ? watchable.withoutTexts(value) : value;
  }

  release(): void {
    this.#releaseTexts();
    this.#release();
  }
}
