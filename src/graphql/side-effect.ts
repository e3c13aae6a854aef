/** What the writes of one operation have done so far. */
import { GatewayError, InvalidInputError, type SideEffect } from '../errors.ts';

const order: readonly SideEffect[] = ['NONE', 'POSSIBLE', 'APPLIED'];

export class OperationSideEffect {
  #settled: SideEffect = 'NONE';
  #inProgress = 0;

  /** The strongest of all writes: APPLIED when one was done, POSSIBLE when one may have been or is in progress. */
  get current(): SideEffect {
    return this.#inProgress > 0 && this.#settled === 'NONE' ? 'POSSIBLE' : this.#settled;
  }

  /** Follows a write to its outcome, and returns the write. */
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
    if (order.indexOf(effect) > order.indexOf(this.#settled)) this.#settled = effect;
  }
}

function sideEffectOf(error: unknown): SideEffect {
  if (error instanceof InvalidInputError) return 'NONE';
  return error instanceof GatewayError ? error.sideEffect : 'POSSIBLE';
}
