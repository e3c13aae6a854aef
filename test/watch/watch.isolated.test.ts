/** One watch: what its subscribers receive, and when the service is polled. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  aListener,
  alice,
  aParcel,
  bob,
  failure,
  ParcelService,
  watchBound,
} from '../support/watched-parcels.ts';

let service: ParcelService;
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  service = new ParcelService();
});
afterEach(() => vi.useRealTimers());

describe('a watch', () => {
  it('sends the current status, then changes only, and ends after a final state', async () => {
    service.responses = [
      aParcel('PACKED'),
      aParcel('PACKED'),
      aParcel('SENT'),
      aParcel('SENT'),
      aParcel('DELIVERED'),
    ];
    const watches = service.startWatches();
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(0);
    expect(listener.received).toEqual(['PACKED']);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(listener.received).toEqual(['PACKED', 'SENT', 'DELIVERED', 'done']);
    expect(service.polls).toHaveLength(5);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('polls once for a thousand subscribers of one lane', async () => {
    const watches = service.startWatches();
    const listeners = Array.from({ length: 1_000 }, aListener);
    for (const listener of listeners) watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(60_000);
    const alone = service.polls.length;
    expect(alone).toBeLessThan(12);
    expect(new Set(listeners.map(({ received }) => received.join()))).toEqual(new Set(['PACKED']));
  });

  it('polls separately for each lane, with the credentials of that lane', async () => {
    const watches = service.startWatches();
    watches.subscribe(alice, '1', aListener());
    watches.subscribe(bob, '1', aListener());
    await vi.advanceTimersByTimeAsync(0);
    expect(service.polls.map(({ caller }) => caller.credentials.apiKey)).toEqual(['alice', 'bob']);
  });

  it('sends the last status to a later subscriber without a poll', async () => {
    const watches = service.startWatches();
    watches.subscribe(alice, '1', aListener());
    await vi.advanceTimersByTimeAsync(0);
    const late = aListener();
    watches.subscribe(alice, '1', late);
    expect(late.received).toEqual(['PACKED']);
    expect(service.polls).toHaveLength(1);
  });

  it('keeps polling until the last of two subscribers unsubscribes, then leaves no timer', async () => {
    const watches = service.startWatches();
    const unsubscribe = [
      watches.subscribe(alice, '1', aListener()),
      watches.subscribe(alice, '1', aListener()),
    ];
    await vi.advanceTimersByTimeAsync(0);
    unsubscribe[0]?.();
    expect(vi.getTimerCount()).toBe(1);
    unsubscribe[1]?.();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(service.polls).toHaveLength(1);
  });

  it('polls less often while nothing changes, up to the maximum interval, and often again after a change', async () => {
    const watches = service.startWatches();
    watches.subscribe(alice, '1', aListener());
    await vi.advanceTimersByTimeAsync(600_000);
    const gaps = service.polls.slice(1).map(({ at }, index) => at - (service.polls[index]?.at ?? 0));
    expect(gaps[0], 'the second poll, within a second').toBeLessThanOrEqual(1_000);
    expect(gaps[1]).toBeGreaterThanOrEqual(2_700);
    expect(gaps[1]).toBeLessThanOrEqual(3_300);
    expect(gaps.at(-1)).toBeGreaterThanOrEqual(27_000);
    expect(gaps.at(-1)).toBeLessThanOrEqual(33_000);
    service.responses = [aParcel('SENT')];
    const silent = service.polls.length;
    await vi.advanceTimersByTimeAsync(36_000);
    // The next poll finds the change; the one after it comes at the shortest interval.
    expect((service.polls[silent + 1]?.at ?? 0) - (service.polls[silent]?.at ?? 0)).toBeLessThanOrEqual(
      2_200,
    );
  });

  it('sends a change that a query of the same lane received', async () => {
    const watches = service.startWatches();
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(0);
    watches.observed(bob.lane, aParcel('RETURNED'));
    watches.observed(alice.lane, aParcel('SENT'));
    watches.observed(alice.lane, aParcel('DELIVERED'));
    expect(listener.received).toEqual(['PACKED', 'SENT', 'DELIVERED', 'done']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects a subscription of a caller with the maximum number of watches', () => {
    const watches = service.startWatches({ bound: watchBound(1) });
    watches.subscribe(alice, '1', aListener());
    watches.subscribe(alice, '1', aListener());
    expect(() => watches.subscribe(alice, '2', aListener())).toThrow(
      expect.objectContaining({ code: 'RATE_LIMITED', bound: 'watches-owner' }),
    );
    watches.subscribe(bob, '2', aListener());
  });
});

describe('a service in trouble', () => {
  it('makes a status delayed once, after two failed polls in a row, until the next successful poll', async () => {
    const down = failure('UPSTREAM_UNAVAILABLE');
    service.responses = [aParcel('PACKED'), down, aParcel('PACKED'), down, down, down, aParcel('PACKED')];
    const watches = service.startWatches();
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(listener.received).toEqual(['PACKED', 'PACKED delayed', 'PACKED']);
  });

  it('has a problem, and no delay, after two responses in a row that cannot be read', async () => {
    const unreadable = failure('UPSTREAM_BAD_RESPONSE');
    service.responses = [aParcel('PACKED'), unreadable, unreadable, unreadable, aParcel('PACKED')];
    const watches = service.startWatches();
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(listener.received).toEqual(['PACKED', 'PACKED UPSTREAM_BAD_RESPONSE', 'PACKED']);
  });

  it('is UNKNOWN without a delay after the first response that cannot be read if it has no status yet', async () => {
    const unreadable = failure('UPSTREAM_BAD_RESPONSE');
    service.responses = [unreadable, unreadable, aParcel('SENT')];
    const watches = service.startWatches();
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(listener.received).toEqual(['UNKNOWN', 'UNKNOWN UPSTREAM_BAD_RESPONSE', 'SENT']);
  });

  it('is delayed without a problem once the service that could not be read stops responding', async () => {
    const unreadable = failure('UPSTREAM_BAD_RESPONSE');
    const silence = failure('UPSTREAM_TIMEOUT');
    service.responses = [aParcel('PACKED'), unreadable, unreadable, silence, silence, unreadable, silence];
    const watches = service.startWatches();
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(90_000);
    expect(listener.received.slice(0, 4)).toEqual([
      'PACKED',
      'PACKED UPSTREAM_BAD_RESPONSE',
      'PACKED delayed',
      'PACKED',
    ]);
  });

  it('makes a document UNKNOWN and delayed after the first failed poll if it has no status yet', async () => {
    service.responses = [failure('UPSTREAM_TIMEOUT'), aParcel('SENT')];
    const watches = service.startWatches();
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(listener.received).toEqual(['UNKNOWN delayed', 'SENT']);
  });

  it('is not polled before its Retry-After has passed', async () => {
    service.responses = [aParcel('PACKED'), failure('RATE_LIMITED', 60_000), aParcel('PACKED')];
    const watches = service.startWatches();
    watches.subscribe(alice, '1', aListener());
    await vi.advanceTimersByTimeAsync(50_000);
    expect(service.polls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(service.polls.length).toBeGreaterThan(2);
  });

  it.each(['UNAUTHENTICATED', 'FORBIDDEN', 'BAD_USER_INPUT'] as const)(
    'ends the watch of all subscribers with %s',
    async (code) => {
      service.responses = [aParcel('PACKED'), failure(code)];
      const watches = service.startWatches();
      const listeners = [aListener(), aListener()];
      for (const listener of listeners) watches.subscribe(alice, '1', listener);
      await vi.advanceTimersByTimeAsync(60_000);
      for (const { received } of listeners) expect(received).toEqual(['PACKED', `error ${code}`]);
      expect(service.polls).toHaveLength(2);
      expect(vi.getTimerCount()).toBe(0);
    },
  );
});

describe('an unknown document', () => {
  it('is polled at the minimum interval for 15 seconds, then its watch ends with NOT_FOUND', async () => {
    service.responses = [failure('NOT_FOUND')];
    const watches = service.startWatches();
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(14_000);
    expect(listener.received).toEqual([]);
    expect(service.polls.length).toBeGreaterThanOrEqual(6);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(listener.received).toEqual(['error NOT_FOUND']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is delayed, and its watch does not end, if the service knew it before', async () => {
    service.responses = [aParcel('PACKED'), failure('NOT_FOUND')];
    const watches = service.startWatches();
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(listener.received).toEqual(['PACKED', 'PACKED delayed']);
  });
});
