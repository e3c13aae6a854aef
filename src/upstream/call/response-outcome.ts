/** What an attempt at a call has shown, and what a response means. */
import { GatewayError, InvalidInputError } from '../../errors.ts';
import { isObject } from '../../tools/is-object.ts';
import { exceededBound, type JsonBounds } from '../../tools/json-structure.ts';
import { type ReportDrift, UndecodableError } from '../decode.ts';
import { readJson } from '../exact-json.ts';
import type { Call } from './call.ts';
import type { ServiceHealth } from './circuit-breaker.ts';
import { errorForStatus, errorForUnusableResponse, type FailedCall, isHtmlPage } from './failures.ts';
import { type FailedAttempt, retryAfterMs } from './retry.ts';
import type { UpstreamResponse } from './upstream-response.ts';

export type AttemptOutcome<T> =
  | { readonly status: number; readonly value: T; readonly health: 'good' }
  | (FailedAttempt & {
      readonly status: number | undefined;
      readonly failure: unknown;
      /** The health of the service for all callers, which the circuit breaker counts. */
      readonly health: ServiceHealth;
    });

export function outcomeOfResponse<T>(
  call: Call<T>,
  failedCall: FailedCall,
  response: UpstreamResponse,
  reportDrift: ReportDrift,
): AttemptOutcome<T> {
  const { status } = response;
  const body = jsonOf(response);
  // With an HTML page of status 4xx a proxy rejected this one request: the service may be well.
  const isRejection = status >= 400 && status < 500;
  const isBad = [502, 503, 504].includes(status) || (isHtmlPage(response) && !isRejection);
  const health = isBad ? 'bad' : 'good';
  if (status < 200 || status > 202) {
    // An error response should have no body or a JSON object.
    if (status === 404 && response.body?.length !== 0 && !isObject(body)) {
      reportDrift({ kind: 'mistyped-member', member: 'response' });
    }
    const waitMs = retryAfterMs(response.headers['retry-after'], Date.now());
    // A 500 with a JSON body may concern this one document: a retry would not help.
    const isTransient = status === 429 || status > 500 || (status === 500 && body === undefined);
    const mayRetry = call.endpoint.kind === 'read' && isTransient;
    const failure = errorForStatus(failedCall, response, body, waitMs);
    return failed(status, failure, { mayRetry, health, retryAfterMs: waitMs });
  }
  const mistyped = new Set<string>();
  const report: ReportDrift = (drift) => {
    if (drift.kind === 'mistyped-member') mistyped.add(drift.member.slice(drift.member.lastIndexOf('.') + 1));
    reportDrift(drift);
  };
  try {
    return { status, value: call.decode(body, report), health: 'good' };
  } catch (error) {
    if (error instanceof InvalidInputError || error instanceof GatewayError) {
      return failed(status, error, { health });
    }
    if (!(error instanceof UndecodableError)) throw error;
    // A member of another type is already reported.
    if (!mistyped.has(error.member)) reportDrift({ kind: 'missing-member', member: error.member });
    const failure = errorForUnusableResponse(failedCall, status, body, error);
    const isUnreadable = failure instanceof GatewayError && failure.code === 'UPSTREAM_BAD_RESPONSE';
    if (isUnreadable) reportDrift({ kind: 'unreadable', body });
    return failed(status, failure, { health });
  }
}

type Details = Partial<FailedAttempt & { readonly health: ServiceHealth }>;

/** An outcome without a value: by default it allows no retry and shows nothing about the service. */
export function failed(
  status: number | undefined,
  failure: unknown,
  details: Details = {},
): AttemptOutcome<never> {
  return { status, failure, mayRetry: false, health: 'unknown', ...details };
}

/** Far more than any response has: a response of 32 MiB could hold 10 million values, and end a small heap. */
const jsonBounds: JsonBounds = { maxValues: 500_000, maxDepth: 1_000, maxNames: 100_000 };
/** Responses up to this size are not checked: they hold at most 131,072 values and 33,000 names (bytes). */
const smallResponseBytes = 256 * 1024;

/** The body as JSON; undefined when it is not JSON, or has more values than any response of the service. */
function jsonOf({ body }: UpstreamResponse): unknown {
  if (body === null) return undefined;
  if (body.length > smallResponseBytes && exceededBound(body, jsonBounds) !== undefined) return undefined;
  try {
    return readJson(body);
  } catch {
    return undefined;
  }
}
