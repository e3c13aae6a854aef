/** Tracks what the writes of one operation have done. */
import { graverOf, type SideEffect, sideEffectOf } from '../errors.ts';

export class OperationSideEffect {
  #settled: SideEffect = 'NONE';
  #inProgress = 0;

  /** APPLIED when a write was done; else POSSIBLE when one may have been done or is in progress; else NONE. */
  get current(): SideEffect {
    return this.#inProgress > 0 && this.#settled === 'NONE' ? 'POSSIBLE' : this.#settled;
  }

  /** Records the outcome of a write, and returns the write. */
  follow<T>(write: Promise<T>): Promise<T> {
    this.#inProgress += 1;
    write.then(
      () => this.#settle('APPLIED'),
      (error: unknown) => this.#settle(sideEffectOf(error)),
    );
    return write;
  }

  #settle(effect: SideEffect): void {
    this.#inProgress -= 1;
    this.#settled = graverOf(effect, this.#settled);
  }
}
