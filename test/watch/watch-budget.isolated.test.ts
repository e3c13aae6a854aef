/** Polls of all watches share one budget. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aBus, aListener, alice, aParcel, bob, ParcelService } from '../support/watched-parcels.ts';

let service: ParcelService;
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  service = new ParcelService();
});
afterEach(() => vi.useRealTimers());

describe('the poll budget', () => {
  it('keeps the turn of a waiting poll when another gateway publishes during this gateway’s lease', async () => {
    const bus = aBus();
    bus.holder = 'mine';
    const watches = service.startWatches({ bus, pollBudgetPerSecond: 1 });
    watches.subscribe(bob, '2', aListener());
    watches.subscribe(alice, '1', aListener());
    await vi.advanceTimersByTimeAsync(100);
    expect(service.polls.map(({ id }) => id)).toEqual(['2']);
    bus.deliver({ status: aParcel('PACKED') }, 45_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(service.polls.map(({ id }) => id)).toEqual(['2', '1']);
  });

  it('bounds the polls per second of the process', async () => {
    const watches = service.startWatches({ pollBudgetPerSecond: 10 });
    for (let id = 0; id < 200; id += 1) watches.subscribe(alice, String(id), aListener());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(service.polls.length).toBeGreaterThan(80);
    expect(service.polls.length).toBeLessThanOrEqual(112);
  });

  it('serves lanes in turn, so that a caller with many watches does not delay others', async () => {
    const watches = service.startWatches({ pollBudgetPerSecond: 10 });
    for (let id = 0; id < 200; id += 1) watches.subscribe(alice, String(id), aListener());
    watches.subscribe(bob, '1', aListener());
    await vi.advanceTimersByTimeAsync(500);
    expect(service.polls.some(({ caller }) => caller.lane === bob.lane)).toBe(true);
  });

  it('drops the polls of watches that have ended', async () => {
    const watches = service.startWatches({ pollBudgetPerSecond: 1 });
    const unsubscribe = [0, 1, 2, 3].map((id) => watches.subscribe(alice, String(id), aListener()));
    await vi.advanceTimersByTimeAsync(0);
    for (const stop of unsubscribe) stop();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(service.polls).toHaveLength(1);
  });
});
