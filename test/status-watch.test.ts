import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../src/caller.ts';
import { createLaneMaker } from '../src/caller.ts';
import { GatewayError } from '../src/errors.ts';
import type { MalaysiaStatus } from '../src/malaysia/malaysia.api.ts';
import type { MalaysiaState } from '../src/malaysia/status-response.ts';
import { createStatusWatches, type StatusWatchOptions } from '../src/malaysia/status-watch.ts';
import { createAcceptedLanes } from '../src/state/accepted-lanes.ts';
import type { OnWatchMessage, WatchMessage } from '../src/state/status-bus.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { noTracing } from '../src/telemetry/tracing.ts';

const laneOf = createLaneMaker(undefined);
const alice = aCaller('alice');
const bob = aCaller('bob');

let answers: (MalaysiaStatus | Error)[];
let polls: { caller: Caller; documentId: string; at: number }[];

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  answers = [aStatus('QUEUED')];
  polls = [];
});
afterEach(() => vi.useRealTimers());

function aCaller(name: string): Caller {
  const credentials = { apiKey: name, authorization: undefined };
  return { credentials, lane: laneOf(credentials), requestId: name, signal: new AbortController().signal };
}

function aStatus(state: MalaysiaState, more: Partial<MalaysiaStatus> = {}): MalaysiaStatus {
  const rawState = state.toLowerCase();
  const observedAt = new Date();
  return {
    documentId: '1',
    state,
    rawState,
    message: null,
    govPortal: null,
    observedAt,
    isDelayed: false,
    ...more,
  };
}

const failure = (code: GatewayError['code'], retryAfterMs?: number) =>
  new GatewayError({ code, message: code, retryAfterMs });

/** Watches whose service gives the answers one by one; the last one stays. */
function startWatches(options: Partial<StatusWatchOptions> = {}) {
  return createStatusWatches({
    poll: async (caller, documentId) => {
      polls.push({ caller, documentId, at: Date.now() });
      const answer = answers.length > 1 ? (answers.shift() as MalaysiaStatus | Error) : answers[0];
      if (answer instanceof Error) throw answer;
      return { ...(answer as MalaysiaStatus), documentId };
    },
    pollMinMs: 2_000,
    pollMaxMs: 30_000,
    pollBudgetPerSecond: 200,
    watchMaxMs: 3_600_000,
    maxWatchesPerCaller: 10_000,
    acceptedLanes: createAcceptedLanes(),
    metrics: createMetrics('test'),
    tracing: noTracing,
    ...options,
  });
}

/** What one listener hears. */
function aListener() {
  const heard: string[] = [];
  return {
    heard,
    next: ({ state, isDelayed }: MalaysiaStatus) => void heard.push(isDelayed ? `${state} delayed` : state),
    done: (error?: GatewayError) => void heard.push(error ? `error ${error.code}` : 'done'),
  };
}

describe('a watch', () => {
  it('tells the state at once, then changes only, and is done after a final state', async () => {
    answers = [
      aStatus('QUEUED'),
      aStatus('QUEUED'),
      aStatus('SUBMITTED'),
      aStatus('SUBMITTED'),
      aStatus('VALIDATED'),
    ];
    const watches = startWatches();
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(0);
    expect(listener.heard).toEqual(['QUEUED']);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(listener.heard).toEqual(['QUEUED', 'SUBMITTED', 'VALIDATED', 'done']);
    expect(polls).toHaveLength(5);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is one for all who listen to a document in a lane', async () => {
    const watches = startWatches();
    const listeners = Array.from({ length: 1_000 }, aListener);
    for (const listener of listeners) watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(60_000);
    const alone = polls.length;
    expect(alone).toBeLessThan(12);
    expect(new Set(listeners.map(({ heard }) => heard.join()))).toEqual(new Set(['QUEUED']));
  });

  it('is another for another caller: no lane hears of a poll made with other credentials', async () => {
    const watches = startWatches();
    watches.subscribe(alice, '1', aListener());
    watches.subscribe(bob, '1', aListener());
    await vi.advanceTimersByTimeAsync(0);
    expect(polls.map(({ caller }) => caller.credentials.apiKey)).toEqual(['alice', 'bob']);
  });

  it('tells whoever joins later the last state without a poll', async () => {
    const watches = startWatches();
    watches.subscribe(alice, '1', aListener());
    await vi.advanceTimersByTimeAsync(0);
    const late = aListener();
    watches.subscribe(alice, '1', late);
    expect(late.heard).toEqual(['QUEUED']);
    expect(polls).toHaveLength(1);
  });

  it('ends when the last listener leaves, and leaves no timer behind', async () => {
    const watches = startWatches();
    const leave = [watches.subscribe(alice, '1', aListener()), watches.subscribe(alice, '1', aListener())];
    await vi.advanceTimersByTimeAsync(0);
    leave[0]?.();
    expect(vi.getTimerCount()).toBe(1);
    leave[1]?.();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(polls).toHaveLength(1);
  });

  it('asks less often with silence, up to the longest interval, and often again after a change', async () => {
    const watches = startWatches();
    watches.subscribe(alice, '1', aListener());
    await vi.advanceTimersByTimeAsync(600_000);
    const gaps = polls.slice(1).map(({ at }, index) => at - (polls[index]?.at ?? 0));
    expect(gaps[0]).toBeGreaterThanOrEqual(1_800);
    expect(gaps[0]).toBeLessThanOrEqual(2_200);
    expect(gaps.at(-1)).toBeGreaterThanOrEqual(27_000);
    expect(gaps.at(-1)).toBeLessThanOrEqual(33_000);
    answers = [aStatus('SUBMITTED')];
    const silent = polls.length;
    await vi.advanceTimersByTimeAsync(36_000);
    // The next poll finds the change; the one after it comes at the shortest interval.
    expect((polls[silent + 1]?.at ?? 0) - (polls[silent]?.at ?? 0)).toBeLessThanOrEqual(2_200);
  });

  it('hears of a change that somebody in its lane was told by other means', async () => {
    const watches = startWatches();
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(0);
    watches.observed(bob.lane, aStatus('REJECTED'));
    watches.observed(alice.lane, aStatus('SUBMITTED'));
    watches.observed(alice.lane, aStatus('VALIDATED'));
    expect(listener.heard).toEqual(['QUEUED', 'SUBMITTED', 'VALIDATED', 'done']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is refused to a caller who has too many', () => {
    const watches = startWatches({ maxWatchesPerCaller: 1 });
    watches.subscribe(alice, '1', aListener());
    watches.subscribe(alice, '1', aListener());
    expect(() => watches.subscribe(alice, '2', aListener())).toThrow(/already watches 1 documents/);
    watches.subscribe(bob, '2', aListener());
  });
});

describe('a service in trouble', () => {
  it('shows as delayed after two failed polls in a row, once, and as not delayed with the next good one', async () => {
    const down = failure('UPSTREAM_UNAVAILABLE');
    answers = [aStatus('QUEUED'), down, aStatus('QUEUED'), down, down, down, aStatus('QUEUED')];
    const watches = startWatches();
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(listener.heard).toEqual(['QUEUED', 'QUEUED delayed', 'QUEUED']);
  });

  it('shows as UNKNOWN and delayed after the first failed poll when no state was seen', async () => {
    answers = [failure('UPSTREAM_TIMEOUT'), aStatus('SUBMITTED')];
    const watches = startWatches();
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(listener.heard).toEqual(['UNKNOWN delayed', 'SUBMITTED']);
  });

  it('is obeyed when it names a time to come back', async () => {
    answers = [aStatus('QUEUED'), failure('RATE_LIMITED', 60_000), aStatus('QUEUED')];
    const watches = startWatches();
    watches.subscribe(alice, '1', aListener());
    await vi.advanceTimersByTimeAsync(50_000);
    expect(polls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(polls.length).toBeGreaterThan(2);
  });

  it.each(['UNAUTHENTICATED', 'FORBIDDEN', 'BAD_USER_INPUT'] as const)(
    '%s ends the watch for all',
    async (code) => {
      answers = [aStatus('QUEUED'), failure(code)];
      const watches = startWatches();
      const listeners = [aListener(), aListener()];
      for (const listener of listeners) watches.subscribe(alice, '1', listener);
      await vi.advanceTimersByTimeAsync(60_000);
      for (const { heard } of listeners) expect(heard).toEqual(['QUEUED', `error ${code}`]);
      expect(polls).toHaveLength(2);
      expect(vi.getTimerCount()).toBe(0);
    },
  );
});

describe('an unknown document', () => {
  it('is asked for at the shortest interval for 15 seconds, then ends with NOT_FOUND', async () => {
    answers = [failure('NOT_FOUND')];
    const watches = startWatches();
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(14_000);
    expect(listener.heard).toEqual([]);
    expect(polls.length).toBeGreaterThanOrEqual(6);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(listener.heard).toEqual(['error NOT_FOUND']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that was known before is trouble, not an end', async () => {
    answers = [aStatus('QUEUED'), failure('NOT_FOUND')];
    const watches = startWatches();
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(listener.heard).toEqual(['QUEUED', 'QUEUED delayed']);
  });
});

/** A bus on which another gateway holds the lease, unless the test changes the holder. */
function aBus() {
  let onMessage: OnWatchMessage = () => {};
  const bus = {
    holder: 'other' as 'mine' | 'other' | 'unreachable',
    leases: [] as number[],
    published: [] as WatchMessage[],
    /** Delivers a message of another gateway. */
    deliver: (payload: unknown, leaseMs = 3_000, ageMs = 0) =>
      onMessage({ payload, isKept: true, leaseMs }, ageMs),
    lease: async (_lane: unknown, _topic: string, leaseMs: number) => {
      bus.leases.push(leaseMs);
      return bus.holder;
    },
    release() {},
    publish: (_lane: unknown, _topic: string, message: WatchMessage) => void bus.published.push(message),
    subscribe(_lane: unknown, _topic: string, listener: OnWatchMessage) {
      onMessage = listener;
      return () => {};
    },
  };
  return bus;
}

describe('a fleet', () => {
  it('is listened to, and polled for no more than one gateway would', async () => {
    const bus = aBus();
    const watches = startWatches({ bus });
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    for (const state of ['QUEUED', 'SUBMITTED', 'VALIDATED'] as const) {
      bus.deliver({ status: aStatus(state) });
      await vi.advanceTimersByTimeAsync(2_000);
    }
    expect(listener.heard).toEqual(['QUEUED', 'SUBMITTED', 'VALIDATED', 'done']);
    expect(polls).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is taken over within two intervals of the last word, by one poll at a time', async () => {
    const bus = aBus();
    const watches = startWatches({ bus });
    watches.subscribe(alice, '1', aListener());
    await vi.advanceTimersByTimeAsync(0);
    // News in the middle of the question who polls must not make two loops of one.
    for (let news = 0; news < 20; news += 1) bus.deliver({ status: aStatus('QUEUED') });
    bus.holder = 'mine';
    const silentSince = Date.now();
    await vi.advanceTimersByTimeAsync(4_000);
    expect((polls[0]?.at ?? Number.POSITIVE_INFINITY) - silentSince).toBeLessThanOrEqual(4_000);
    polls.length = 0;
    await vi.advanceTimersByTimeAsync(2_200);
    expect(polls.length).toBeLessThanOrEqual(1);
    expect(vi.getTimerCount()).toBe(1);
  });

  it('obeys what the service asked of one of its gateways', async () => {
    const bus = aBus();
    bus.holder = 'mine';
    answers = [aStatus('QUEUED'), failure('RATE_LIMITED', 60_000)];
    const watches = startWatches({ bus });
    watches.subscribe(alice, '1', aListener());
    await vi.advanceTimersByTimeAsync(5_000);
    expect(bus.published.at(-1)?.leaseMs).toBe(90_000);
    expect(bus.leases.at(-1)).toBe(90_000);
  });
});

describe('a message that another gateway published', () => {
  const status = aStatus('SUBMITTED');
  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'SUBMITTED'],
    ['an empty object', {}],
    ['a status that is not an object', { status: 'SUBMITTED' }],
    ['the status of another document', { status: { ...status, documentId: '2' } }],
    ['a state that this gateway does not know', { status: { ...status, state: 'ARCHIVED' } }],
    ['a raw state that is not a text', { status: { ...status, rawState: 5 } }],
    ['a message that is missing', { status: { ...status, message: undefined } }],
    ['portal identifiers that are not an object', { status: { ...status, govPortal: 'uuid' } }],
    [
      'a portal identifier that is not a text',
      { status: { ...status, govPortal: { submissionId: 1, uuid: null } } },
    ],
    ['a time that is a text', { status: { ...status, observedAt: '2026-01-01' } }],
    ['an invalid time', { status: { ...status, observedAt: new Date(Number.NaN) } }],
    ['a delay that is not a boolean', { status: { ...status, isDelayed: 'no' } }],
    ['an age that is not a number', { status, ageMs: 'old' }],
    ['a negative age', { status, ageMs: -1 }],
    ['an error that is not an object', { error: 'gone' }],
    ['an error with an unknown code', { error: { code: 'GONE', message: 'm', retryable: false } }],
    ['an error without a message', { error: { code: 'FORBIDDEN', retryable: false } }],
  ])('is ignored if its payload is %s, and a later one is used', async (_what, payload) => {
    const bus = aBus();
    const watches = startWatches({ bus });
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    bus.deliver(payload);
    expect(listener.heard).toEqual([]);
    bus.deliver({ status: { ...status, govPortal: { submissionId: 'S', uuid: null } }, ageMs: 0 });
    expect(listener.heard).toEqual(['SUBMITTED']);
    bus.deliver({ error: { code: 'FORBIDDEN', message: 'm', retryable: false } });
    expect(listener.heard).toEqual(['SUBMITTED', 'error FORBIDDEN']);
    await vi.advanceTimersByTimeAsync(0);
    expect(polls).toEqual([]);
  });
});

describe('the order of states', () => {
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  it('keeps what a query was told when a poll that began earlier returns later', async () => {
    const watches = startWatches({
      poll: async () => {
        await wait(1_000);
        return aStatus('QUEUED');
      },
    });
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(500);
    watches.observed(alice.lane, aStatus('SUBMITTED', { askedAt: performance.now() }));
    await vi.advanceTimersByTimeAsync(600);
    expect(listener.heard).toEqual(['SUBMITTED']);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(listener.heard, 'a later poll holds').toEqual(['SUBMITTED', 'QUEUED']);
  });

  it('keeps what a poll returned when a query that began earlier returns later', async () => {
    const watches = startWatches();
    const listener = aListener();
    const askedAt = performance.now() - 1;
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(0);
    watches.observed(alice.lane, aStatus('SUBMITTED', { askedAt }));
    watches.observed(alice.lane, aStatus('VALIDATED', { askedAt }));
    expect(listener.heard).toEqual(['QUEUED']);
  });

  it('shows no delay for a failed poll that began before a good query', async () => {
    const watches = startWatches({
      poll: async () => {
        await wait(1_000);
        throw failure('UPSTREAM_TIMEOUT');
      },
    });
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(500);
    watches.observed(alice.lane, aStatus('QUEUED', { askedAt: performance.now() }));
    await vi.advanceTimersByTimeAsync(600);
    expect(listener.heard).toEqual(['QUEUED']);
  });

  it('keeps what this gateway’s own poll returned when the last kept message arrives after it', async () => {
    const bus = aBus();
    bus.holder = 'mine';
    answers = [aStatus('SUBMITTED')];
    const watches = startWatches({ bus });
    const listener = aListener();
    watches.subscribe(alice, '1', listener);
    await vi.advanceTimersByTimeAsync(0);
    bus.deliver({ status: aStatus('QUEUED') }, 3_000, 10);
    expect(listener.heard).toEqual(['SUBMITTED']);
  });

  it('is never reversed, however polls, queries and messages overlap', async () => {
    const call = fc.record({
      at: fc.nat(40_000),
      takesMs: fc.nat(9_000),
      kind: fc.constantFrom('query', 'message', 'kept message'),
    });
    const poll = fc.record({ takesMs: fc.nat(9_000), fails: fc.boolean() });
    const calls = fc.array(call, { minLength: 1, maxLength: 30 });
    const polls = fc.array(poll, { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(calls, polls, async (calls, polls) => {
        const bus = aBus();
        bus.holder = 'mine';
        let next = 0;
        /** The service's state is the time: a call returns the one of its beginning. */
        const stateNow = () => {
          const askedAt = performance.now();
          return { ...aStatus('QUEUED', { rawState: String(askedAt) }), askedAt };
        };
        const watches = startWatches({
          bus,
          poll: async () => {
            const { takesMs, fails } = polls[next++ % polls.length] as (typeof polls)[number];
            const status = stateNow();
            await wait(takesMs);
            if (fails) throw failure('UPSTREAM_TIMEOUT');
            return status;
          },
        });
        const heard: number[] = [];
        const stop = watches.subscribe(alice, '1', {
          next: ({ rawState }) => void heard.push(Number(rawState)),
          done: () => {},
        });
        for (const { at, takesMs, kind } of calls) {
          setTimeout(async () => {
            const status = stateNow();
            await wait(takesMs);
            const { askedAt, ...told } = status;
            if (kind === 'query') watches.observed(alice.lane, status);
            else if (kind === 'message') bus.deliver({ status: told, ageMs: performance.now() - askedAt });
            else bus.deliver({ status: told, ageMs: 0 }, 3_000, performance.now() - askedAt);
          }, at);
        }
        await vi.advanceTimersByTimeAsync(60_000);
        stop();
        await vi.advanceTimersByTimeAsync(60_000);
        expect(heard).toEqual(heard.toSorted((a, b) => a - b));
        expect(heard.length).toBeGreaterThan(0);
      }),
      { seed: 12_03, numRuns: 200 },
    );
  });
});

describe('the poll budget', () => {
  it('keeps the turn of a poll that waits under this gateway’s lease when another gateway publishes', async () => {
    const bus = aBus();
    bus.holder = 'mine';
    const watches = startWatches({ bus, pollBudgetPerSecond: 1 });
    watches.subscribe(bob, '2', aListener());
    watches.subscribe(alice, '1', aListener());
    await vi.advanceTimersByTimeAsync(100);
    expect(polls.map(({ documentId }) => documentId)).toEqual(['2']);
    bus.deliver({ status: aStatus('QUEUED') }, 45_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(polls.map(({ documentId }) => documentId)).toEqual(['2', '1']);
  });

  it('bounds the polls of the process', async () => {
    const watches = startWatches({ pollBudgetPerSecond: 10 });
    for (let id = 0; id < 200; id += 1) watches.subscribe(alice, String(id), aListener());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(polls.length).toBeGreaterThan(80);
    expect(polls.length).toBeLessThanOrEqual(112);
  });

  it('is shared in turn by lanes: who watches much does not keep others waiting', async () => {
    const watches = startWatches({ pollBudgetPerSecond: 10 });
    for (let id = 0; id < 200; id += 1) watches.subscribe(alice, String(id), aListener());
    watches.subscribe(bob, '1', aListener());
    await vi.advanceTimersByTimeAsync(500);
    expect(polls.some(({ caller }) => caller.lane === bob.lane)).toBe(true);
  });

  it('forgets polls whose watch has ended', async () => {
    const watches = startWatches({ pollBudgetPerSecond: 1 });
    const leave = [0, 1, 2, 3].map((id) => watches.subscribe(alice, String(id), aListener()));
    await vi.advanceTimersByTimeAsync(0);
    for (const stop of leave) stop();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(polls).toHaveLength(1);
  });
});
