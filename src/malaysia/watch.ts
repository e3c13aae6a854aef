/** What the gateway knows of one watch. */

import type { Caller, Lane } from '../caller.ts';
import { createCallerController } from '../caller.ts';
import type { GatewayError } from '../errors.ts';
import type { Span } from '../telemetry/tracing.ts';
import type { MalaysiaStatus } from './malaysia.api.ts';

export interface StatusListener {
  /** The state now, then every change. */
  next(status: MalaysiaStatus): void;
  /** Nothing more will come: after a final state, or with the error that ended the watch. */
  done(error?: GatewayError): void;
  /** The subscription in a trace: polls are linked to it. */
  readonly span?: Span | undefined;
}

export interface Watch {
  readonly lane: Lane;
  readonly documentId: string;
  readonly listeners: Set<StatusListener>;
  readonly startedAt: number;
  readonly controller: AbortController;
  readonly caller: Caller;
  last: MalaysiaStatus | undefined;
  /** The service has told a state. */
  hasState: boolean;
  /** This gateway is asking the service. */
  isPolling: boolean;
  failures: number;
  /** When the next poll should begin (`performance.now()`). */
  dueAt: number;
  /** When the service last told a state. */
  toldAt: number | undefined;
  intervalMs: number;
  /** Until when this gateway holds the lease (`performance.now()`). */
  leasedUntil: number;
  /** Counts the decisions who polls: of two that overlap the later one holds. */
  turn: number;
  cancelNext: () => void;
  stopHearing: () => void;
}

export function createWatch(caller: Caller, documentId: string, intervalMs: number): Watch {
  const controller = createCallerController();
  return {
    lane: caller.lane,
    documentId,
    listeners: new Set(),
    startedAt: Date.now(),
    controller,
    // The watch outlives the request that began it; all its listeners have the same credentials.
    caller: {
      credentials: caller.credentials,
      lane: caller.lane,
      requestId: '',
      signal: controller.signal,
    },
    last: undefined,
    hasState: false,
    isPolling: false,
    failures: 0,
    dueAt: performance.now(),
    toldAt: undefined,
    intervalMs,
    leasedUntil: 0,
    turn: 0,
    cancelNext: () => {},
    stopHearing: () => {},
  };
}

/** Most subscriptions that the span of a poll is linked to. */
const maxLinks = 32;

export function linksTo(listeners: ReadonlySet<StatusListener>): Span[] {
  const spans: Span[] = [];
  for (const { span } of listeners) {
    if (spans.length === maxLinks) break;
    if (span?.traceId) spans.push(span);
  }
  return spans;
}
