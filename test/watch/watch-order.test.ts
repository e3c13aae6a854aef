/** A subscriber never receives an older status after a newer one. */

import { describe, expect, it, vi } from 'vitest';
import { fc } from '../support/fast-check.ts';
import {
  aBus,
  alice,
  aParcel,
  failure,
  parcelService,
  parcels,
  subscribed,
} from '../support/watched-parcels.ts';

const service = parcelService();

describe('the order of states', () => {
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  it('does not make a status delayed when a failed poll began before a successful query', async () => {
    const { watches, received } = service.watch({
      poll: async () => {
        await wait(1_000);
        throw failure('UPSTREAM_TIMEOUT');
      },
    });
    await vi.advanceTimersByTimeAsync(500);
    watches.observed(parcels, alice.lane, aParcel('PACKED', { askedAt: performance.now() }));
    await vi.advanceTimersByTimeAsync(600);
    expect(received).toEqual(['PACKED']);
  });

  it('keeps the time of the latest report when an earlier one of the same state comes after it', async () => {
    const { watches } = service.watch();
    await vi.advanceTimersByTimeAsync(1_000);
    const reported = (reportedAt: number) =>
      watches.observed(
        parcels,
        alice.lane,
        aParcel('PACKED', { reportedAt, askedAt: reportedAt, respondedAt: reportedAt }),
      );
    reported(performance.now());
    reported(performance.now() - 500);
    const times: (number | undefined)[] = [];
    watches.subscribe(parcels, alice, '1', {
      next: ({ reportedAt }) => void times.push(reportedAt),
      done() {},
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(times).toEqual([performance.now()]);
  });

  it('is kept when a gateway is paused after a poll and before it publishes the status', async () => {
    const [pausedBus, bus] = [aBus(), aBus()];
    const { received } = service.watch({ bus });
    pausedBus.holder = 'mine';
    service.startWatches({ bus: pausedBus }).subscribe(parcels, alice, '1', {
      next() {
        vi.advanceTimersByTime(5_000);
        bus.deliver({ status: aParcel('SENT') });
        vi.advanceTimersByTime(1_000);
      },
      done() {},
    });
    await vi.advanceTimersByTimeAsync(0);
    for (const message of pausedBus.published) bus.relay(message);
    bus.deliver({ status: aParcel('DELIVERED') });
    expect(pausedBus.published).toMatchObject([{ payload: { status: { state: 'PACKED' } } }]);
    expect(received).toEqual(['SENT', 'DELIVERED', 'done']);
  });

  it('is published with the times of the latest call, also when an earlier one of the same state ends its delay', async () => {
    const bus = aBus();
    bus.holder = 'mine';
    service.responses = [aParcel('PACKED'), failure('UPSTREAM_UNAVAILABLE')];
    const { watches, received } = service.watch({ bus });
    await vi.advanceTimersByTimeAsync(500);
    watches.observed(parcels, alice.lane, aParcel('PACKED', { askedAt: 200, respondedAt: 400 }));
    await vi.advanceTimersByTimeAsync(5_000);
    watches.observed(parcels, alice.lane, aParcel('PACKED', { askedAt: 100, respondedAt: 300 }));
    expect(received).toEqual(['PACKED', 'PACKED delayed', 'PACKED']);
    await vi.advanceTimersByTimeAsync(30_000);
    const { payload, sentAt = 0 } = bus.published.at(-1) ?? {};
    expect(payload).toMatchObject({ askedMsAgo: sentAt - 200, answeredMsAgo: sentAt - 400 });
  });

  it.each([
    ['before its first status', [], ['error FORBIDDEN']],
    ['after an older status', [2_000], ['PACKED', 'error FORBIDDEN']],
    ['but not after a newer status', [0], ['PACKED']],
  ])('includes an error of another gateway, which ends the watch %s', (_when, answeredMsAgo, expected) => {
    const bus = aBus();
    const { received } = service.watch({ bus });
    for (const ms of answeredMsAgo)
      bus.deliver({ status: aParcel('PACKED'), askedMsAgo: ms, answeredMsAgo: ms });
    const error = { code: 'FORBIDDEN', message: 'No.', retryable: false, sideEffect: 'NONE' };
    bus.deliver({ error }, 3_000, 1_000);
    expect(received).toEqual(expected);
  });

  it('drops a query that began before a poll of another gateway had returned, and no later one', async () => {
    const bus = aBus();
    const { watches, received } = service.watch({ bus });
    bus.deliver({ status: aParcel('PACKED'), askedMsAgo: 300, answeredMsAgo: 100 });
    watches.observed(parcels, alice.lane, aParcel('RETURNED', { askedAt: performance.now() - 101 }));
    watches.observed(parcels, alice.lane, aParcel('SENT', { askedAt: performance.now() - 100 }));
    expect(received).toEqual(['PACKED', 'SENT']);
  });

  it('is decided within a second when a poll returns another state than a message that comes during it', async () => {
    const bus = aBus();
    bus.holder = 'mine';
    const poll = async () => {
      await wait(100);
      return aParcel('SENT');
    };
    const { received } = service.watch({ bus, poll });
    await vi.advanceTimersByTimeAsync(50);
    // The last one of a gateway that has stopped.
    bus.deliver({ status: aParcel('PACKED') }, 3_000, 1_000);
    await vi.advanceTimersByTimeAsync(1_250);
    expect(received).toEqual(['PACKED', 'SENT']);
  });

  it('of messages during a poll longer than its lease causes no second poll', async () => {
    const bus = aBus();
    bus.holder = 'mine';
    let polls = 0;
    const poll = async () => {
      polls += 1;
      await wait(60_000);
      return aParcel('DELIVERED');
    };
    const { received } = service.watch({ bus, poll });
    for (const state of ['PACKED', 'SENT'] as const) {
      await vi.advanceTimersByTimeAsync(20_000);
      bus.deliver({ status: aParcel(state) });
    }
    await vi.advanceTimersByTimeAsync(19_000);
    expect(received).toEqual(['PACKED', 'SENT']);
    expect(polls).toBe(1);
  });

  it('is the same for the subscribers of another gateway when a query brings the final one', async () => {
    const [here, there] = [aBus(), aBus()];
    here.holder = 'mine';
    const { watches, received } = service.watch({ bus: here });
    const others = service.watch({ bus: there });
    await vi.advanceTimersByTimeAsync(500);
    watches.observed(parcels, alice.lane, aParcel('DELIVERED'));
    for (const message of here.published) there.relay(message);
    expect(others.received).toEqual(['PACKED', 'DELIVERED', 'done']);
    expect(received).toEqual(others.received);
  });

  it('is kept as long as the lease for later subscribers when a query at another gateway brings the next one', async () => {
    const bus = aBus();
    bus.holder = 'mine';
    const { received } = service.watch({ bus, pollMinMs: 20_000 });
    await vi.advanceTimersByTimeAsync(100);
    const [own] = bus.published;
    bus.deliver({ status: aParcel('SENT') }, 3_000);
    bus.deliver({ status: aParcel('SENT') }, 3_000);
    expect(received).toEqual(['PACKED', 'SENT']);
    expect(bus.published).toHaveLength(2);
    expect(bus.published[1]).toMatchObject({
      ...{ payload: { status: { state: 'SENT' } }, leaseMs: own?.leaseMs, isKept: true },
    });
  });

  it('is kept for later subscribers by the gateway that polls, and not for the shorter lease of one where a query brings it', async () => {
    const bus = aBus();
    const { watches, received } = service.watch({ bus });
    watches.observed(parcels, alice.lane, aParcel('PACKED'));
    expect(received).toEqual(['PACKED']);
    expect(bus.published).toMatchObject([{ payload: { status: { state: 'PACKED' } }, isKept: false }]);
  });

  it('is never reversed, however polls, queries and messages overlap', async () => {
    const call = fc.record({
      at: fc.nat(40_000),
      reachesMs: fc.nat(4_000),
      returnsMs: fc.nat(4_000),
      kind: fc.constantFrom('query', 'message'),
      /** How long a message waits before it is delivered. */
      waitsMs: fc.nat(9_000),
    });
    const poll = fc.record({ reachesMs: fc.nat(4_000), returnsMs: fc.nat(4_000), fails: fc.boolean() });
    const calls = fc.array(call, { minLength: 1, maxLength: 30, size: 'max' });
    const polls = fc.array(poll, { minLength: 1, maxLength: 20, size: 'max' });
    await fc.assert(
      fc.asyncProperty(calls, polls, async (calls, polls) => {
        const bus = aBus();
        bus.holder = 'mine';
        let polled = 0;
        /** The service's state is the time at which a call reaches it. */
        const ask = async ({ reachesMs, returnsMs }: { reachesMs: number; returnsMs: number }) => {
          const askedAt = performance.now();
          await wait(reachesMs);
          const status = aParcel('PACKED', { note: String(performance.now()) });
          await wait(returnsMs);
          return { status, askedAt, respondedAt: performance.now() };
        };
        const watches = service.startWatches({
          bus,
          poll: async () => {
            const next = polls[polled++ % polls.length] as (typeof polls)[number];
            const { status, ...times } = await ask(next);
            if (next.fails) throw failure('UPSTREAM_TIMEOUT');
            return { ...status, ...times };
          },
        });
        const received: number[] = [];
        const stop = subscribed(watches, '1', {
          next: ({ note }) => void received.push(Number(note)),
          done: () => {},
        });
        for (const { at, kind, waitsMs, ...call } of calls) {
          setTimeout(async () => {
            const { status, askedAt, respondedAt } = await ask(call);
            if (kind === 'query')
              return void watches.observed(parcels, alice.lane, { ...status, askedAt, respondedAt });
            const askedMsAgo = performance.now() - askedAt;
            await wait(waitsMs);
            bus.deliver({ status, askedMsAgo, answeredMsAgo: 0 }, 3_000, waitsMs);
          }, at);
        }
        await vi.advanceTimersByTimeAsync(60_000);
        stop();
        await vi.advanceTimersByTimeAsync(60_000);
        expect(received).toEqual(received.toSorted((a, b) => a - b));
        expect(received.length).toBeGreaterThan(0);
      }),
      { seed: 12_03, numRuns: 80 },
    );
  });
});
