/** Counts what happened at an endpoint in the last 10 seconds, for its circuit breaker and its retry budget. */
import type { Owner } from '../../caller.ts';

const windowMs = 10_000;
/** Events of one second are counted together, and expire together (ms). */
const slotMs = 1_000;

/** By owner; under undefined where owners are not distinguished. */
type Counts = Map<Owner | undefined, number>;

/** Counts of events over the last 10 seconds. They expire by a monotonic clock. */
export class TimeWindow {
  #slots: { readonly since: number; readonly counts: Counts; sum: number }[] = [];

  add(owner?: Owner): void {
    const time = performance.now();
    let slot = this.#slots.at(-1);
    if (slot === undefined || slot.since <= time - slotMs) {
      slot = { since: time, counts: new Map(), sum: 0 };
      this.#slots = [...this.#recent(), slot];
    }
    slot.counts.set(owner, (slot.counts.get(owner) ?? 0) + 1);
    slot.sum += 1;
  }

  /** The number of events of each owner in the last 10 seconds. */
  totals(): Counts {
    const totals: Counts = new Map();
    for (const { counts } of this.#recent()) {
      for (const [owner, count] of counts) totals.set(owner, (totals.get(owner) ?? 0) + count);
    }
    return totals;
  }

  /** Whether the owner has an event in the last 10 seconds. */
  has(owner: Owner): boolean {
    return this.#recent().some(({ counts }) => counts.has(owner));
  }

  /** The number of all events in the last 10 seconds. Its time does not grow with the number of owners. */
  sum(): number {
    return this.#recent().reduce((total, { sum }) => total + sum, 0);
  }

  #recent() {
    const from = performance.now() - windowMs;
    return this.#slots.filter(({ since }) => since > from);
  }
}
