/** What all bounds of a gateway have in common: who is a newcomer, how full they are, what they drop. */
import { type Bound, type Part, partOf, parts } from '../bound-names.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createAcceptedLanes } from './accepted-lanes.ts';
import type { Share, SharesByBound } from './bound-sizes.ts';
import { createScheduler } from './scheduler.ts';

/** How much of a bound is in use; `owner`: by the owner who holds most. */
export type Fill = Readonly<Record<Part, number>>;

export type Shares = ReturnType<typeof createShares>;

export function createShares(of: SharesByBound, metrics: Metrics, log: Pick<Log, 'info'>) {
  const acceptedLanes = createAcceptedLanes();
  const fills = new Map<Bound, () => [Bound, number][]>();
  metrics.gauge('folio_bound_used_ratio', () => [...fills.values()].flatMap((ratios) => ratios()));
  return {
    of,
    acceptedLanes,
    /** When operations begin that have arrived completely, and when WebSockets are read. */
    scheduler: createScheduler(acceptedLanes),
    /** Reports how full a bound is, with each scrape. The last call for a bound counts. */
    report: (share: Share, fill: () => Fill) => void fills.set(share.bound, () => ratiosOf(share, fill())),
    /** Counts and logs what was dropped without an error that a caller sees. */
    dropped(bound: Bound) {
      metrics.refusals.inc({ bound });
      log.info({ bound }, 'dropped');
    },
  };
}

function ratiosOf(share: Share, fill: Fill): [Bound, number][] {
  return parts.map((part) => [partOf(share.bound, part), fill[part] / share[part]]);
}
