/** One call, and on whose behalf it is made. */
import type { Readable } from 'node:stream';
import type { Lane } from '../../caller.ts';
import type { Credentials } from '../../http/credentials.ts';
import type { Span } from '../../telemetry/tracing.ts';
import type { ReportDrift } from '../decode.ts';
import type { Endpoint } from '../endpoint.ts';

/** On whose behalf calls are made. */
export interface Caller {
  readonly credentials: Credentials;
  readonly lane: Lane;
  /** Sent as `x-request-id`. */
  readonly requestId: string;
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
  /** The caller's own `traceparent` header, as it came. */
  readonly traceparent?: string | undefined;
  /** What its calls belong to in a trace. */
  readonly span?: Span;
  /** Told of each call once it ended, for the log. */
  readonly onCall?: (call: CallSummary) => void;
}

export interface CallSummary {
  readonly operation: string;
  readonly kind: Endpoint['kind'];
  /** The last answer's status; undefined when there was none. */
  readonly status: number | undefined;
  readonly attempts: number;
  readonly durationMs: number;
}

export interface Call<T> {
  readonly endpoint: Endpoint;
  /** Path parameters: ids, checked before the URL is built. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | StreamedBody;
  /** The JSON answer as our own value; throws `Undecodable`. */
  readonly decode: (body: unknown, report: ReportDrift) => T;
  /** A poll waits for a place behind all requests, and is not tried again. Default false. */
  readonly isPoll?: boolean;
}

/**
 * A body that flows from the caller: the deadline runs from its last byte, before which only standstill
 * counts, and the caller's leaving aborts the call.
 */
export interface StreamedBody {
  /**
   * The body from its beginning; may be called again as long as it has not started. `onWhole`: called just
   * before its last bytes are given, with which the service can have all of it.
   */
  open(onWhole: () => void): Readable;
  /** Whether the caller's bytes began to flow. */
  hasStarted(): boolean;
  /** How many of the caller's bytes have flowed. */
  bytesSent(): number;
  /** The error with which the caller's bytes ended before their end; undefined while they did not. */
  failure(): unknown;
  /** Aborted when no byte flowed for too long, or too few in all; its reason is the error. */
  readonly signal: AbortSignal;
}

export function isStreamed(body: Call<unknown>['body'] | null): body is StreamedBody {
  return typeof body === 'object' && body !== null && 'open' in body;
}
