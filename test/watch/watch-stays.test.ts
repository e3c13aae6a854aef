/** What a watch knows about the state of its value: since when, and how long others stay in it. */
import { describe, expect, it, vi } from 'vitest';
import { aShares } from '../support/shares.ts';
import {
  aBus,
  alice,
  aParcel,
  bob,
  failure,
  type Parcel,
  parcelService,
  parcels,
} from '../support/watched-parcels.ts';

const service = parcelService();

function aKeeper() {
  const values: Parcel[] = [];
  return { values, next: (value: Parcel) => void values.push(value), done: () => {} };
}

const sinceMs = ({ seen }: Parcel) => seen?.since.getTime();

describe('the value that a watch reports', () => {
  it('says since when its state was seen, through every change that is not one of the state', async () => {
    service.responses = [
      aParcel('PACKED'),
      aParcel('PACKED'),
      aParcel('PACKED', { note: 'in a box' }),
      aParcel('SENT'),
      failure('UPSTREAM_UNAVAILABLE'),
      failure('UPSTREAM_UNAVAILABLE'),
      aParcel('SENT'),
    ];
    const watches = service.startWatches();
    const keeper = aKeeper();
    watches.subscribe(parcels, alice, '1', keeper);
    await vi.advanceTimersByTimeAsync(60_000);
    const sentAt = service.polls[3]?.at;
    expect(keeper.values.map((value) => [value.state, value.note, value.isDelayed, sinceMs(value)])).toEqual([
      ['PACKED', null, false, 0],
      ['PACKED', 'in a box', false, 0],
      ['SENT', null, false, sentAt],
      ['SENT', null, true, sentAt],
      ['SENT', null, false, sentAt],
    ]);
    const later = aKeeper();
    watches.subscribe(parcels, alice, '1', later);
    expect(later.values.map(sinceMs)).toEqual([sentAt]);
  });

  it('says nothing before the service has returned one', async () => {
    service.responses = [failure('UPSTREAM_UNAVAILABLE'), aParcel('UNKNOWN')];
    const keeper = aKeeper();
    service.startWatches().subscribe(parcels, alice, '1', keeper);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(keeper.values.map(sinceMs)).toEqual([undefined, service.polls[1]?.at]);
  });

  it('counts from the first value that the service has returned to the gateway that polls, and takes no time of it', async () => {
    const bus = aBus();
    const keeper = aKeeper();
    service.startWatches({ bus }).subscribe(parcels, alice, '1', keeper);
    bus.deliver({ status: aParcel('UNKNOWN', { isDelayed: true }) });
    await vi.advanceTimersByTimeAsync(500);
    const seen = { since: new Date(5) };
    bus.deliver({ status: { ...aParcel('UNKNOWN', { note: 'in a word of its own' }), seen } });
    await vi.advanceTimersByTimeAsync(500);
    bus.deliver({ status: aParcel('SENT') });
    expect(keeper.values.map(sinceMs)).toEqual([undefined, 500, 1_000]);
  });
});

it('a value that a query received says the same as the watch of its lane, and nothing of a value that is not watched', async () => {
  const watches = service.startWatches();
  watches.subscribe(parcels, alice, '1', aKeeper());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sinceMs(watches.observed(parcels, alice.lane, aParcel('PACKED')))).toBe(0);
  expect(sinceMs(watches.observed(parcels, alice.lane, aParcel('SENT')))).toBe(5_000);
  expect(watches.observed(parcels, bob.lane, aParcel('SENT')).seen).toBeUndefined();
  expect(watches.observed(parcels, alice.lane, aParcel('SENT', { id: '2' })).seen).toBeUndefined();
  // Older than what the watch has seen since.
  const older = aParcel('PACKED', { askedAt: 1_000, respondedAt: 1_100 });
  expect(watches.observed(parcels, alice.lane, older).seen).toBeUndefined();
});

it('what is usual is learnt from the changes that polls and queries show, from each once', async () => {
  const bus = aBus();
  bus.holder = 'mine';
  const shares = aShares(alice, bob);
  let isSent = false;
  const watches = service.startWatches({
    bus,
    shares,
    budgetPerSecond: 10_000,
    poll: async (_caller, id) => aParcel(isSent ? 'SENT' : 'PACKED', { id }),
  });
  for (let index = 0; index < 100; index += 1)
    watches.subscribe(parcels, alice, `earlier ${index}`, aKeeper());
  await vi.advanceTimersByTimeAsync(20_000);
  // A query sees the change of the last one, which the next poll only confirms.
  watches.observed(parcels, alice.lane, aParcel('SENT', { id: 'earlier 99' }));
  isSent = true;
  const keeper = aKeeper();
  watches.subscribe(parcels, bob, 'before', keeper);
  await vi.advanceTimersByTimeAsync(30_000);
  isSent = false;
  watches.subscribe(parcels, bob, 'after', keeper);
  await vi.advanceTimersByTimeAsync(0);
  const [before, after] = keeper.values;
  expect(before?.seen?.usual, 'another state').toBeUndefined();
  expect(after?.state).toBe('PACKED');
  expect(after?.seen?.usual?.basis).toBe(100);
  expect(after?.seen?.usual?.leftBy(0.5, 0)).toBeGreaterThan(15_000);
  expect(after?.seen?.usual?.leftBy(0.95, 0)).toBeLessThan(40_000);
});
