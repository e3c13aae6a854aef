/** One call to the service, as a feature describes it. */
import type { Readable } from 'node:stream';
import type { InputProblem } from '../../input-problems.ts';
import type { CancelSignal } from '../../tools/cancellation.ts';
import type { ReportDrift } from '../decode.ts';
import type { Endpoint } from '../endpoint.ts';

export interface Call<T> {
  readonly endpoint: Endpoint;
  /** Path parameters: ids, which the client checks before it builds the path. Its errors have these names. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is JSON and is sent as `application/json`. Others need the header `content-type`. */
  readonly body?: string | Uint8Array | StreamedBody;
  /** Memory that is kept for the result of a write while it waits or runs, besides its body (bytes). Default 0. */
  readonly keptBytes?: number;
  /**
   * Returns the feature's own value for the JSON response, or throws `UndecodableError`. `warnings`: what the service reports
   * together with the result of a write, as warnings.
   */
  readonly decode: (body: unknown, report: ReportDrift, warnings: readonly InputProblem[]) => T;
  /** The result when the service responds with 404, and knows nothing by these parameters. Default: the call fails. */
  readonly ifUnknown?: T;
  /** A poll waits for a slot behind all requests and is not retried. Default false. */
  readonly isPoll?: boolean;
  /** Called when a poll has its slot. */
  readonly onStart?: () => void;
}

/**
 * A body that is streamed from the caller. The deadline of its call starts with its last byte; until then a stall
 * or the caller's disconnecting aborts the call.
 */
export interface StreamedBody {
  /**
   * Opens the body at its beginning. It may be opened again until it has started. `onComplete` is called just before
   * the last bytes are passed on: from then on the service may have the complete body.
   */
  open(onComplete: () => void): Readable;
  /** Whether any of the caller's bytes were read. */
  hasStarted(): boolean;
  /** How many of the caller's bytes were passed on. */
  bytesSent(): number;
  /**
   * Aborted when the caller's bytes end early, stall or are too slow; its reason is the error, a `GatewayError`. Aborted with an
   * `UnreadUploadError` when the service stops reading.
   */
  readonly signal: CancelSignal;
}

/** The service has stopped reading an upload. */
export class UnreadUploadError extends Error {
  override readonly name = 'UnreadUploadError';
}

export function isStreamed(body: Call<unknown>['body']): body is StreamedBody {
  return typeof body === 'object' && 'open' in body;
}
