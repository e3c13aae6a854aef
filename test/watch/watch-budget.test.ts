/** The memory of watches is bounded with the texts of their values, which the service chooses. */
import { describe, expect, it, vi } from 'vitest';
import { watchBytes } from '../../src/shares/bound-sizes.ts';
import { WatchSubscription } from '../../src/watch/watch-subscription.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forTest } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import * as does from '../support/service.ts';
import {
  aListener,
  alice,
  aParcel,
  bob,
  failure,
  type Parcel,
  parcelService,
  parcels,
  watchBound,
} from '../support/watched-parcels.ts';

describe('the bound on watched values', () => {
  const service = parcelService();

  const notes = (...lengths: number[]) => {
    service.responses = lengths.map((length) => aParcel('PACKED', { note: 'n'.repeat(length) }));
  };

  it('counts a watch with the texts of its last value, and releases both when it ends', async () => {
    const bound = watchBound(10);
    notes(4_000, 100);
    const { stop } = service.watch({ bound });
    expect(bound.held).toBe(watchBytes);
    await vi.advanceTimersByTimeAsync(0);
    expect(bound.held).toBe(watchBytes + 4_000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(bound.held).toBe(watchBytes + 100);
    stop();
    expect(bound.held).toBe(0);
  });

  it('leaves out the texts of one caller for whom there is no room, and not those of others', async () => {
    const bound = watchBound(3);
    notes(3_000);
    const watches = service.startWatches({ bound });
    const received: [caller: string, note: number | undefined][] = [];
    const listen = (caller: string) => ({
      next: ({ note }: { note: string | null }) => void received.push([caller, note?.length]),
      done() {},
    });
    watches.subscribe(parcels, alice, '1', listen('alice'));
    watches.subscribe(parcels, alice, '2', listen('alice'));
    watches.subscribe(parcels, bob, '3', listen('bob'));
    await vi.advanceTimersByTimeAsync(1_000);
    // Two watches of alice leave room for one of her three, which is less than a note.
    expect(received.slice(0, 3).toSorted()).toEqual([
      ['alice', undefined],
      ['alice', undefined],
      ['bob', 3_000],
    ]);
    expect(bound.held).toBe(3 * watchBytes + 3_000);
  });

  it('changes nothing for subscribers when texts are left out of the same value again', async () => {
    notes(3 * watchBytes);
    const { received } = service.watch({ bound: watchBound(3) });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(received).toEqual(['PACKED']);
  });

  /** A subscription of alice with a bound. It is not read, and has ended. */
  async function unreadSubscription(ids: string[], response: Parcel | Error, endsAfterMs = 1_000) {
    const bound = watchBound(10);
    service.responses = [response];
    const events = new WatchSubscription(ids, {
      caller: alice,
      watchable: parcels,
      watches: service.startWatches({ bound }),
      unwatchable: (id, { message }) => aParcel('UNKNOWN', { id, note: message }),
    });
    await vi.advanceTimersByTimeAsync(endsAfterMs);
    expect(events.hasEnded).toBe(true);
    return { bound, events };
  }

  const note = 'n'.repeat(4_000);
  const refused = Object.assign(failure('FORBIDDEN'), { message: note });
  it.each<[string, string[], Parcel | Error, endsAfterMs?: number]>([
    ['final values', ['1', '2'], aParcel('DELIVERED', { note })],
    [
      'the last value of a subscription that ends after an hour',
      ['1'],
      aParcel('PACKED', { note }),
      3_600_000,
    ],
    ['the reason why a document is not watched any more', ['1'], refused],
  ])(
    'counts %s as watches until the subscription has read them',
    async (_what, ids, response, endsAfterMs) => {
      const { bound, events } = await unreadSubscription(ids, response, endsAfterMs);
      for (const [read] of ids.entries()) {
        expect(bound.held).toBe((ids.length - read) * (watchBytes + note.length));
        expect(await events.next()).toMatchObject({ done: false });
      }
      expect(bound.held).toBe(0);
      expect(await events.next()).toMatchObject({ done: true });
    },
  );

  it('releases values that a subscription drops unread', async () => {
    const { bound, events } = await unreadSubscription(['1', '2'], aParcel('DELIVERED'));
    expect(bound.held).toBe(2 * watchBytes);
    events.stop();
    expect(bound.held).toBe(0);
  });

  it('refuses a further watch when texts have used the room up', async () => {
    notes(2 * watchBytes);
    const { watches } = service.watch({ bound: watchBound(3) });
    await vi.advanceTimersByTimeAsync(0);
    expect(() => watches.subscribe(parcels, alice, '2', aListener())).toThrow(/bound on watched documents/);
  });
});

it('the response of a watched document is kept to 4 KiB, which count with the watch, also when a query has read the whole of it', async () => {
  const body = { status: 'queued', log: 'x'.repeat(3_000), history: 'y'.repeat(3_000), end: 1 };
  const kept = { status: 'queued', log: body.log, end: 1 };
  const maxWatchesPerCaller = 10;
  const service = forTest(await does.startService(does.json(200, body)));
  const gateway = forTest(
    await startTestGateway({ UPSTREAM_URL: service.url }, { limits: { maxWatchesPerCaller } }),
  );
  const firstEvent = async () => {
    const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state raw } }';
    const { value } = await gateway.webSocketClient().iterate({ query }).next();
    const used = await metricOf(gateway, 'folio_bound_used_ratio{bound="watches-owner"}');
    return {
      event: (value as any).data.malaysiaStatusChanged,
      bytes: Math.round(used * maxWatchesPerCaller * watchBytes),
    };
  };
  const expected = {
    event: { state: 'QUEUED', raw: kept },
    // Two for each character beyond the first 256.
    bytes: watchBytes + 2 * (JSON.stringify(kept).length - 256),
  };
  expect(await firstEvent()).toEqual(expected);
  const { data } = await gateway.ask('{ malaysiaStatus(documentId: "1") { raw } }');
  expect(data.malaysiaStatus.raw).toEqual(body);
  expect(await firstEvent()).toEqual(expected);
});
