/** The watches of the gateway, one for each watchable, lane and id: one poll serves all its subscribers. */
import type { Caller, Lane } from '../caller.ts';
import type { Shares } from '../shares/shares.ts';
import { localWatchBus } from '../state/watch-bus.ts';
import { systemClock } from './clock.ts';
import { createStays } from './stay-in-state.ts';
import { Watch } from './watch.ts';
import type { WatchEnvironment, WatchListener } from './watch-environment.ts';
import type { Timed, Watchable } from './watchable.ts';

type Optional = 'bus' | 'clock' | 'random' | 'stays';

/** What is left out has a default: one gateway, intervals that follow the last values, the system's time. */
export type WatchesOptions = Omit<WatchEnvironment, Optional> &
  Partial<Pick<WatchEnvironment, Optional>> & { readonly shares: Pick<Shares, 'acceptedLanes' | 'dropped'> };

export type Watches = ReturnType<typeof createWatches>;

export function createWatches(options: WatchesOptions) {
  const { shares, bus = localWatchBus, clock = systemClock, random = Math.random } = options;
  const { stays = createStays(shares.acceptedLanes, clock) } = options;
  const environment = { ...options, bus, clock, random, stays };
  const watches = new Map<string, Pick<Watch<Timed>, 'end'>>();
  const keyOf = ({ name }: Pick<Watchable<Timed>, 'name'>, lane: Lane, id: string) => `${name} ${lane} ${id}`;
  const find = <T extends Timed>(key: string) => watches.get(key) as Watch<T> | undefined;

  function start<T extends Timed>(watchable: Watchable<T>, caller: Caller, id: string, key: string) {
    const watch = new Watch(environment, watchable, caller, id, () => watches.delete(key));
    watches.set(key, watch);
    return watch;
  }

  return {
    /**
     * Adds a listener to the watch of a value, and returns the watch. Throws RATE_LIMITED when no further value can be watched.
     */
    subscribe<T extends Timed>(
      watchable: Watchable<T>,
      caller: Caller,
      id: string,
      listener: WatchListener<NoInfer<T>>,
    ) {
      const key = keyOf(watchable, caller.lane, id);
      const watch = find<T>(key) ?? start(watchable, caller, id, key);
      watch.add(listener);
      return watch;
    },
    /** Counts and logs the refusal of a value whose subscription goes on. */
    refused: shares.dropped,
    /** Takes a value that a query of the lane received, and returns it with what is known of its state if it is watched. */
    observed<T extends Timed>(watchable: Watchable<T>, lane: Lane, value: T): T {
      return find<T>(keyOf(watchable, lane, watchable.idOf(value)))?.observed(value) ?? value;
    },
    get size() {
      return watches.size;
    },
    close() {
      for (const watch of watches.values()) watch.end();
    },
  };
}
