/** Watches of parcels over a service, listeners and a bus that a test controls. */
import { afterEach, beforeEach, vi } from 'vitest';
import type { Caller } from '../../src/caller.ts';
import { readConfig } from '../../src/config/config.ts';
import { codeWith, GatewayError } from '../../src/errors.ts';
import { shareOf, watchBytes } from '../../src/shares/bound-sizes.ts';
import { LaneBudget } from '../../src/shares/lane-budget.ts';
import type { OnWatchMessage, WatchMessage } from '../../src/state/watch-bus.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { noTracing } from '../../src/telemetry/tracing.ts';
import { isObject } from '../../src/tools/is-object.ts';
import type { Call } from '../../src/upstream/call/call.ts';
import type { UpstreamClient } from '../../src/upstream/client.ts';
import type { Endpoint } from '../../src/upstream/endpoint.ts';
import { type Clock, systemClock } from '../../src/watch/clock.ts';
import { createPollBudget } from '../../src/watch/poll-budget.ts';
import type { WatchListener } from '../../src/watch/watch-environment.ts';
import { createWatches, type Watches, type WatchesOptions } from '../../src/watch/watch-registry.ts';
import type { Timed, Watchable } from '../../src/watch/watchable.ts';
import { aShares, holder } from './shares.ts';

const { signal } = new AbortController();
const aCaller = (name: string): Caller => ({ ...holder(name), requestId: name, signal });
export const alice = aCaller('alice');
export const bob = aCaller('bob');

/** A value made up for these tests: the engine knows nothing about it but what `parcels` says. */
export interface Parcel extends Timed {
  readonly id: string;
  readonly state: (typeof parcelStates)[number];
  readonly note: string | null;
  readonly isDelayed: boolean;
  /** Code of the error while it cannot be read. */
  readonly problem: string | null;
  /** When the service reported it, which changes nothing for subscribers. */
  readonly reportedAt?: number;
}

const parcelStates = ['UNKNOWN', 'PACKED', 'SENT', 'DELIVERED', 'RETURNED'] as const;

export function aParcel(state: Parcel['state'], more: Partial<Parcel> = {}): Parcel {
  return { id: '1', state, note: null, isDelayed: false, problem: null, ...more };
}

const parcelEndpoint: Endpoint = {
  name: 'parcel',
  method: 'GET',
  path: '/parcels/{id}',
  requiredCredentials: [],
  kind: 'read',
};

export const parcels: Watchable<Parcel> = {
  name: 'parcel',
  unknownGraceMs: 15_000,
  checkedId: (id) => id,
  poll: ({ upstream }, id) =>
    upstream.call({ endpoint: parcelEndpoint, parameters: { id }, decode: () => aParcel('UNKNOWN') }),
  idOf: ({ id }) => id,
  stateOf: ({ state }) => state,
  isFinal: ({ state }) => state === 'DELIVERED' || state === 'RETURNED',
  isSame: (a, b) => JSON.stringify(shown(a)) === JSON.stringify(shown(b)),
  troubled: (id, last = aParcel('UNKNOWN', { id }), trouble) =>
    trouble.kind === 'silent'
      ? { ...last, isDelayed: true, problem: null }
      : { ...last, isDelayed: false, problem: trouble.error?.code ?? last.problem },
  bytesOf: ({ note }) => note?.length ?? 0,
  withoutTexts: (parcel) => ({ ...parcel, note: null }),
  decode(payload) {
    if (!isObject(payload)) return undefined;
    const { id, state, note, isDelayed, problem } = payload as unknown as Parcel;
    const isParcel = typeof id === 'string' && parcelStates.includes(state) && typeof isDelayed === 'boolean';
    return isParcel ? { id, state, note, isDelayed, problem } : undefined;
  },
};

/** Everything but times. */
function shown({ id, state, note, isDelayed, problem }: Parcel) {
  return { id, state, note, isDelayed, problem };
}

export const failure = (code: GatewayError['code'], retryAfterMs?: number) =>
  new GatewayError({
    ...codeWith(code),
    message: code,
    retryable: ['UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'RATE_LIMITED'].includes(code),
    retryAfterMs,
  });

/** Room for this number of watched documents of one caller without notes. */
export const watchBound = (perOwner: number) => {
  const all = 100_000 * watchBytes;
  return new LaneBudget(shareOf('watches', all, { newcomers: all, owner: perOwner * watchBytes }), aShares());
};

/** The clock of a gateway, which shows how many of its timers are set. */
export function countingClock() {
  const timers = new Set<object>();
  const clock: Clock = {
    ...systemClock,
    after(ms, run) {
      const timer = {};
      timers.add(timer);
      const cancel = systemClock.after(ms, () => {
        timers.delete(timer);
        run();
      });
      return () => {
        timers.delete(timer);
        cancel();
      };
    },
  };
  return { clock, timers };
}

type ParcelOptions = Partial<WatchesOptions> & {
  /** Default: the responses of the service. `onStart`: called when the poll no longer waits for a slot. */
  readonly poll?: (caller: Caller, id: string, onStart: () => void) => Promise<Parcel>;
  readonly budgetPerSecond?: number;
};

/** Returns its responses one by one, and the last one from then on. */
export class ParcelService {
  responses: (Parcel | Error)[] = [aParcel('PACKED')];
  readonly polls: { caller: Caller; id: string; at: number }[] = [];
  counting = countingClock();

  /** Number of timers that watches and their budget have set. */
  get timers(): number {
    return this.counting.timers.size;
  }

  /** Watches of which alice has subscribed to document 1, and what she receives. */
  watch(options: ParcelOptions = {}) {
    const watches = this.startWatches(options);
    const listener = aListener();
    return { watches, received: listener.received, stop: subscribed(watches, '1', listener) };
  }

  /** The times between one poll and the next (ms). */
  gaps(): number[] {
    return this.polls.slice(1).map(({ at }, index) => at - (this.polls[index]?.at ?? 0));
  }

  async #respond(caller: Caller, id: string, onStart: () => void): Promise<Parcel> {
    onStart();
    this.polls.push({ caller, id, at: Date.now() });
    const [response] = this.responses.length > 1 ? this.responses.splice(0, 1) : this.responses;
    if (response instanceof Error) throw response;
    return { ...(response as Parcel), id };
  }

  startWatches(options: ParcelOptions = {}): Watches {
    const { poll = this.#respond.bind(this), budgetPerSecond = 200, ...more } = options;
    const { clock } = this.counting;
    const call = (caller: Caller, { parameters, onStart }: Call<unknown>): Promise<unknown> =>
      poll(caller, String(parameters?.['id']), onStart as () => void);
    return createWatches({
      upstream: { call: call as UpstreamClient['call'] },
      assumptions: readConfig({}).assumptions,
      pollMinMs: 2_000,
      pollMaxMs: 30_000,
      clock,
      budget: createPollBudget(budgetPerSecond, aShares().acceptedLanes, clock),
      bound: watchBound(10_000),
      shares: aShares(),
      metrics: createMetrics('test'),
      tracing: noTracing,
      ...more,
    });
  }
}

/** Subscribes alice, and returns a function that unsubscribes her. */
export function subscribed(watches: Watches, id: string, listener: WatchListener<Parcel>): () => void {
  const watch = watches.subscribe(parcels, alice, id, listener);
  return () => watch.remove(listener);
}

/** A service for each test of the file, in which time begins at 0 and passes when the test says so. */
export function parcelService(): ParcelService {
  const service = new ParcelService();
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
    Object.assign(service, new ParcelService());
  });
  afterEach(() => void vi.useRealTimers());
  return service;
}

/** A listener that records its states, and how its subscription ends. */
export function aListener() {
  const received: string[] = [];
  return {
    received,
    next: ({ state, isDelayed, problem }: Parcel) =>
      void received.push([state, ...(isDelayed ? ['delayed'] : []), ...(problem ? [problem] : [])].join(' ')),
    done: (error?: GatewayError) => void received.push(error ? `error ${error.code}` : 'done'),
  };
}

/** A bus on which another gateway holds the lease, unless the test changes the holder. */
export function aBus() {
  let onMessage: OnWatchMessage = () => {};
  const bus = {
    holder: 'other' as 'mine' | 'other' | 'unreachable',
    leases: [] as number[],
    published: [] as (WatchMessage & { isKept: boolean })[],
    /** Delivers a message of another gateway. Unless it says more, it was published with the end of a call. */
    deliver(received: unknown, leaseMs = 3_000, ageMs = 0) {
      const payload = isObject(received) ? { askedMsAgo: 0, answeredMsAgo: 0, ...received } : received;
      bus.relay({ payload, leaseMs, sentAt: performance.now() - ageMs });
    },
    /** Delivers what another gateway in this process has published. */
    relay: (message: WatchMessage) => onMessage(message),
    join(_lane: unknown, _topic: string, listener: OnWatchMessage) {
      onMessage = listener;
      return {
        lease: async (leaseMs: number) => {
          bus.leases.push(leaseMs);
          return bus.holder;
        },
        publish: (message: WatchMessage, isKept: boolean) => void bus.published.push({ ...message, isKept }),
        leave() {},
      };
    },
  };
  return bus;
}
