/** What a watch works with: who receives its values, and what it shares with the other watches of the gateway. */
import type { AssumptionsConfig } from '../config/config.ts';
import type { GatewayError } from '../errors.ts';
import type { LaneBudget } from '../shares/lane-budget.ts';
import type { WatchBus } from '../state/watch-bus.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Span, Tracing } from '../telemetry/tracing.ts';
import type { UpstreamClient } from '../upstream/client.ts';
import type { Clock } from './clock.ts';
import type { PollBudget } from './poll-budget.ts';
import type { PollBounds } from './poll-interval.ts';
import type { Stays } from './stay-in-state.ts';

export interface WatchListener<T> {
  /** Called with the current value, then with every change. */
  next(value: T): void;
  /** Called once, last: after a final value, or with the error that ended the watch. */
  done(error?: GatewayError): void;
  /** The subscription's span: the spans of polls link to it. */
  readonly span?: Span | undefined;
}

/** What all watches of a gateway share. */
export interface WatchEnvironment extends PollBounds {
  readonly upstream: Pick<UpstreamClient, 'call'>;
  readonly assumptions: AssumptionsConfig;
  readonly bus: WatchBus;
  /** Bounds the values that are watched (bytes). */
  readonly bound: LaneBudget;
  readonly budget: PollBudget;
  readonly stays: Stays;
  readonly clock: Clock;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}
