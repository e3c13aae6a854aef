/** One call to the service, as a feature describes it. */
import type { Readable } from 'node:stream';
import type { ReportDrift } from '../decode.ts';
import type { Endpoint } from '../endpoint.ts';

export interface Call<T> {
  readonly endpoint: Endpoint;
  /** Path parameters: ids, checked before the URL is built. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | StreamedBody;
  /** The JSON answer as our own value; throws `UndecodableError`. */
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
   * The body from its beginning; may be called again as long as it has not started. `onComplete`: called just
   * before its last bytes are given, with which the service can have all of it.
   */
  open(onComplete: () => void): Readable;
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
