/** Several kinds of values in one gateway. */
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { localWatchBus } from '../../src/state/watch-bus.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { noTracing } from '../../src/telemetry/tracing.ts';
import { createWatchKinds } from '../../src/watch/watch-registry.ts';
import type { WatchedKind } from '../../src/watch/watchable.ts';
import { forTest } from '../support/lifetimes.ts';
import { aShares } from '../support/shares.ts';
import { alice, aParcel, type Parcel, parcels, watchBound } from '../support/watched-parcels.ts';

it('values of two kinds with the same id have watches, leases and messages of their own', async () => {
  const topics: string[] = [];
  const metrics = createMetrics('test');
  const { assumptions, watch } = readConfig({});
  const watches = forTest(
    createWatchKinds({
      ...watch,
      bound: watchBound(10),
      shares: aShares(),
      bus: {
        join: (lane, topic, onMessage) => {
          topics.push(topic);
          return localWatchBus.join(lane, topic, onMessage);
        },
      },
      metrics,
      tracing: noTracing,
      assumptions,
      upstream: { call: () => Promise.reject(new Error('No call is made.')) },
    }),
  );
  const kind = (name: string): WatchedKind<Parcel> => ({
    ...parcels,
    name,
    checkedId: (id) => id,
    poll: async (_context, id) => aParcel('SENT', { id, note: name }),
  });
  const note = (watched: WatchedKind<Parcel>) =>
    new Promise((resolve) => {
      watches.of(watched).subscribe(alice, '7', { next: (value) => resolve(value.note), done() {} });
    });
  expect(await Promise.all([kind('letter'), kind('parcel')].map(note))).toEqual(['letter', 'parcel']);
  expect(topics).toEqual(['letter 7', 'parcel 7']);
  expect((await metrics.text({ isOpenMetrics: false })).text).toContain('folio_watches 2');
});
