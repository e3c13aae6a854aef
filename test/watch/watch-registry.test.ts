/** Several kinds of values in one gateway. */
import { expect, it } from 'vitest';
import { localWatchBus } from '../../src/state/watch-bus.ts';
import type { Watchable } from '../../src/watch/watchable.ts';
import { forTest } from '../support/lifetimes.ts';
import { alice, aParcel, type Parcel, ParcelService, parcels } from '../support/watched-parcels.ts';

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
