/** Counts of events over the last 10 seconds, by name. */
export interface TimeWindow<Name extends string> {
  add(name: Name): void;
  /** The number of events of that name in the last 10 seconds, with a resolution of 1 second. */
  count(name: Name): number;
  clear(): void;
}

const windowMs = 10_000;
const slotMs = 1_000;

/** Creates an empty window. `now`: the time of a monotonic clock (ms), by which alone events expire. */
export function createTimeWindow<Name extends string>(now: () => number): TimeWindow<Name> {
  let slots: { readonly since: number; readonly counts: Map<Name, number> }[] = [];

  function removeExpired(time: number): void {
    const [oldest] = slots;
    if (oldest && oldest.since <= time - windowMs) {
      slots = slots.filter(({ since }) => since > time - windowMs);
    }
  }

  return {
    add(name) {
      const time = now();
      removeExpired(time);
      let slot = slots.at(-1);
      if (slot === undefined || slot.since <= time - slotMs) {
        slot = { since: time, counts: new Map() };
        slots.push(slot);
      }
      slot.counts.set(name, (slot.counts.get(name) ?? 0) + 1);
    },
    count(name) {
      removeExpired(now());
      return slots.reduce((sum, { counts }) => sum + (counts.get(name) ?? 0), 0);
    },
    clear() {
      slots = [];
    },
  };
}
