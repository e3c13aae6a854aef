import type { LaneMaker } from '../caller.ts';
import type { Config } from '../config/config.ts';
import type { Pipeline } from '../operation/pipeline.ts';
import type { ReclaimingBudget } from '../shares/reclaiming-budget.ts';
import type { Shares } from '../shares/shares.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Readiness } from './probes.ts';

/** The parts of the gateway that the HTTP layer uses. */
export interface HttpDependencies {
  readonly config: Config;
  readonly pipeline: Pipeline;
  readonly laneOf: LaneMaker;
  readonly shares: Shares;
  /** The memory budget of responses of the service, in which large results count too. */
  readonly responses: ReclaimingBudget;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}
