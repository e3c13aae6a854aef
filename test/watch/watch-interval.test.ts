/** When a watch polls after the gateway has seen how long documents take. */
import { describe, expect, it, vi } from 'vitest';
import {
  aBus,
  aListener,
  alice,
  aParcel,
  failure,
  parcelService,
  parcels,
} from '../support/watched-parcels.ts';

const service = parcelService();

/** A service whose documents are DELIVERED after a minute, each a little later than the one before. */
async function afterManyDocuments(count: number) {
  const bus = aBus();
  bus.holder = 'mine';
  const finalAt = new Map<string, number>();
  const polls: { id: string; at: number }[] = [];
  const watches = service.startWatches({
    bus,
    budgetPerSecond: 100_000,
    poll: async (_caller, id) => {
      polls.push({ id, at: Date.now() });
      return aParcel(Date.now() >= (finalAt.get(id) ?? 0) ? 'DELIVERED' : 'PACKED', { id });
    },
  });
  const watch = (id: string, finalMs: number) => {
    finalAt.set(id, Date.now() + finalMs);
    const listener = aListener();
    watches.subscribe(parcels, alice, id, listener);
    return listener;
  };
  for (let index = 0; index < count; index += 1) watch(`earlier ${index}`, 60_000 + 50 * index);
  await vi.advanceTimersByTimeAsync(120_000);
  polls.length = 0;
  bus.leases.length = 0;
  const startedAt = Date.now();
  const pollsOf = (id: string) => polls.filter((poll) => poll.id === id).map(({ at }) => at - startedAt);
  return { bus, watch, pollsOf };
}

describe('a watch', () => {
  it('polls when the last hundred documents became final, and holds the lease until then', async () => {
    const { bus, watch, pollsOf } = await afterManyDocuments(200);
    const listener = watch('new', 65_000);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(pollsOf('new'), 'no poll at the minimum interval').toEqual([0]);
    expect(Math.max(...bus.leases)).toBeGreaterThanOrEqual(1.1 * 20_000);
    expect(bus.leases).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(105_000);
    expect(listener.received).toEqual(['PACKED', 'DELIVERED', 'done']);
    const at = pollsOf('new');
    expect(at[1]).toBeGreaterThan(20_000);
    expect((at.at(-1) ?? 0) - 65_000, 'seen soon').toBeLessThan(5_000);
    for (const [index, time] of at.slice(1).entries()) {
      expect(time - (at[index] ?? 0)).toBeGreaterThanOrEqual(1_800);
      expect(time - (at[index] ?? 0)).toBeLessThanOrEqual(33_000);
    }
  });

  it('waits longer after each failed poll, however soon the document should change', async () => {
    service.responses = [aParcel('PACKED'), failure('UPSTREAM_UNAVAILABLE')];
    service.watch();
    await vi.advanceTimersByTimeAsync(200_000);
    const gaps = service.gaps().slice(1, 6);
    expect(gaps).toEqual([...new Set(gaps)].sort((a, b) => a - b));
  });
});
