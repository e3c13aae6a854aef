/** The error that a caller gets for a failed call. What each failure means is in `failure-table.ts`. */
import type { Bound } from '../../bound-names.ts';
import type { Caller } from '../../caller.ts';
import { codeWith, GatewayError, InvalidInputError } from '../../errors.ts';
import { createProblem } from '../../input-problems.ts';
import type { Endpoint } from '../endpoint.ts';
import type { ServiceText } from '../texts/public-texts.ts';
import { problemsOf } from '../texts/service-texts.ts';
import type { ServiceHealth } from './circuit-breaker.ts';
import { type Failure, type FailureMeaning, meaningOf } from './failure-table.ts';

/** The call that failed: what its errors may contain, and the credentials that they must not contain. */
export interface FailedCall {
  readonly endpoint: Endpoint;
  readonly caller: Pick<Caller, 'requestId' | 'credentials'>;
  /** Its deadline (ms). */
  readonly ms: number;
}

/** What is known about one failure in addition to its row. */
export interface FailureFacts {
  readonly status?: number | undefined;
  /** What the service wrote about it, safe to pass on. */
  readonly texts?: readonly ServiceText[];
  readonly retryAfterMs?: number | undefined;
  /** The bound of the gateway that caused it. Default: one of the service. */
  readonly bound?: Bound | undefined;
  readonly cause?: unknown;
  /** What the attempt shows, if that is less than its row assumes: never more. */
  readonly mayRepeat?: boolean;
  readonly health?: ServiceHealth | undefined;
}

/** An attempt that failed, and the error of the call if it is not repeated. */
export interface FailedOutcome {
  readonly status: number | undefined;
  readonly failure: unknown;
  /** Whether another attempt is harmless and may succeed. */
  readonly mayRetry: boolean;
  /** The wait that the service asked for (ms). */
  readonly retryAfterMs?: number | undefined;
  /** The health of the service for all callers, which the circuit breaker counts. */
  readonly health: ServiceHealth;
}

/** The outcome of a failed attempt, by the row of its failure. */
export function failedOutcome(call: FailedCall, failure: Failure, facts: FailureFacts = {}): FailedOutcome {
  const meaning = meaningOf(failure, call.endpoint.kind);
  return {
    status: facts.status,
    failure: errorOf(call, meaning, facts),
    mayRetry: meaning.mayRepeat && facts.mayRepeat !== false,
    retryAfterMs: facts.retryAfterMs,
    health: facts.health ?? meaning.health,
  };
}

/** Codes whose errors do not carry the words of the service. Those about credentials mislead, and those of a 5xx are of its code. */
const codesWithoutTexts: readonly GatewayError['code'][] = ['UNAUTHENTICATED', 'UPSTREAM_UNAVAILABLE'];

function errorOf({ endpoint, caller, ms }: FailedCall, meaning: FailureMeaning, facts: FailureFacts): Error {
  const { code, sideEffect, retryable } = meaning;
  const { status, texts = [], cause } = facts;
  if (code === 'BAD_USER_INPUT' && endpoint.kind === 'write') {
    const reasons = problemsOf(texts, 'refused-by-service', 'ERROR');
    const unknown = createProblem('refused-by-service', 'ERROR', []);
    return new InvalidInputError(meaning.message, reasons.length > 0 ? reasons : [unknown]);
  }
  const message = meaning.message
    .replace('{status}', String(status))
    .replace('{endpoint}', endpoint.name)
    .replace('{seconds}', String(ms / 1_000));
  const messages = codesWithoutTexts.includes(code) ? [] : texts.map(({ text }) => text);
  const upstream = {
    operation: endpoint.name,
    ...(status !== undefined && { status }),
    requestId: caller.requestId,
    ...(messages.length > 0 && { messages }),
  };
  // Advice about the time only helps where a repetition does.
  const retryAfterMs = retryable ? facts.retryAfterMs : undefined;
  const bounded = codeWith(code, facts.bound);
  return new GatewayError({ ...bounded, message, sideEffect, retryable, retryAfterMs, upstream, cause });
}
