/** One watch for each lane and id: one poll serves all its subscribers. */
import type { Bound } from '../bounds.ts';
import type { Caller, Lane } from '../caller.ts';
import type { AcceptedLanes } from '../shares/accepted-lanes.ts';
import type { LaneBudget } from '../shares/lane-budget.ts';
import type { FleetBudget } from '../state/fleet-budget.ts';
import { createLocalStatusBus } from '../state/status-bus.ts';
import { systemClock } from './clock.ts';
import { createPollBudget } from './poll-budget.ts';
import { createPollIntervals } from './poll-interval.ts';
import { createStays } from './stays.ts';
import { Watch, type WatchEnvironment, type WatchListener } from './watch.ts';
import { WatchMemory } from './watch-memory.ts';
import type { Timed } from './watchable.ts';

type Environment<T extends Timed> = WatchEnvironment<T>;

/** What is left out has a default: one gateway, its own budget, intervals that follow the last values, the system's time. */
export type WatchesOptions<T extends Timed> = Pick<
  Environment<T>,
  'watchable' | 'poll' | 'pollMinMs' | 'metrics' | 'tracing'
> &
  Partial<Environment<T>> & {
    /** Maximum interval (ms). */
    readonly pollMaxMs: number;
    readonly pollBudgetPerSecond: number;
    /** The budget that all gateways share. Default: a budget of this process. */
    readonly fleetBudget?: FleetBudget | undefined;
    /** Maximum duration of one subscription (ms). */
    readonly watchMaxMs: number;
    /** Bounds the values that are watched (bytes). */
    readonly bound: LaneBudget;
    readonly acceptedLanes: AcceptedLanes;
  };

export class Watches<T extends Timed> {
  /** Maximum duration of one subscription (ms). */
  readonly maxDurationMs: number;
  readonly #bound: LaneBudget;
  readonly #environment: Environment<T>;
  readonly #lanes = new Map<Lane, Map<string, Watch<T>>>();

  constructor(options: WatchesOptions<T>) {
    const { pollMinMs, pollMaxMs, pollBudgetPerSecond, acceptedLanes, fleetBudget } = options;
    const { bus = createLocalStatusBus(), clock = systemClock, random = Math.random } = options;
    const { budget = createPollBudget(pollBudgetPerSecond, acceptedLanes, clock, fleetBudget) } = options;
    const { intervals = createPollIntervals({ minMs: pollMinMs, maxMs: pollMaxMs }) } = options;
    const { stays = createStays(acceptedLanes, clock) } = options;
    this.#environment = { ...options, bus, clock, random, budget, intervals, stays };
    this.#bound = options.bound;
    this.maxDurationMs = options.watchMaxMs;
    options.metrics.gauge('folio_watches', () => this.#all().length);
  }

  /**
   * Subscribes to a value and returns a function that unsubscribes. Throws RATE_LIMITED when no further value can be
   * watched.
   */
  subscribe(caller: Caller, id: string, listener: WatchListener<T>): () => void {
    return (this.#lanes.get(caller.lane)?.get(id) ?? this.#start(caller, id)).add(listener);
  }

  /** Counts and logs the refusal of a value whose subscription goes on. */
  refused(bound: Bound): void {
    this.#bound.refusedWithoutError(bound);
  }

  /** Takes a value that a query of the lane received, and returns it with what is known of its state if it is watched. */
  observed(lane: Lane, value: T): T {
    const watch = this.#lanes.get(lane)?.get(this.#environment.watchable.idOf(value));
    return watch ? watch.observed(value) : value;
  }

  /** Ends all watches. */
  close(): void {
    for (const watch of this.#all()) watch.end();
  }

  #start(caller: Caller, id: string): Watch<T> {
    const memory = new WatchMemory(this.#bound, caller);
    const { lane } = caller;
    const watch = new Watch(this.#environment, caller, id, memory, () => {
      memory.release();
      const watches = this.#lanes.get(lane);
      if (watches?.get(id) === watch) watches.delete(id);
      if (watches?.size === 0) this.#lanes.delete(lane);
    });
    this.#lanes.getOrInsertComputed(lane, () => new Map()).set(id, watch);
    return watch;
  }

  #all(): Watch<T>[] {
    return [...this.#lanes.values()].flatMap((watches) => [...watches.values()]);
  }
}
