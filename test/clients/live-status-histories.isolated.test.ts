/** Live statuses of `packages/client` in front of a gateway at random: which documents a page wants, and what happens to subscriptions. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLiveStatuses } from '../../packages/client/src/live-statuses.ts';
import type { Subscribe, SubscriptionSink } from '../../packages/client/src/subscribe.ts';
import { fc } from '../support/fast-check.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const idCount = 240;
/** Ids that the gateway refuses, with all others of their subscription. */
const isInvalid = (id: string) => Number(id) % 60 === 59;
const subscriptionsOfSocket = 200;

interface Subscription {
  readonly ids: readonly string[];
  readonly sink: SubscriptionSink<any>;
  /** Whether the gateway has reported the state of each document. */
  hasBegun: boolean;
}

/** A gateway whose documents change from state 0 to state 5, which is final. `onStop`: after the client has ended a subscription. */
function createGateway(onStop: (subscription: Subscription) => void) {
  const states = new Map<string, number>();
  const open = new Set<Subscription>();
  const subscribe = ((_document, { documentIds: ids }: { documentIds: string[] }, sink) => {
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThanOrEqual(100);
    expect(new Set(ids).size).toBe(ids.length);
    const subscription = { ids, sink, hasBegun: false };
    open.add(subscription);
    return () => open.delete(subscription) && onStop(subscription);
  }) as Subscribe;

  const stateOf = (id: string) => states.get(id) ?? 0;
  const isFinal = (id: string) => stateOf(id) === 5;

  function report({ sink }: Subscription, documentId: string): void {
    const status = { documentId, state: stateOf(documentId), isFinal: isFinal(documentId), problem: null };
    sink.next({ data: { malaysiaStatusesChanged: status } });
  }

  function end(subscription: Subscription, retryable?: boolean): void {
    if (!open.delete(subscription)) return;
    const { sink } = subscription;
    const extensions = { code: 'BAD_USER_INPUT', retryable, sideEffect: 'NONE' };
    if (retryable !== undefined) sink.next({ errors: [{ message: 'm', extensions }] });
    sink.complete?.();
  }

  function completeIfFinal(subscription: Subscription): void {
    if (subscription.ids.every(isFinal)) end(subscription);
  }

  function begin(subscription: Subscription): void {
    if (subscription.hasBegun) return;
    const isRefused = subscription.ids.some(isInvalid);
    if (isRefused || open.size > subscriptionsOfSocket) {
      end(subscription, !isRefused);
      return;
    }
    subscription.hasBegun = true;
    for (const id of subscription.ids) if (open.has(subscription)) report(subscription, id);
    completeIfFinal(subscription);
  }

  return {
    subscribe,
    open,
    stateOf,
    isFinal,
    begin,
    end,
    advance(id: string): void {
      if (isFinal(id) || isInvalid(id)) return;
      states.set(id, stateOf(id) + 1);
      for (const subscription of [...open]) {
        if (!subscription.hasBegun || !subscription.ids.includes(id)) continue;
        if (open.has(subscription)) report(subscription, id);
        completeIfFinal(subscription);
      }
    },
  };
}

const ids = fc.record({
  from: fc.nat(idCount - 1),
  count: fc.oneof(fc.nat(6), fc.nat(40), fc.nat(150)),
  step: fc.integer({ min: 1, max: 3 }),
});
const listOf = ({ from, count, step }: { from: number; count: number; step: number }) =>
  Array.from({ length: count }, (_, at) => `${(from + at * step) % idCount}`);
const action = fc.oneof(
  fc.record({ type: fc.constant('set' as const), ids }),
  fc.record({ type: fc.constant('add' as const), ids }),
  fc.record({ type: fc.constant('add' as const), ids }),
  fc.record({ type: fc.constant('remove' as const), ids }),
  fc.record({ type: fc.constant('begin' as const), index: fc.nat(20) }),
  fc.record({ type: fc.constant('begin' as const), index: fc.nat(20) }),
  fc.record({ type: fc.constant('advance' as const), ids }),
  fc.record({
    type: fc.constant('end' as const),
    index: fc.nat(20),
    retryable: fc.constantFrom(undefined, true),
  }),
  fc.record({ type: fc.constant('wait' as const), ms: fc.nat(3_000) }),
);

it('live statuses watch each wanted document that can change with one subscription and without a gap, and no others', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      let wanted = new Set<string>();
      /** Whether documents may be without a subscription: after a refusal they are subscribed to again. */
      let mayPause = false;
      /** Documents that have been reported, and wanted ever since. */
      let reported = new Set<string>();
      const gaps: string[] = [];
      const gateway = createGateway(({ ids, hasBegun }) => {
        if (!hasBegun || mayPause) return;
        const watched = new Set([...gateway.open].flatMap((other) => (other.hasBegun ? other.ids : [])));
        gaps.push(...ids.filter((id) => reported.has(id) && !gateway.isFinal(id) && !watched.has(id)));
      });
      const live = createLiveStatuses(gateway.subscribe);
      const set = (list: Iterable<string>) => {
        wanted = new Set(list);
        reported = reported.intersection(wanted);
        live.set([...wanted]);
      };
      for (const action of actions) {
        const subscription =
          'index' in action ? [...gateway.open].at(action.index % (gateway.open.size || 1)) : undefined;
        mayPause = action.type === 'wait' || (subscription?.ids.some(isInvalid) ?? false);
        if (action.type === 'set') set(listOf(action.ids));
        else if (action.type === 'add') set([...wanted, ...listOf(action.ids)]);
        else if (action.type === 'remove') {
          const removed = new Set(listOf(action.ids));
          set([...wanted].filter((id) => !removed.has(id)));
        } else if (action.type === 'advance') for (const id of listOf(action.ids)) gateway.advance(id);
        else if (action.type === 'wait') vi.advanceTimersByTime(action.ms);
        else if (subscription && action.type === 'begin') gateway.begin(subscription);
        else if (subscription && action.type === 'end') gateway.end(subscription, action.retryable);
        const shown = live.current();
        if (![...shown.keys()].every((id) => wanted.has(id))) expect.fail('A status is not wanted.');
        const begun = [...gateway.open].filter(({ hasBegun }) => hasBegun).flatMap(({ ids }) => ids);
        const toBegin = new Set([...gateway.open].flatMap(({ ids, hasBegun }) => (hasBegun ? [] : ids)));
        for (const id of begun) {
          const state: unknown = shown.get(id)?.state;
          const isKnown = state === gateway.stateOf(id) || toBegin.has(id);
          if (wanted.has(id) && !isKnown) expect.fail(`${id} is not known.`);
        }
        if (subscription?.hasBegun && action.type === 'begin')
          reported = reported.union(wanted.intersection(new Set(subscription.ids)));
        expect(gaps).toEqual([]);
      }
      mayPause = true;
      // All that is waited for.
      while ([...gateway.open].some(({ hasBegun }) => !hasBegun) || vi.getTimerCount() > 0) {
        for (const subscription of [...gateway.open]) gateway.begin(subscription);
        vi.advanceTimersByTime(60_000);
      }
      for (const id of wanted) {
        const status = live.current().get(id);
        const watches = [...gateway.open].filter(({ ids }) => ids.includes(id));
        if (isInvalid(id)) {
          expect([id, status?.problem?.retryable]).toEqual([id, false]);
          expect(status?.message).toBe(status?.problem?.message);
        } else expect([id, status?.state]).toEqual([id, gateway.stateOf(id)]);
        if (!isInvalid(id) && !gateway.isFinal(id)) expect([id, watches.length]).toEqual([id, 1]);
      }
      for (const { ids } of gateway.open) expect(ids.some((id) => wanted.has(id))).toBe(true);
      set([]);
      expect(gateway.open.size).toBe(0);
      expect(vi.getTimerCount()).toBe(0);
    }),
    { numRuns: 500 },
  );
});
