import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Lane } from '../../src/caller.ts';
import { createBulkhead } from '../../src/upstream/call/bulkhead.ts';

type Kind = 'request' | 'upload' | 'poll';
const lane = (name: string | number) => `lane-${name}` as Lane;
const never = new AbortController().signal;

/** One call: it waits for a slot and holds it until it is released. */
interface Call {
  readonly lane: Lane;
  readonly kind: Kind;
  readonly controller: AbortController;
  release: (() => void) | undefined;
  isUnproven: boolean;
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('acquire' as const),
      lane: fc.integer({ min: 0, max: 5 }),
      kind: fc.constantFrom<Kind>('request', 'upload', 'poll'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('release' as const),
      at: fc.nat(),
      // The service accepted the credentials of the call that ends.
      accepts: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('abort' as const), at: fc.nat() }) },
);

describe('the bulkhead', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('keeps every bound and lets no call wait for which a slot is free', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 6 }),
        fc.array(step, { maxLength: 60 }),
        async (total, perLane, steps) => {
          const accepted = new Set<Lane>();
          const isAccepted = (asked: Lane) => accepted.has(asked);
          const bulkhead = createBulkhead({ total, perLane, isAccepted });
          const uploads = Math.ceil(total / 2);
          let calls: Call[] = [];

          const held = (matches: (call: Call) => boolean) =>
            calls.filter((call) => call.release && matches(call)).length;
          const isUpload = ({ kind }: Call) => kind === 'upload';
          const hasRoom = (call: Call) => {
            const unproven = !accepted.has(call.lane);
            const share = (part: number) => Math.max(1, Math.floor(part));
            const isOfLane = (other: Call) => other.lane === call.lane;
            return (
              held(() => true) < total &&
              held(isOfLane) < perLane &&
              (!unproven || held(({ isUnproven }) => isUnproven) < share(total / 2)) &&
              (call.kind !== 'upload' ||
                (held(isUpload) < uploads &&
                  held((other) => isOfLane(other) && isUpload(other)) < share(uploads / 4) &&
                  (!unproven || held((other) => other.isUnproven && isUpload(other)) < share(uploads / 2))))
            );
          };

          for (const step of steps) {
            if (step.do === 'acquire') {
              const controller = new AbortController();
              const call: Call = {
                lane: lane(step.lane),
                kind: step.kind,
                controller,
                release: undefined,
                isUnproven: false,
              };
              const couldStart = hasRoom(call);
              calls.push(call);
              void bulkhead.acquire(call.lane, call.kind, controller.signal).then(
                (release) => {
                  call.release = release;
                  call.isUnproven = !accepted.has(call.lane);
                },
                () => {},
              );
              await vi.advanceTimersByTimeAsync(0);
              expect(call.release !== undefined).toBe(couldStart);
            } else {
              const candidates = calls.filter(
                (call) => (call.release !== undefined) === (step.do === 'release'),
              );
              const call = candidates[step.at % candidates.length];
              if (call === undefined) continue;
              calls = calls.filter((other) => other !== call);
              if (step.do === 'release') {
                if (step.accepts) accepted.add(call.lane);
                call.release?.();
              } else call.controller.abort(new Error('aborted'));
              await vi.advanceTimersByTimeAsync(0);
            }
            expect(bulkhead.running()).toBe(held(() => true));
            expect(bulkhead.running()).toBeLessThanOrEqual(total);
            for (const call of calls) if (!call.release) expect(hasRoom(call)).toBe(false);
          }
          for (const call of calls) call.controller.abort(new Error('over'));
          await vi.advanceTimersByTimeAsync(0);
          for (const call of calls) call.release?.();
          expect(vi.getTimerCount()).toBe(0);
        },
      ),
    );
  });

  it('gives at least every second slot to an accepted lane while 100 unproven lanes wait', async () => {
    const bulkhead = createBulkhead({
      total: 2,
      perLane: 1,
      isAccepted: (asked) => asked === lane('honest'),
    });
    const order: string[] = [];
    const hold = await bulkhead.acquire(lane('honest'), 'request', never);
    const first = await bulkhead.acquire(lane('crowd'), 'request', never);
    const serve = async (name: string) => {
      const release = await bulkhead.acquire(lane(name), 'request', never);
      order.push(name.replace(/\d+/, ''));
      release();
    };
    const crowd = Array.from({ length: 100 }, (_, index) => serve(`crowd${index}`));
    const honest = Array.from({ length: 10 }, () => serve('honest'));
    hold();
    first();
    await Promise.all([...crowd, ...honest]);
    expect(order.lastIndexOf('honest')).toBeLessThan(21);
  });

  it('rejects an upload after a wait of 30 seconds, but no request and no poll', async () => {
    const bulkhead = createBulkhead({ total: 1, perLane: 2 });
    await bulkhead.acquire(lane('a'), 'request', never);
    const upload = bulkhead.acquire(lane('b'), 'upload', never);
    const refused = expect(upload).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      sideEffect: 'NONE',
      retryable: true,
      message:
        'The upload could not start within 30 s because too many uploads are in progress; nothing was sent.',
    });
    let started = 0;
    for (const kind of ['request', 'poll'] as const)
      void bulkhead.acquire(lane('b'), kind, never).then(() => (started += 1));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(bulkhead.waiting()).toContainEqual(['upload', 1]);
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(bulkhead.waiting()).toEqual([
      ['request', 1],
      ['upload', 0],
      ['poll', 1],
    ]);
    expect(started).toBe(0);
  });
});

describe('bulkhead slots', () => {
  // Calls that still wait at the end of a test are not rejected later.
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('are never all used by uploads, whose callers decide how long they last', async () => {
    const bulkhead = createBulkhead({ total: 4, perLane: 10 });
    let uploads = 0;
    for (let index = 0; index < 10; index += 1)
      void bulkhead.acquire(lane(`u${index}`), 'upload', never).then(() => (uploads += 1));
    const release = await bulkhead.acquire(lane('reader'), 'request', never);
    expect(uploads).toBe(2);
    release();
  });

  it('go to accepted and unproven lanes in turn, so that neither waits for all of the other', async () => {
    const bulkhead = createBulkhead({ total: 1, perLane: 1, isAccepted: (asked) => asked.includes('known') });
    const order: string[] = [];
    const first = await bulkhead.acquire(lane('holder'), 'request', never);
    const serve = async (name: string) => {
      const release = await bulkhead.acquire(lane(name), 'request', never);
      order.push(name);
      release();
    };
    const names = ['known1', 'known2', 'known3', 'new1', 'new2', 'new3'];
    const served = names.map(serve);
    first();
    await Promise.all(served);
    expect(order).toEqual(['known1', 'new1', 'known2', 'new2', 'known3', 'new3']);
  });

  it('go to one lane after another, so that a lane with many calls delays only itself', async () => {
    const bulkhead = createBulkhead({ total: 1, perLane: 10 });
    const order: string[] = [];
    const first = await bulkhead.acquire(lane('a'), 'request', never);
    const served = ['a', 'a', 'a', 'b'].map(async (name) => {
      const release = await bulkhead.acquire(lane(name), 'request', never);
      order.push(name);
      release();
    });
    first();
    await Promise.all(served);
    expect(order.indexOf('b')).toBeLessThan(2);
  });

  it('go to no call that was aborted while it waited, and to polls only after all requests', async () => {
    const bulkhead = createBulkhead({ total: 1, perLane: 1 });
    const order: string[] = [];
    const first = await bulkhead.acquire(lane('a'), 'request', never);
    const leaving = new AbortController();
    const left = bulkhead.acquire(lane('b'), 'request', leaving.signal);
    const poll = bulkhead.acquire(lane('c'), 'poll', never).then((release) => {
      order.push('poll');
      release();
    });
    const request = bulkhead.acquire(lane('d'), 'request', never).then((release) => {
      order.push('request');
      release();
    });
    leaving.abort(new Error('aborted'));
    await expect(left).rejects.toThrow('aborted');
    first();
    await Promise.all([poll, request]);
    expect(order).toEqual(['request', 'poll']);
  });

  it('are refused immediately to a lane whose queue is full', async () => {
    const bulkhead = createBulkhead({ total: 1, perLane: 1, maxWaiting: 2 });
    await bulkhead.acquire(lane('a'), 'request', never);
    void bulkhead.acquire(lane('a'), 'request', never);
    void bulkhead.acquire(lane('a'), 'request', never);
    await expect(bulkhead.acquire(lane('a'), 'request', never)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      sideEffect: 'NONE',
    });
  });
});
