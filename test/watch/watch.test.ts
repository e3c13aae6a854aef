/** One watch: what its subscribers receive, and when the service is polled. */
import type { Histogram } from 'prom-client';
import { describe, expect, it, vi } from 'vitest';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { noSpan } from '../../src/telemetry/tracing.ts';
import { WatchSubscription } from '../../src/watch/watch-subscription.ts';
import {
  aBus,
  aListener,
  alice,
  aParcel,
  bob,
  failure,
  type Parcel,
  parcelService,
  parcels,
  subscribed,
} from '../support/watched-parcels.ts';

const service = parcelService();

describe('a watch', () => {
  it('sends the current status, then changes only, and ends after a final state', async () => {
    const states = ['PACKED', 'PACKED', 'SENT', 'SENT', 'DELIVERED'] as const;
    service.responses = states.map((state) => aParcel(state));
    const { received } = service.watch();
    await vi.advanceTimersByTimeAsync(0);
    expect(received).toEqual(['PACKED']);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(received).toEqual(['PACKED', 'SENT', 'DELIVERED', 'done']);
    expect(service.polls).toHaveLength(5);
    expect(service.timers).toBe(0);
  });

  it('stops with its only subscription, which ends after an hour without a final state', async () => {
    service.responses = [aParcel('PACKED')];
    const watches = service.startWatches();
    const subscription = new WatchSubscription(['1'], {
      caller: alice,
      watchable: parcels,
      watches,
    });
    await vi.advanceTimersByTimeAsync(3_599_999);
    expect([subscription.hasEnded, watches.size]).toEqual([false, 1]);
    await vi.advanceTimersByTimeAsync(1);
    expect([subscription.hasEnded, watches.size, service.timers]).toEqual([true, 0, 0]);
  });

  it('polls separately for each lane, with the credentials of that lane', async () => {
    const { watches } = service.watch();
    watches.subscribe(parcels, bob, '1', aListener());
    await vi.advanceTimersByTimeAsync(0);
    expect(service.polls.map(({ caller }) => caller.credentials.apiKey)).toEqual(['alice', 'bob']);
  });

  it.each([
    ['a status', aParcel('PACKED')],
    ['a failed poll', failure('UPSTREAM_TIMEOUT')],
  ])('ends with its only listener, which unsubscribes while it receives %s', async (_what, response) => {
    service.responses = [response];
    const { watches } = service.watch();
    await vi.advanceTimersByTimeAsync(0);
    const next = vi.fn(() => stop());
    const stop = subscribed(watches, '2', { next, done: () => {} });
    await vi.advanceTimersByTimeAsync(0);
    const polls = service.polls.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(next).toHaveBeenCalledOnce();
    expect(service.polls.slice(polls).filter(({ id }) => id === '2')).toEqual([]);
  });

  it('keeps polling until the last of two subscribers unsubscribes, then leaves no timer', async () => {
    const { watches, stop } = service.watch();
    const stopSecond = subscribed(watches, '1', aListener());
    await vi.advanceTimersByTimeAsync(0);
    stop();
    expect(service.timers).toBe(1);
    stopSecond();
    expect(service.timers).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(service.polls).toHaveLength(1);
  });

  it('polls less often while nothing changes, up to the maximum interval, and often again after a change', async () => {
    service.watch();
    await vi.advanceTimersByTimeAsync(600_000);
    const [first, second] = service.gaps();
    expect(first, 'the second poll, within a second').toBeLessThanOrEqual(1_000);
    expect(second).toBeGreaterThanOrEqual(2_700);
    expect(second).toBeLessThanOrEqual(3_300);
    expect(service.gaps().at(-1)).toBeGreaterThanOrEqual(27_000);
    expect(service.gaps().at(-1)).toBeLessThanOrEqual(33_000);
    service.responses = [aParcel('SENT')];
    const silent = service.polls.length;
    await vi.advanceTimersByTimeAsync(36_000);
    // The next poll finds the change; the one after it comes at the shortest interval.
    expect(service.gaps()[silent]).toBeGreaterThanOrEqual(1_800);
    expect(service.gaps()[silent]).toBeLessThanOrEqual(2_200);
  });

  it('polls for the second time after the shortest interval, if that is below 900 ms', async () => {
    service.watch({ pollMinMs: 500 });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(service.gaps()[0]).toBeLessThanOrEqual(550);
  });

  it('links the span of a poll to at most 32 subscriptions', async () => {
    const start = vi.fn(() => noSpan);
    const { watches } = service.watch({ tracing: { start } });
    const span = { ...noSpan, traceId: 'traced' };
    for (let each = 0; each < 40; each += 1) watches.subscribe(parcels, alice, '1', { ...aListener(), span });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(start).toHaveBeenLastCalledWith('poll', expect.objectContaining({ links: Array(32).fill(span) }));
  });

  it('sends a change that a query of the same lane received', async () => {
    const { watches, received } = service.watch();
    await vi.advanceTimersByTimeAsync(0);
    watches.observed(parcels, bob.lane, aParcel('RETURNED'));
    watches.observed(parcels, alice.lane, aParcel('SENT'));
    watches.observed(parcels, alice.lane, aParcel('DELIVERED'));
    expect(received).toEqual(['PACKED', 'SENT', 'DELIVERED', 'done']);
    expect(service.timers).toBe(0);
  });
});

describe('a service in trouble', () => {
  const down = failure('UPSTREAM_UNAVAILABLE');
  const silence = failure('UPSTREAM_TIMEOUT');
  const unreadable = failure('UPSTREAM_BAD_RESPONSE');
  const [packed, sent] = [aParcel('PACKED'), aParcel('SENT')];

  it.each([
    [
      'makes a status delayed once, after two failed polls in a row, until the next successful poll',
      [packed, down, packed, down, down, down, packed],
      ['PACKED', 'PACKED delayed', 'PACKED'],
    ],
    [
      'has a problem, and no delay, after two responses in a row that cannot be read',
      [packed, unreadable, unreadable, unreadable, packed],
      ['PACKED', 'PACKED UPSTREAM_BAD_RESPONSE', 'PACKED'],
    ],
    [
      'is UNKNOWN without a delay after the first response that cannot be read if it has no status yet',
      [unreadable, unreadable, sent],
      ['UNKNOWN', 'UNKNOWN UPSTREAM_BAD_RESPONSE', 'SENT'],
    ],
    [
      'is delayed without a problem once the service that could not be read stops responding',
      [packed, unreadable, unreadable, silence, silence, sent],
      ['PACKED', 'PACKED UPSTREAM_BAD_RESPONSE', 'PACKED delayed', 'SENT'],
    ],
    [
      'that fails in another way each time is never shown as one that reports the status',
      [packed, down, unreadable, down, unreadable, packed, down, packed],
      ['PACKED', 'PACKED UPSTREAM_BAD_RESPONSE', 'PACKED delayed', 'PACKED UPSTREAM_BAD_RESPONSE', 'PACKED'],
    ],
    [
      'does not count as one that does not know the document while it does not respond',
      [silence, silence, silence, silence, silence, failure('NOT_FOUND'), failure('NOT_FOUND'), packed],
      ['UNKNOWN delayed', 'PACKED'],
    ],
    [
      'makes a document UNKNOWN and delayed after the first failed poll if it has no status yet',
      [silence, sent],
      ['UNKNOWN delayed', 'SENT'],
    ],
    [
      'has a problem, and no delay, after two responses in a row that it does not know a document which it knew before',
      [packed, failure('NOT_FOUND'), failure('NOT_FOUND'), packed],
      ['PACKED', 'PACKED NOT_FOUND', 'PACKED'],
    ],
  ])('%s', async (_claim, responses, expected) => {
    service.responses = responses;
    const { received } = service.watch();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(received).toEqual(expected);
  });

  it.each([
    ['its Retry-After', 60_000, 60_000, 90_000],
    ['five minutes of a longer Retry-After', 3_600_000, 299_000, 336_000],
  ])('is polled after %s has passed, and not before', async (_what, retryAfterMs, silentMs, untilMs) => {
    service.responses = [packed, failure('RATE_LIMITED', retryAfterMs), packed];
    service.watch({ random: () => 0 });
    await vi.advanceTimersByTimeAsync(silentMs);
    expect(service.polls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(untilMs - silentMs);
    expect(service.polls.length).toBeGreaterThan(2);
  });

  it.each(['UNAUTHENTICATED', 'FORBIDDEN', 'BAD_USER_INPUT'] as const)(
    'ends the watch of all subscribers with %s, and not of those who subscribe later',
    async (code) => {
      const bus = aBus();
      bus.holder = 'mine';
      service.responses = [packed, failure(code)];
      const { watches, received } = service.watch({ bus });
      const other = aListener();
      watches.subscribe(parcels, alice, '1', other);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(received).toEqual(['PACKED', `error ${code}`]);
      expect(other.received).toEqual(received);
      expect(bus.published.map(({ isKept }) => isKept)).toEqual([true, false]);
      expect(service.polls).toHaveLength(2);
      expect(service.timers).toBe(0);
    },
  );
});

it('an unknown document is polled at the minimum interval for 15 seconds, then its watch ends with NOT_FOUND', async () => {
  service.responses = [failure('NOT_FOUND')];
  const { received } = service.watch();
  await vi.advanceTimersByTimeAsync(14_000);
  expect(received).toEqual([]);
  expect(service.polls.length).toBeGreaterThanOrEqual(6);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(received).toEqual(['error NOT_FOUND']);
  expect(service.timers).toBe(0);
});

describe('the polls of all watches', () => {
  it('keep their turn when another gateway publishes during this gateway’s lease', async () => {
    const bus = aBus();
    bus.holder = 'mine';
    const watches = service.startWatches({ bus, budgetPerSecond: 1 });
    watches.subscribe(parcels, bob, '2', aListener());
    watches.subscribe(parcels, alice, '1', aListener());
    await vi.advanceTimersByTimeAsync(100);
    expect(service.polls.map(({ id }) => id)).toEqual(['2']);
    bus.deliver({ status: aParcel('PACKED') }, 45_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(service.polls.map(({ id }) => id)).toEqual(['2', '1']);
  });

  it('are dropped when their watches end', async () => {
    const watches = service.startWatches({ budgetPerSecond: 1 });
    const stops = [0, 1, 2, 3].map((id) => subscribed(watches, String(id), aListener()));
    await vi.advanceTimersByTimeAsync(0);
    for (const stop of stops) stop();
    expect(service.timers).toBe(0);
    // One that ends before it gets the lease.
    service.watch().stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(service.polls).toHaveLength(1);
  });
});

describe('the metrics', () => {
  async function sumOf(histogram: Histogram): Promise<number | undefined> {
    const { values } = await histogram.get();
    return values.find(({ metricName }) => metricName?.endsWith('_sum'))?.value;
  }

  it('have the detection delay of a change: the seconds since the previous poll', async () => {
    const metrics = createMetrics('test');
    service.responses = [aParcel('PACKED'), aParcel('DELIVERED')];
    await vi.advanceTimersByTimeAsync(1_000);
    service.watch({ metrics });
    await vi.advanceTimersByTimeAsync(10_000);
    const [gap = 0] = service.gaps();
    expect(await sumOf(metrics.detectionSeconds)).toBeCloseTo(gap / 1_000, 2);
  });

  it('have the lag of a poll: the seconds that it waited for the budget, and 0 without a wait', async () => {
    const metrics = createMetrics('test');
    const { stop } = service.watch({ metrics, pollMaxMs: 2_000 });
    await vi.advanceTimersByTimeAsync(10_000);
    stop();
    expect(service.polls.length).toBeGreaterThan(3);
    expect(await sumOf(metrics.pollLagSeconds)).toBe(0);
    const { watches } = service.watch({ metrics, budgetPerSecond: 1 });
    watches.subscribe(parcels, alice, '2', aListener());
    await vi.advanceTimersByTimeAsync(1_100);
    expect(service.polls.at(-1)?.id).toBe('2');
    expect(await sumOf(metrics.pollLagSeconds)).toBeCloseTo(1, 1);
  });
});

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

describe('a watch of a gateway that has seen how long others take', () => {
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

/** A watch that several gateways share. */
describe('a gateway of a fleet', () => {
  it('does not poll while another gateway holds the lease, and passes its messages on', async () => {
    const bus = aBus();
    const { received } = service.watch({ bus });
    for (const state of ['PACKED', 'SENT', 'DELIVERED'] as const) {
      bus.deliver({ status: aParcel(state) });
      await vi.advanceTimersByTimeAsync(2_000);
    }
    expect(received).toEqual(['PACKED', 'SENT', 'DELIVERED', 'done']);
    expect(service.polls).toEqual([]);
    expect(bus.leases, 'each message postpones the next request for the lease').toHaveLength(1);
    expect(service.timers).toBe(0);
  });

  it('polls by itself while no lease can be requested', async () => {
    const bus = aBus();
    bus.holder = 'unreachable';
    const { received } = service.watch({ bus });
    await vi.advanceTimersByTimeAsync(0);
    expect(received).toEqual(['PACKED']);
  });

  it.each([20, 0])(
    'takes the lease over within two intervals after %i messages, with one poll at a time',
    async (messages) => {
      const bus = aBus();
      service.watch({ bus });
      await vi.advanceTimersByTimeAsync(0);
      // Messages during a lease request must not start a second polling loop.
      for (let count = 0; count < messages; count += 1) bus.deliver({ status: aParcel('PACKED') });
      bus.holder = 'mine';
      await vi.advanceTimersByTimeAsync(4_000);
      expect(service.polls).not.toEqual([]);
      service.polls.length = 0;
      await vi.advanceTimersByTimeAsync(2_200);
      expect(service.polls.length).toBeLessThanOrEqual(1);
      expect(service.timers).toBe(1);
    },
  );

  it('polls once when it is granted the lease for two requests at the same time', async () => {
    const bus = aBus();
    const grants: (() => void)[] = [];
    const lease = () => new Promise<'mine'>((resolve) => grants.push(() => resolve('mine')));
    const join: typeof bus.join = (...of) => ({ ...bus.join(...of), lease });
    const poll = vi.fn(() => new Promise<Parcel>(() => {}));
    service.watch({ bus: { ...bus, join }, poll });
    bus.deliver({ status: aParcel('PACKED') });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(grants).toHaveLength(2);
    for (const grant of grants) grant();
    await vi.advanceTimersByTimeAsync(0);
    expect(poll).toHaveBeenCalledOnce();
  });

  it('polls at its own intervals alone after a message that came while it requested the lease', async () => {
    const bus = aBus();
    const granted = Promise.withResolvers<'mine'>();
    const join: typeof bus.join = (...of) => ({ ...bus.join(...of), lease: () => granted.promise });
    service.watch({ bus: { ...bus, join } });
    bus.deliver({ status: aParcel('PACKED') });
    granted.resolve('mine');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(Math.min(...service.gaps())).toBeGreaterThanOrEqual(1_800);
  });

  it('counts failed polls since the last response that another gateway has got', async () => {
    const bus = aBus();
    bus.holder = 'mine';
    service.responses = [aParcel('PACKED'), failure('UPSTREAM_UNAVAILABLE')];
    const { received } = service.watch({ bus });
    const polled = async (count: number) => {
      while (service.polls.length < count) await vi.advanceTimersByTimeAsync(100);
    };
    await polled(3);
    bus.deliver({ status: aParcel('PACKED') });
    expect(received).toEqual(['PACKED', 'PACKED delayed', 'PACKED']);
    await polled(4);
    expect(received).toHaveLength(3);
    await polled(5);
    expect(received.at(-1)).toBe('PACKED delayed');
  });

  it('requests a lease that was released, also when the last message of its holder comes after that', async () => {
    const bus = aBus();
    service.watch({ bus });
    await vi.advanceTimersByTimeAsync(1_000);
    bus.holder = 'mine';
    bus.relay({ payload: undefined, leaseMs: 0, sentAt: performance.now() });
    bus.deliver({ status: aParcel('PACKED') }, 45_000, 500);
    await vi.advanceTimersByTimeAsync(1);
    expect(service.polls).toHaveLength(1);
  });

  it('requests the lease once for each poll while the interval grows', async () => {
    const bus = aBus();
    bus.holder = 'mine';
    service.watch({ bus });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(service.polls.length).toBeGreaterThan(4);
    expect(bus.leases).toHaveLength(service.polls.length);
  });

  it('keeps the lease while its poll takes longer than a lease, but not while it waits for a slot', async () => {
    const bus = aBus();
    bus.holder = 'mine';
    const { promise, resolve } = Promise.withResolvers<Parcel>();
    let start = () => {};
    const poll = (_caller: unknown, _id: string, onStart: () => void) => {
      start = onStart;
      return promise;
    };
    service.watch({ bus, poll });
    await vi.advanceTimersByTimeAsync(9_000);
    expect(bus.leases, 'none while it waits for a slot').toEqual([3_000]);
    start();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(bus.leases, 'each 2 seconds').toEqual(Array(5).fill(3_000));
    resolve(aParcel('DELIVERED'));
    await vi.advanceTimersByTimeAsync(0);
    expect(service.timers).toBe(0);
  });

  it('requests no lease for a poll that starts when the watch has ended', async () => {
    const bus = aBus();
    let start = () => {};
    bus.holder = 'mine';
    const { stop } = service.watch({
      bus,
      poll: async (_caller, _id, onStart) => {
        start = onStart;
        return await new Promise<Parcel>(() => {});
      },
    });
    await vi.advanceTimersByTimeAsync(0);
    stop();
    start();
    expect(service.timers).toBe(0);
  });

  it('keeps the lease until the Retry-After that the service sent has passed', async () => {
    const bus = aBus();
    bus.holder = 'mine';
    service.responses = [aParcel('PACKED'), failure('RATE_LIMITED', 60_000)];
    service.watch({ bus });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(bus.published.at(-1)?.leaseMs).toBeGreaterThan(90_000);
    expect(bus.leases.at(-1)).toBeGreaterThan(90_000);
  });
});

describe('a message that another gateway published', () => {
  const status = aParcel('SENT');
  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'SENT'],
    ['an empty object', {}],
    ['a status that its kind cannot read', { status: 'SENT' }],
    ['the status of another document', { status: { ...status, id: '2' } }],
    ['an age that is not a number', { status, askedMsAgo: 'old' }],
    ['a negative age', { status, answeredMsAgo: -1 }],
    ['an error that is not an object', { error: 'gone' }],
    ['an error with an unknown code', { error: { code: 'GONE', message: 'm', retryable: false } }],
    ['an error without a message', { error: { code: 'FORBIDDEN', retryable: false } }],
  ])('is ignored if its payload is %s, and a later one is used', async (_what, payload) => {
    const bus = aBus();
    const { received } = service.watch({ bus });
    bus.deliver(payload);
    expect(received).toEqual([]);
    bus.deliver({ status: { ...status, note: 'by air' } });
    expect(received).toEqual(['SENT']);
    bus.deliver({ error: { code: 'FORBIDDEN', message: 'm', retryable: false } });
    expect(received).toEqual(['SENT', 'error FORBIDDEN']);
    await vi.advanceTimersByTimeAsync(0);
    expect(service.polls).toEqual([]);
  });
});
