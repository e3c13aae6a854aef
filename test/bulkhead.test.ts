import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Lane } from '../src/caller.ts';
import { createBulkhead } from '../src/upstream/call/bulkhead.ts';

type Kind = 'request' | 'upload' | 'poll';
const lane = (name: string | number) => `lane-${name}` as Lane;
const never = new AbortController().signal;

/** One call: waiting until it has a slot, which it holds until it is released. */
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
      do: fc.constant('take' as const),
      lane: fc.integer({ min: 0, max: 5 }),
      kind: fc.constantFrom<Kind>('request', 'upload', 'poll'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('release' as const),
      at: fc.nat(),
      // The call that ends is one that the service accepted.
      accepts: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('abort' as const), at: fc.nat() }) },
);

describe('the slots for calls', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('keep every bound, and let no call wait that has room', async () => {
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
            if (step.do === 'take') {
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
              } else call.controller.abort(new Error('left'));
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

  it('serve an accepted lane at least every second time beside a crowd of lanes never accepted', async () => {
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

  it('refuse an upload that waited for 30 seconds, and nothing else', async () => {
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
