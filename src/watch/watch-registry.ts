/** The watches of the gateway, one for each kind of value, lane and id: one poll serves all its subscribers. */
import type { Caller, Lane } from '../caller.ts';
import type { AssumptionsConfig } from '../config/config.ts';
import type { LaneBudget } from '../shares/lane-budget.ts';
import type { Shares } from '../shares/shares.ts';
import type { FleetPollBudget } from '../state/fleet-poll-budget.ts';
import { localWatchBus } from '../state/watch-bus.ts';
import type { UpstreamClient } from '../upstream/client.ts';
import { systemClock } from './clock.ts';
import { createPollBudget } from './poll-budget.ts';
import { createStays } from './stay-in-state.ts';
import { Watch } from './watch.ts';
import { WatchBudget } from './watch-budget.ts';
import type { WatchEnvironment, WatchListener } from './watch-environment.ts';
import type { Timed, WatchedKind } from './watchable.ts';

/** What is left out has a default: one gateway, intervals that follow the last values, the system's time. */
export type WatchesOptions<T extends Timed> = Pick<
  WatchEnvironment<T>,
  'watchable' | 'poll' | 'pollMinMs' | 'pollMaxMs' | 'budget' | 'metrics' | 'tracing'
> &
  Partial<WatchEnvironment<T>> & {
    /** Bounds the values that are watched (bytes). */
    readonly bound: LaneBudget;
    readonly shares: Pick<Shares, 'acceptedLanes' | 'dropped'>;
  };

export type Watches<T extends Timed> = ReturnType<typeof createWatches<T>>;

export function createWatches<T extends Timed>(options: WatchesOptions<T>) {
  const { bound, shares, watchable } = options;
  const { bus = localWatchBus, clock = systemClock, random = Math.random } = options;
  const { stays = createStays(shares.acceptedLanes, clock) } = options;
  const environment = { ...options, bus, clock, random, stays };
  const watches = new Map<string, Watch<T>>();
  const keyOf = (lane: Lane, id: string) => `${lane} ${id}`;

  function start(caller: Caller, id: string): Watch<T> {
    const budget = new WatchBudget(bound, caller);
    const key = keyOf(caller.lane, id);
    const watch = new Watch(environment, caller, id, budget, () => watches.delete(key));
    watches.set(key, watch);
    return watch;
  }

  return {
    /**
     * Subscribes to a value and returns a function that unsubscribes. Throws RATE_LIMITED when no further value can be
     * watched.
     */
    subscribe: (caller: Caller, id: string, listener: WatchListener<T>) =>
      (watches.get(keyOf(caller.lane, id)) ?? start(caller, id)).add(listener),
    /** Counts and logs the refusal of a value whose subscription goes on. */
    refused: shares.dropped,
    /** Takes a value that a query of the lane received, and returns it with what is known of its state if it is watched. */
    observed(lane: Lane, value: T): T {
      return watches.get(keyOf(lane, watchable.idOf(value)))?.observed(value) ?? value;
    },
    get size() {
      return watches.size;
    },
    close() {
      for (const watch of watches.values()) watch.end();
    },
  };
}

export type WatchKinds = ReturnType<typeof createWatchKinds>;

type WatchKindsOptions = Omit<WatchesOptions<Timed>, 'watchable' | 'poll' | 'budget' | 'stays'> & {
  readonly pollBudgetPerSecond: number;
  /** The budget that all gateways share. Default: a budget of this process. */
  readonly fleetBudget?: FleetPollBudget | undefined;
  readonly upstream: Pick<UpstreamClient, 'call'>;
  readonly assumptions: AssumptionsConfig;
};

/** The watches of all kinds of values. The kinds share the bound, the budget of polls and the bus. */
export function createWatchKinds(options: WatchKindsOptions) {
  const { assumptions, fleetBudget, metrics, pollBudgetPerSecond, shares, upstream } = options;
  const budget = createPollBudget(pollBudgetPerSecond, shares.acceptedLanes, systemClock, fleetBudget);
  const kinds = new Map<object, Pick<Watches<Timed>, 'size' | 'close'>>();
  metrics.gauge('folio_watches', () => kinds.values().reduce((sum, { size }) => sum + size, 0));

  function start<T extends Timed>(kind: WatchedKind<T>): Watches<T> {
    return createWatches({
      ...options,
      watchable: kind,
      budget,
      poll: (caller, id, onStart) =>
        kind.poll(
          {
            upstream: { call: (call) => upstream.call(caller, { ...call, isPoll: true, onStart }) },
            assumptions,
          },
          id,
        ),
    });
  }

  return {
    /** The watches of one kind. They begin with the first subscription to a value of the kind. */
    of: <T extends Timed>(kind: WatchedKind<T>) =>
      kinds.getOrInsertComputed(kind, () => start(kind)) as Watches<T>,
    close() {
      for (const watches of kinds.values()) watches.close();
    },
  };
}
