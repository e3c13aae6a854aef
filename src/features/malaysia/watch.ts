/** The state of one watch in this gateway. */

import type { Caller, Lane } from '../../caller.ts';
import type { GatewayError } from '../../errors.ts';
import type { Span } from '../../telemetry/tracing.ts';
import { Cancellation } from '../../tools/cancellation.ts';
import type { MalaysiaStatus } from './malaysia.api.ts';

export interface StatusListener {
  /** Called with the current status, then with every change. */
  next(status: MalaysiaStatus): void;
  /** Called once, last: after a final state, or with the error that ended the watch. */
  done(error?: GatewayError): void;
  /** The subscription's span: the spans of polls link to it. */
  readonly span?: Span | undefined;
}

export interface Watch {
  readonly lane: Lane;
  readonly documentId: string;
  readonly listeners: Set<StatusListener>;
  /** Epoch milliseconds. All times below are by the gateway's clock (ms). */
  readonly startedAt: number;
  readonly cancellation: Cancellation;
  readonly caller: Caller;
  last: MalaysiaStatus | undefined;
  /** Whether the service has returned a status. */
  hasState: boolean;
  /** Whether a poll of this gateway is in flight. */
  isPolling: boolean;
  /** Number of polls in a row that failed in the same way: without a response, or with one that cannot be read. */
  failures: number;
  isUnreadable: boolean;
  /** When the next poll should begin. */
  dueAt: number;
  /** When the service last returned a status. */
  lastStatusAt: number | undefined;
  /** When the state of `last` was first seen. */
  stateSince: number;
  intervalMs: number;
  /** Until when this gateway holds the lease. */
  leasedUntil: number;
  /** Generation counter: the latest lease request wins. */
  generation: number;
  /** Releases its part of the bound on watches. */
  readonly release: () => void;
  cancelPoll: () => void;
  unsubscribe: () => void;
}

/** `now`: the time of the gateway's clock. */
export function createWatch(
  caller: Caller,
  documentId: string,
  intervalMs: number,
  now: number,
  release: () => void,
): Watch {
  const cancellation = new Cancellation();
  return {
    lane: caller.lane,
    documentId,
    listeners: new Set(),
    startedAt: Date.now(),
    cancellation,
    // The watch outlives the request that began it. All its listeners have the same credentials.
    caller: {
      credentials: caller.credentials,
      lane: caller.lane,
      owner: caller.owner,
      requestId: '',
      signal: cancellation,
    },
    last: undefined,
    hasState: false,
    isPolling: false,
    failures: 0,
    isUnreadable: false,
    dueAt: now,
    lastStatusAt: undefined,
    stateSince: now,
    intervalMs,
    leasedUntil: 0,
    generation: 0,
    release,
    cancelPoll: () => {},
    unsubscribe: () => {},
  };
}

/** Maximum number of subscriptions that the span of a poll links to. */
const maxLinks = 32;

export function linksTo(listeners: ReadonlySet<StatusListener>): Span[] {
  const spans: Span[] = [];
  for (const { span } of listeners) {
    if (spans.length === maxLinks) break;
    if (span?.traceId) spans.push(span);
  }
  return spans;
}
