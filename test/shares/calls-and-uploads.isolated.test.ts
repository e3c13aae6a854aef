import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Holder } from '../../src/caller.ts';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { createSlots, type SlotKind, type Slots } from '../../src/shares/calls-and-uploads.ts';
import { LaneBudget } from '../../src/shares/lane-budget.ts';
import { fc } from '../support/fast-check.ts';
import { holder, sharesWith } from '../support/shares.ts';

const never = new AbortController().signal;
/** Callers who are accepted, so that only the other parts of the bounds count. */
const all = ['a', 'b', 'c', 'd'];

/** Default: room for 1,000 waiting calls, of which one caller may have 200; nobody is accepted. */
function sharesOf(
  total: number,
  perOwner: number,
  { accepted = [], waiting = [1_000, 200] }: { accepted?: string[]; waiting?: [all: number, owner: number] },
) {
  const [most, owner] = waiting;
  const changed = {
    slots: shareOf('slots', total, { owner: perOwner }),
    uploads: shareOf('uploads', Math.ceil(total / 2)),
    waiting: shareOf('waiting', most, { owner }),
  };
  return sharesWith(changed, ...accepted.map((name) => holder(name)));
}

const slotsOf = (...parameters: Parameters<typeof sharesOf>) => createSlots(sharesOf(...parameters));

/** Takes a slot as a call does. */
const hold = async (slots: Slots, holder: Holder, kind: SlotKind, signal: AbortSignal = never) =>
  slots.tryHold(holder, kind) ?? (await slots.hold(holder, kind, signal));

/** As the end of a name: the kind of its call. Other names are of requests. */
const kinds: readonly SlotKind[] = ['upload', 'poll'];

/** Calls of these names, each served as soon as it has a slot. Returns the names in the order of service. */
async function serve(slots: Slots, first: () => void, ...names: string[]): Promise<string[]> {
  const order: string[] = [];
  const served = names.map(async (name) => {
    const kind = kinds.find((kind) => name.endsWith(kind)) ?? 'request';
    const release = await hold(slots, holder(name), kind);
    order.push(name);
    release();
  });
  first();
  await Promise.all(served);
  return order;
}

/** One call: it waits for a slot and holds it until it is released. */
interface Call {
  readonly holder: Holder;
  readonly kind: SlotKind;
  readonly controller: AbortController;
  release: (() => void) | undefined;
}

/** Six lanes of five owners. */
const callers = [holder('a'), holder('a', 'Bearer 1'), holder('b'), holder('c'), holder('d'), holder('e')];
const holds = fc.record({
  do: fc.constant('hold' as const),
  lane: fc.integer({ min: 0, max: 5 }),
  kind: fc.constantFrom<SlotKind>('request', 'upload', 'poll'),
});
/** `accepts`: the service accepted the credentials of the call that ends. */
const releases = fc.record({ do: fc.constant('release' as const), at: fc.nat(), accepts: fc.boolean() });
const aborts = fc.record({ do: fc.constant('abort' as const), at: fc.nat() });
const step = fc.oneof(
  { weight: 5, arbitrary: holds },
  { weight: 3, arbitrary: releases },
  { weight: 1, arbitrary: aborts },
);

describe('slots', () => {
  // Calls that still wait at the end of a test are not rejected later.
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('keep every bound and let no call wait for which a slot is free', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 6 }),
        fc.array(step, { maxLength: 60, size: 'max' }),
        async (total, perLane, steps) => {
          const shares = sharesOf(total, perLane, {});
          const slots = createSlots(shares);
          const isNewcomer = ({ holder }: Call) => !shares.acceptedLanes.has(holder.lane);
          const uploads = Math.ceil(total / 2);
          let calls: Call[] = [];
          /** Whether each call that has started had room. */
          let hadRoom = true;

          const held = (matches: (call: Call) => boolean) =>
            calls.filter((call) => call.release && matches(call)).length;
          const isUpload = ({ kind }: Call) => kind === 'upload';
          const hasRoom = (call: Call) => {
            const unproven = isNewcomer(call);
            const share = (part: number) => Math.max(1, Math.floor(part));
            const isOfLane = (other: Call) => other.holder.owner === call.holder.owner;
            return (
              held(() => true) < (held(isOfLane) > 0 ? total - Math.floor(total / 8) : total) &&
              held(isOfLane) < perLane &&
              (!unproven || held(isNewcomer) < share(total / 2)) &&
              (call.kind !== 'upload' ||
                (held(isUpload) < uploads &&
                  held((other) => isOfLane(other) && isUpload(other)) < share(uploads / 4) &&
                  (!unproven || held((other) => isNewcomer(other) && isUpload(other)) < share(uploads / 2))))
            );
          };

          for (const step of steps) {
            if (step.do === 'hold') {
              const controller = new AbortController();
              const { lane, kind } = step;
              const call: Call = { holder: callers[lane] as Holder, kind, controller, release: undefined };
              const couldStart = hasRoom(call);
              calls.push(call);
              void hold(slots, call.holder, call.kind, controller.signal).then(
                (release) => {
                  hadRoom &&= hasRoom(call);
                  call.release = release;
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
                if (step.accepts) shares.acceptedLanes.accept(call.holder);
                call.release?.();
              } else call.controller.abort(new Error('aborted'));
              await vi.advanceTimersByTimeAsync(0);
            }
            expect([hadRoom, slots.running()]).toEqual([true, held(() => true)]);
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

  it('are refused to an upload after a wait of 30 seconds, but to no request and no poll', async () => {
    const slots = slotsOf(1, 2, { accepted: all });
    await hold(slots, holder('a'), 'request');
    const upload = hold(slots, holder('b'), 'upload');
    const refused = expect(upload).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      sideEffect: 'NONE',
      retryable: true,
      message:
        'The upload could not start within 30 s because too many uploads are in progress; nothing was sent.',
    });
    let started = 0;
    for (const kind of ['request', 'poll'] as const)
      void hold(slots, holder('b'), kind).then(() => (started += 1));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(slots.waiting()).toContainEqual(['upload', 1]);
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(slots.waiting()).toEqual([
      ['request', 1],
      ['upload', 0],
      ['poll', 1],
    ]);
    expect(started).toBe(0);
  });

  it('go to accepted callers and newcomers in turn, so that neither waits for all of the other', async () => {
    const slots = slotsOf(1, 1, { accepted: ['known1', 'known2', 'known3'] });
    const first = await hold(slots, holder('first'), 'request');
    expect(await serve(slots, first, 'known1', 'known2', 'known3', 'new1', 'new2', 'new3')).toEqual([
      ...['known1', 'new1', 'known2', 'new2', 'known3', 'new3'],
    ]);
  });

  it('that no newcomer may have go to an accepted caller who waits and has none', async () => {
    const busy = Array.from({ length: 16 }, (_, at) => `busy ${at}`);
    const slots = slotsOf(16, 1, { accepted: [...busy, 'calm'] });
    const [release] = await Promise.all(busy.map((name) => hold(slots, holder(name), 'request')));
    const waiting = [hold(slots, holder('new'), 'request'), hold(slots, holder('calm'), 'request')];
    release?.();
    expect(slots.running()).toBe(16);
    await waiting[1];
  });

  it('are given without a look at all of the thousands of callers that wait', async () => {
    const named = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name} ${at}`);
    const known = named('known', 1_000);
    const slots = slotsOf(16, 1, { accepted: known, waiting: [10_000, 1] });
    const ask = (name: string) => hold(slots, holder(name), 'request');
    const releases = await Promise.all([...named('new', 8), ...known.slice(0, 8)].map(ask));
    for (const name of [...named('late', 1_000), ...known.slice(8)]) void ask(name);
    const looks = vi.spyOn(LaneBudget.prototype, 'reached');
    for (const release of releases.slice(-2)) release();
    expect(looks.mock.calls.length).toBeLessThan(20);
    looks.mockRestore();
  });

  it('go to no call that was aborted while it waited, and to polls only after all requests', async () => {
    const slots = slotsOf(1, 1, { accepted: all });
    const first = await hold(slots, holder('a'), 'request');
    const leaving = new AbortController();
    const left = hold(slots, holder('b'), 'request', leaving.signal);
    const order = serve(slots, () => leaving.abort(new Error('aborted')), 'a poll', 'd');
    await expect(left).rejects.toThrow('aborted');
    first();
    expect(await order).toEqual(['d', 'a poll']);
  });

  it('go to an upload and to a poll after eight other calls, however many newcomers make requests', async () => {
    const slots = slotsOf(2, 1, {});
    const first = await hold(slots, holder('new'), 'request');
    const requests = Array.from({ length: 40 }, (_, at) => `new ${at}`);
    const names = ['a poll', 'an upload', ...requests, 'another poll', 'another upload'];
    const order = await serve(slots, first, ...names);
    const at = (name: string) => order.indexOf(name);
    expect([at('an upload'), at('a poll')]).toEqual([8, 9]);
    expect([at('another upload'), at('another poll')]).toEqual([17, 18]);
  });

  it('refuse a list before its first call when not all of its calls could run or wait, and a call when enough wait', async () => {
    const slots = slotsOf(10, 10, { accepted: all, waiting: [100, 50] });
    const refusal = expect.objectContaining({
      code: 'RATE_LIMITED',
      bound: 'waiting-owner',
      sideEffect: 'NONE',
    });
    for (let call = 0; call < 4; call += 1) void hold(slots, holder('a'), 'request');
    expect(() => slots.requireRoom(holder('a'), 55)).not.toThrow();
    expect(() => slots.requireRoom(holder('a'), 56)).toThrow(refusal);
    for (let call = 0; call < 10; call += 1) void hold(slots, holder('a'), 'request');
    // Polls that wait are not counted.
    for (let poll = 0; poll < 10; poll += 1) void hold(slots, holder('a'), 'poll');
    expect(() => slots.requireRoom(holder('a'), 45)).not.toThrow();
    expect(() => slots.requireRoom(holder('a'), 46)).toThrow(refusal);
    for (let call = 0; call < 45; call += 1) void hold(slots, holder('a'), 'request');
    await expect(hold(slots, holder('a'), 'request')).rejects.toEqual(refusal);
  });
});
