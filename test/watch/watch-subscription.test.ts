/** Several watched values: as the events of one subscription, and of several kinds. */
import { expect, it } from 'vitest';
import { localWatchBus } from '../../src/state/watch-bus.ts';
import type { WatchListener } from '../../src/watch/watch-environment.ts';
import { WatchSubscription } from '../../src/watch/watch-subscription.ts';
import type { Timed, Watchable } from '../../src/watch/watchable.ts';
import { forTest } from '../support/lifetimes.ts';
import { alice, aParcel, failure, type Parcel, ParcelService, parcels } from '../support/watched-parcels.ts';

interface Note extends Timed {
  readonly note: string;
}

/** A subscription of alice to values whose listeners and ends the test sees. */
function start(ids: string[], signal?: AbortSignal) {
  const listeners = new Map<string, WatchListener<Note>>();
  const unsubscribed: string[] = [];
  const controller = new AbortController();
  const events = new WatchSubscription<Note>(ids, {
    caller: { ...alice, signal: signal ?? controller.signal },
    watchable: { checkedId: (id: string) => id, bytesOf: () => 0 } as never,
    watches: {
      refused() {},
      subscribe(_watchable, _caller, id, listener) {
        listeners.set(id, listener as never);
        const budget = { retain: () => budget, release() {}, fit: (_of: unknown, value: unknown) => value };
        return { budget, remove: () => unsubscribed.push(id) } as never;
      },
    },
  });
  const of = (id: string) => listeners.get(id) as WatchListener<Note>;
  return { events, of, unsubscribed, ids: () => [...listeners.keys()], abort: () => controller.abort() };
}

const notes = (events: AsyncIterable<Note>) => Array.fromAsync(events, ({ note }) => note);

it('a subscription watches each value once, delivers the latest of each, also after its end, and ends when all are final', async () => {
  const { events, of, unsubscribed, ids } = start(['a', 'b', 'a']);
  expect(ids()).toEqual(['a', 'b']);
  of('a').next({ note: 'a 1' });
  of('b').next({ note: 'b 1' });
  of('a').next({ note: 'a 2' });
  of('a').done();
  expect(events.hasEnded).toBe(false);
  of('b').done();
  of('a').next({ note: 'a 3' });
  expect(await notes(events)).toEqual(['a 2', 'b 1']);
  expect(unsubscribed).toEqual([]);
});

it('a subscription fails once, after its values, with the first value that cannot be watched, and leaves the others', async () => {
  const { events, of, unsubscribed } = start(['a', 'b', 'c']);
  of('a').next({ note: 'a 1' });
  of('b').done(failure('FORBIDDEN'));
  expect(unsubscribed).toEqual(['a', 'c']);
  expect(await events.next()).toEqual({ done: false, value: { note: 'a 1' } });
  await expect(events.next()).rejects.toThrow('FORBIDDEN');
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

it('a subscription without a reader leaves all values once when its caller disconnects', async () => {
  const { abort, events, of, unsubscribed } = start(['a', 'b']);
  of('a').next({ note: 'unread' });
  abort();
  expect([events.hasEnded, unsubscribed]).toEqual([true, ['a', 'b']]);
  await events.return();
  expect(unsubscribed).toEqual(['a', 'b']);
});

it('a subscription of a caller who has disconnected watches nothing', () => {
  const { events, ids } = start(['a', 'b'], AbortSignal.abort());
  expect([events.hasEnded, ids()]).toEqual([true, []]);
});

it('values of two kinds with the same id have watches, leases and messages of their own', async () => {
  const topics: string[] = [];
  const watches = forTest(
    new ParcelService().startWatches({
      bus: {
        join: (lane, topic, onMessage) => {
          topics.push(topic);
          return localWatchBus.join(lane, topic, onMessage);
        },
      },
    }),
  );
  const kind = (name: string): Watchable<Parcel> => ({
    ...parcels,
    name,
    poll: async (_context, id) => aParcel('SENT', { id, note: name }),
  });
  const note = (watchable: Watchable<Parcel>) =>
    new Promise((resolve) => {
      watches.subscribe(watchable, alice, '7', { next: (value) => resolve(value.note), done() {} });
    });
  expect(await Promise.all([kind('letter'), kind('parcel')].map(note))).toEqual(['letter', 'parcel']);
  expect(topics).toEqual(['letter 7', 'parcel 7']);
  expect(watches.size).toBe(2);
});
