/** A watch that several gateways share. */
import { describe, expect, it, vi } from 'vitest';
import { aBus, aParcel, failure, parcelService } from '../support/watched-parcels.ts';

const service = parcelService();

describe('a gateway of a fleet', () => {
  it('does not poll while another gateway holds the lease, and passes its messages on', async () => {
    const bus = aBus();
    const { received } = service.watch({ bus });
    for (const state of ['PACKED', 'SENT', 'DELIVERED'] as const) {
      bus.deliver({ status: aParcel(state) });
      await vi.advanceTimersByTimeAsync(2_000);
    }
    expect(received).toEqual(['PACKED', 'SENT', 'DELIVERED', 'done']);
    expect(service.polls).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('takes the lease over within two intervals of the last message, with one poll at a time', async () => {
    const bus = aBus();
    service.watch({ bus });
    await vi.advanceTimersByTimeAsync(0);
    // Messages during a lease request must not start a second polling loop.
    for (let count = 0; count < 20; count += 1) bus.deliver({ status: aParcel('PACKED') });
    bus.holder = 'mine';
    const silentSince = Date.now();
    await vi.advanceTimersByTimeAsync(4_000);
    expect((service.polls[0]?.at ?? Number.POSITIVE_INFINITY) - silentSince).toBeLessThanOrEqual(4_000);
    service.polls.length = 0;
    await vi.advanceTimersByTimeAsync(2_200);
    expect(service.polls.length).toBeLessThanOrEqual(1);
    expect(vi.getTimerCount()).toBe(1);
  });

  it('keeps the lease until the Retry-After that the service sent has passed', async () => {
    const bus = aBus();
    bus.holder = 'mine';
    service.responses = [aParcel('PACKED'), failure('RATE_LIMITED', 60_000)];
    service.watch({ bus });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(bus.published.at(-1)?.leaseMs).toBe(90_000);
    expect(bus.leases.at(-1)).toBe(90_000);
  });
});

describe('a message that another gateway published', () => {
  const status = aParcel('SENT');
  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'SENT'],
    ['an empty object', {}],
    ['a status that is not an object', { status: 'SENT' }],
    ['the status of another document', { status: { ...status, id: '2' } }],
    ['a state that this gateway does not know', { status: { ...status, state: 'ARCHIVED' } }],
    ['a delay that is not a boolean', { status: { ...status, isDelayed: 'no' } }],
    ['an age that is not a number', { status, askedMsAgo: 'old' }],
    ['a negative age', { status, answeredMsAgo: -1 }],
    ['an error that is not an object', { error: 'gone' }],
    ['an error with an unknown code', { error: { code: 'GONE', message: 'm', retryable: false } }],
    ['an error without a message', { error: { code: 'FORBIDDEN', retryable: false } }],
  ])('is ignored if its payload is %s, and a later one is used', async (_what, payload) => {
    const bus = aBus();
    const { received } = service.watch({ bus });
    bus.deliver(payload);
    expect(received).toEqual([]);
    bus.deliver({ status: { ...status, note: 'by air' } });
    expect(received).toEqual(['SENT']);
    bus.deliver({ error: { code: 'FORBIDDEN', message: 'm', retryable: false } });
    expect(received).toEqual(['SENT', 'error FORBIDDEN']);
    await vi.advanceTimersByTimeAsync(0);
    expect(service.polls).toEqual([]);
  });
});
