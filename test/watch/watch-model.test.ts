/** Watches of one document through two gateways, in random histories of subscribers, changes, faults and pauses. */

import { expect, it } from 'vitest';
import { createVirtualClock, type VirtualClock } from '../../bench/simulation/virtual-clock.ts';
import type { GatewayError } from '../../src/errors.ts';
import type { OnWatchMessage, WatchBus, WatchMessage } from '../../src/state/watch-bus.ts';
import type { Clock } from '../../src/watch/clock.ts';
import { createPollBudget } from '../../src/watch/poll-budget.ts';
import { fc } from '../support/fast-check.ts';
import { Random } from '../support/random.ts';
import { aShares } from '../support/shares.ts';
import {
  alice,
  aParcel,
  failure,
  type Parcel,
  ParcelService,
  parcels,
  subscribed,
} from '../support/watched-parcels.ts';

const gateways = 2;
/** Faults begin in this time, and last at most for `longestMs`. */
const eventfulMs = 100_000;
const longestMs = 20_000;
const finalMs = eventfulMs + longestMs + 60_000;
/** Two growing intervals at their longest, a take-over, and slow responses. */
const settledMs = 120_000;

const time = fc.nat(eventfulMs);
const length = fc.nat(longestMs);
const gateway = fc.nat(gateways - 1);
const history = fc.record({
  seed: fc.nat(),
  latencyMs: fc.constantFrom(5, 500, 4_000),
  subscribers: fc.array(fc.record({ gateway, time, length: fc.option(length, { nil: undefined }) }), {
    minLength: 1,
    maxLength: 8,
  }),
  changes: fc.array(fc.record({ time, state: fc.constantFrom('PACKED', 'SENT', 'UNKNOWN') }), {
    maxLength: 8,
  }),
  faults: fc.array(
    fc.record({
      time,
      length,
      error: fc.constantFrom(
        failure('UPSTREAM_UNAVAILABLE'),
        failure('UPSTREAM_BAD_RESPONSE'),
        failure('RATE_LIMITED', 10_000),
        failure('NOT_FOUND'),
      ),
    }),
    { maxLength: 3 },
  ),
  pauses: fc.array(fc.record({ gateway, time, length }), { maxLength: 3 }),
  outages: fc.array(fc.record({ time, length, isLost: fc.boolean() }), { maxLength: 2 }),
  queries: fc.array(fc.record({ gateway, time }), { maxLength: 4 }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

interface Span {
  readonly time: number;
  readonly length: number;
}

function during<T extends Span>(spans: readonly T[], now: number): T | undefined {
  return spans.find(({ time, length }) => now >= time && now < time + length);
}

/** A process that stands still during its pauses: what was due happens at their end. */
function pausing(clock: VirtualClock, pauses: readonly Span[]) {
  const whenAwake = (run: () => void): void => {
    const pause = during(pauses, clock.now());
    if (pause) clock.after(pause.time + pause.length - clock.now(), () => whenAwake(run));
    else run();
  };
  const own: Clock = {
    now: () => clock.now(),
    after(ms, run) {
      let isCancelled = false;
      const cancel = clock.after(ms, () => whenAwake(() => !isCancelled && run()));
      return () => {
        isCancelled = true;
        cancel();
      };
    },
  };
  return { own, whenAwake };
}

const redisMs = 2;

/** Redis, which loses everything sent in an outage, or only stands still. */
class Redis {
  readonly #clock: VirtualClock;
  readonly #outages: History['outages'];
  readonly #lease = { holder: -1, until: 0 };
  #last: { readonly message: WatchMessage; readonly until: number } | undefined;
  readonly #subscribers = new Map<
    OnWatchMessage,
    { gateway: number; whenAwake: (run: () => void) => void }
  >();

  constructor(clock: VirtualClock, outages: History['outages']) {
    this.#clock = clock;
    this.#outages = outages;
    for (const { time, length, isLost } of outages)
      if (isLost) clock.after(time + length, () => this.#deliverLast(...this.#subscribers.keys()));
  }

  /** Runs a command now, at the end of a pause, or not at all. */
  #command(run: () => void, lost: () => void = () => {}): void {
    const outage = during(this.#outages, this.#clock.now());
    if (outage?.isLost) this.#clock.after(100, lost);
    else if (outage)
      this.#clock.after(outage.time + outage.length - this.#clock.now(), () => this.#command(run, lost));
    else this.#clock.after(redisMs, run);
  }

  #deliver(message: WatchMessage, from: number): void {
    for (const [onMessage, { gateway }] of this.#subscribers)
      if (gateway !== from) this.#command(() => this.#deliverTo(onMessage, message));
  }

  /** As at the beginning of a subscription, and after an outage. */
  #deliverLast(...subscribers: OnWatchMessage[]): void {
    for (const onMessage of subscribers)
      this.#command(() => {
        const last = this.#last;
        if (last && last.until > this.#clock.now()) this.#deliverTo(onMessage, last.message);
      });
  }

  #deliverTo(onMessage: OnWatchMessage, message: WatchMessage): void {
    this.#subscribers.get(onMessage)?.whenAwake(() => {
      if (this.#subscribers.has(onMessage)) onMessage(message);
    });
  }

  busOf(gateway: number, whenAwake: (run: () => void) => void): WatchBus {
    return {
      join: (_lane, _topic, onMessage) => {
        this.#subscribers.set(onMessage, { gateway, whenAwake });
        this.#deliverLast(onMessage);
        return {
          lease: (leaseMs) => this.#acquire(gateway, whenAwake, leaseMs),
          publish: (message, isKept) =>
            this.#command(() => {
              const until = this.#clock.now() + message.leaseMs + 5_000;
              if (isKept) this.#last = { message, until };
              this.#deliver(message, gateway);
            }),
          leave: () => {
            this.#subscribers.delete(onMessage);
            this.#release(gateway);
          },
        };
      },
    };
  }

  #acquire(
    gateway: number,
    whenAwake: (run: () => void) => void,
    leaseMs: number,
  ): Promise<'mine' | 'other' | 'unreachable'> {
    return new Promise((resolve) => {
      const answer = (lease: 'mine' | 'other' | 'unreachable') => whenAwake(() => resolve(lease));
      this.#command(
        () => {
          const now = this.#clock.now();
          if (this.#lease.holder !== gateway && this.#lease.until > now) return answer('other');
          Object.assign(this.#lease, { holder: gateway, until: now + leaseMs });
          answer('mine');
        },
        () => answer('unreachable'),
      );
    });
  }

  #release(gateway: number): void {
    this.#command(() => {
      if (this.#lease.holder !== gateway) return;
      this.#lease.holder = -1;
      this.#lease.until = 0;
      this.#deliver({ payload: undefined, leaseMs: 0, sentAt: this.#clock.now() }, gateway);
    });
  }
}

class Subscriber {
  readonly values: Parcel[] = [];
  readonly ends: (GatewayError | undefined)[] = [];
  stop: () => void = () => {};

  /** What must not happen. The engine would take an exception for a failed poll. */
  readonly violations: string[] = [];

  next(value: Parcel): void {
    const last = this.values.at(-1);
    if (this.ends.length > 0) this.violations.push('a value after the end');
    if (last && parcels.isSame(last, value)) this.violations.push('the same value twice');
    if (last && Number(value.note) < Number(last.note)) this.violations.push('an older value');
    this.values.push(value);
  }

  done(error?: GatewayError): void {
    this.ends.push(error);
  }
}

async function play({ seed, latencyMs, subscribers, changes, faults, pauses, outages, queries }: History) {
  const clock = createVirtualClock();
  const random = new Random('model', seed);
  const redis = new Redis(clock, outages);
  const states: { readonly time: number; readonly state: Parcel['state'] }[] = [
    { time: 0, state: 'PACKED' },
    ...(changes as { time: number; state: Parcel['state'] }[]).sort((a, b) => a.time - b.time),
    { time: finalMs, state: 'DELIVERED' },
  ];
  let polls = 0;
  /** The state is read at any time between the call and its response. The note is its number. */
  const read = (whenAwake: (run: () => void) => void): Promise<Parcel> => {
    const askedAt = clock.now();
    return new Promise((resolve, reject) => {
      clock.after(random.next() * latencyMs, () => {
        const fault = during(faults, clock.now());
        const version = states.findLastIndex(({ time }) => time <= clock.now());
        clock.after(random.next() * latencyMs, () =>
          whenAwake(() => {
            if (fault) reject(fault.error);
            else
              resolve(
                aParcel((states[version] as { state: Parcel['state'] }).state, {
                  note: String(version),
                  askedAt,
                  respondedAt: clock.now(),
                }),
              );
          }),
        );
      });
    });
  };
  const fleet = Array.from({ length: gateways }, (_, index) => {
    const { own, whenAwake } = pausing(
      clock,
      pauses.filter((pause) => pause.gateway === index),
    );
    const watches = new ParcelService().startWatches({
      poll: () => {
        polls += 1;
        return read(whenAwake);
      },
      clock: own,
      random: () => random.next(),
      budget: createPollBudget(1_000, aShares().acceptedLanes, own),
      bus: redis.busOf(index, whenAwake),
    });
    return { watches, whenAwake };
  });
  const staying: Subscriber[] = [];
  const all: Subscriber[] = [];
  for (const { gateway, time, length } of subscribers) {
    const { watches, whenAwake } = fleet[gateway] as (typeof fleet)[number];
    clock.after(time, () =>
      whenAwake(() => {
        const subscriber = new Subscriber();
        all.push(subscriber);
        subscriber.stop = subscribed(watches, '1', subscriber);
        if (length === undefined) staying.push(subscriber);
        else clock.after(length, () => whenAwake(subscriber.stop));
      }),
    );
  }
  for (const { gateway, time } of queries) {
    const { watches, whenAwake } = fleet[gateway] as (typeof fleet)[number];
    clock.after(time, () =>
      whenAwake(
        () =>
          void read(whenAwake).then(
            (value) => watches.observed(parcels, alice.lane, value),
            () => {},
          ),
      ),
    );
  }

  await clock.runUntil(finalMs);
  for (const { values, ends } of staying) {
    // A document that was unknown at first and for fifteen seconds ends its watches.
    if (ends.length > 0) expect(ends[0]?.code).toBe('NOT_FOUND');
    else expect([values.at(-1)?.note, values.at(-1)?.isDelayed]).toEqual([String(states.length - 2), false]);
  }
  await clock.runUntil(finalMs + settledMs);
  for (const { values, ends } of staying) {
    expect(ends).toHaveLength(1);
    if (!ends[0]) expect(values.at(-1)?.state).toBe('DELIVERED');
  }
  expect(all.flatMap(({ violations }) => violations)).toEqual([]);
  expect(fleet.map(({ watches }) => watches.size)).toEqual([0, 0]);
  const before = polls;
  await clock.runUntil(finalMs + 2 * settledMs);
  expect(polls - before, 'polls without subscribers').toBe(0);
}

it('every subscriber gets each last state once and in order, and its end, in any history', async () => {
  await fc.assert(fc.asyncProperty(history, play), {
    seed: 26_11_25,
    numRuns: 60,
  });
});
