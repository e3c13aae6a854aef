/** The watches of all kinds of values. The kinds share the bound, the budget of polls and the bus. */
import type { AssumptionsConfig } from '../config/config.ts';
import type { UpstreamClient } from '../upstream/client.ts';
import { systemClock } from './clock.ts';
import { createPollBudget } from './poll-budget.ts';
import type { Timed, WatchedKind } from './watchable.ts';
import { createWatches, type Watches, type WatchesOptions } from './watches.ts';

export interface WatchKinds {
  /** The watches of one kind. They begin with the first subscription to a value of the kind. */
  of<T extends Timed>(kind: WatchedKind<T>): Watches<T>;
}

type WatchKindsOptions = Omit<
  WatchesOptions<Timed>,
  'watchable' | 'poll' | 'budget' | 'intervals' | 'stays'
> & {
  readonly upstream: Pick<UpstreamClient, 'call'>;
  readonly assumptions: AssumptionsConfig;
};

export function createWatchKinds(options: WatchKindsOptions): WatchKinds & { close(): void } {
  const { acceptedLanes, assumptions, fleetBudget, metrics, pollBudgetPerSecond, upstream } = options;
  const budget = createPollBudget(pollBudgetPerSecond, acceptedLanes, systemClock, fleetBudget);
  const kinds = new Map<object, Pick<Watches<Timed>, 'size' | 'close'>>();
  metrics.gauge('folio_watches', () => kinds.values().reduce((sum, { size }) => sum + size, 0));

  function start<T extends Timed>(kind: WatchedKind<T>): Watches<T> {
    return createWatches({
      ...options,
      watchable: kind,
      budget,
      poll: (caller, id) =>
        kind.poll(
          { upstream: { call: (call) => upstream.call(caller, { ...call, isPoll: true }) }, assumptions },
          id,
        ),
    });
  }

  return {
    of: <T extends Timed>(kind: WatchedKind<T>) =>
      kinds.getOrInsertComputed(kind, () => start(kind)) as Watches<T>,
    close() {
      for (const watches of kinds.values()) watches.close();
    },
  };
}
