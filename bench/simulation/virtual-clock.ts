/** A clock that jumps from event to event. */
import type { Clock } from '../../src/watch/clock.ts';

export interface VirtualClock extends Clock {
  /** Runs all events up to this time (ms), in the order of their times, and those of one time in the order of their creation. */
  runUntil(endMs: number): Promise<void>;
  /** Number of events that have run. */
  events(): number;
}

/** Turns of the microtask queue after each event: more than any promise of a watch needs to continue. */
const turns = 8;

/**
 * A binary heap over typed arrays: an event costs 24 bytes and its callback. A cancelled event stays in the heap, without
 * its callback, until its time has come.
 */
export function createVirtualClock(): VirtualClock {
  let capacity = 1_024;
  let times = new Float64Array(capacity);
  let orders = new Float64Array(capacity);
  let slots = new Uint32Array(capacity);
  const callbacks: ((() => void) | undefined)[] = [];
  /** The number of the event that a slot holds: a slot is used again, and its earlier event must not be cancelled. */
  const owners: number[] = [];
  const free: number[] = [];
  let size = 0;
  let created = 0;
  let run = 0;
  let now = 0;

  function grow(): void {
    capacity *= 2;
    const [oldTimes, oldOrders, oldSlots] = [times, orders, slots];
    times = new Float64Array(capacity);
    orders = new Float64Array(capacity);
    slots = new Uint32Array(capacity);
    times.set(oldTimes);
    orders.set(oldOrders);
    slots.set(oldSlots);
  }

  function isBefore(time: number, order: number, index: number): boolean {
    const other = times[index] as number;
    return time < other || (time === other && order < (orders[index] as number));
  }

  function move(from: number, to: number): void {
    times[to] = times[from] as number;
    orders[to] = orders[from] as number;
    slots[to] = slots[from] as number;
  }

  function put(index: number, time: number, order: number, slot: number): void {
    times[index] = time;
    orders[index] = order;
    slots[index] = slot;
  }

  function push(time: number, order: number, slot: number): void {
    if (size === capacity) grow();
    let index = size++;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(time, order, parent)) break;
      move(parent, index);
      index = parent;
    }
    put(index, time, order, slot);
  }

  /** Removes the first event and returns its slot. */
  function pop(): number {
    const first = slots[0] as number;
    size -= 1;
    const [time, order, slot] = [times[size], orders[size], slots[size]] as [number, number, number];
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= size) break;
      if (child + 1 < size && isBefore(times[child + 1] as number, orders[child + 1] as number, child))
        child += 1;
      if (isBefore(time, order, child)) break;
      move(child, index);
      index = child;
    }
    put(index, time, order, slot);
    return first;
  }

  return {
    now: () => now,
    events: () => run,
    after(ms, callback) {
      const slot = free.pop() ?? callbacks.length;
      const order = created++;
      callbacks[slot] = callback;
      owners[slot] = order;
      push(now + Math.max(0, ms), order, slot);
      return () => {
        if (owners[slot] === order) callbacks[slot] = undefined;
      };
    },
    async runUntil(endMs) {
      while (size > 0 && (times[0] as number) <= endMs) {
        now = times[0] as number;
        const slot = pop();
        const callback = callbacks[slot];
        callbacks[slot] = undefined;
        owners[slot] = -1;
        free.push(slot);
        if (!callback) continue;
        run += 1;
        callback();
        for (let turn = 0; turn < turns; turn += 1) await undefined;
      }
      now = endMs;
    },
  };
}
