/** Counts what happened at an endpoint in the last 10 seconds, for its circuit breaker and its retry budget. */
const windowMs = 10_000;
const slotMs = 1_000;

/** Counts of events over the last 10 seconds, by name. They expire by a monotonic clock. */
export class TimeWindow<Name> {
  #slots: { readonly since: number; readonly counts: Map<Name, number>; sum: number }[] = [];

  add(name: Name): void {
    const time = performance.now();
    let slot = this.#slots.at(-1);
    if (slot === undefined || slot.since <= time - slotMs) {
      slot = { since: time, counts: new Map(), sum: 0 };
      this.#slots = [...this.#slots.filter(({ since }) => since > time - windowMs), slot];
    }
    slot.counts.set(name, (slot.counts.get(name) ?? 0) + 1);
    slot.sum += 1;
  }

  /** The number of events of each name in the last 10 seconds. */
  totals(): Map<Name, number> {
    const from = performance.now() - windowMs;
    const totals = new Map<Name, number>();
    for (const { since, counts } of this.#slots) {
      if (since <= from) continue;
      for (const [name, count] of counts) totals.set(name, (totals.get(name) ?? 0) + count);
    }
    return totals;
  }

  /** The number of all events in the last 10 seconds. Its time does not grow with the number of names. */
  sum(): number {
    const from = performance.now() - windowMs;
    return this.#slots.reduce((total, { since, sum }) => (since > from ? total + sum : total), 0);
  }

  /** The number of events of that name in the last 10 seconds, with a resolution of 1 second. */
  count(name: Name): number {
    const from = performance.now() - windowMs;
    const recent = this.#slots.filter(({ since }) => since > from);
    return recent.reduce((sum, { counts }) => sum + (counts.get(name) ?? 0), 0);
  }
}
