/** The errors of a request with an idempotency key that gets no outcome. */
import { GatewayError } from '../../errors.ts';

export function conflictingInput(): GatewayError {
  return new GatewayError({
    code: 'IDEMPOTENCY_CONFLICT',
    message:
      'This idempotency key was used before with another input. Nothing was sent. Use a new key for a new input.',
  });
}

export function conflictingToken(): GatewayError {
  return new GatewayError({
    code: 'IDEMPOTENCY_CONFLICT',
    message:
      'This idempotency key was used before with another token. Nothing was sent now. ' +
      'Check whether the first request was carried out before you use a new key.',
    sideEffect: 'POSSIBLE',
  });
}

/** `cause`: how the first request ended, if that is known. */
export function outcomeUnknown(cause: unknown): GatewayError {
  const { sideEffect = 'POSSIBLE' as const, upstream } = cause instanceof GatewayError ? cause : {};
  return new GatewayError({
    code: 'OUTCOME_UNKNOWN',
    message:
      sideEffect === 'APPLIED'
        ? 'This idempotency key was used before. The first request was carried out, and its result cannot be returned. Nothing was sent now.'
        : 'This idempotency key was used before, and the outcome of the first request is unknown. Nothing was sent now. ' +
          'Check whether the first request was carried out before you use a new key.',
    sideEffect,
    ...(upstream && { upstream }),
    cause,
  });
}

/** The write was carried out, but it is not certain that this caller sent it: its value must not be shown. */
export function outcomeApplied(): GatewayError {
  return new GatewayError({
    code: 'OUTCOME_UNKNOWN',
    message: 'The first request was carried out.',
    sideEffect: 'APPLIED',
  });
}

export function firstAttemptFailed(): GatewayError {
  return unavailable(
    'The first request with this idempotency key ended without effect. Nothing was done. Send it again with the same key.',
  );
}

/** Says nothing of another request with the key, which may have been carried out. */
export function reservationGivenUp(): GatewayError {
  return unavailable(
    'Another request with this idempotency key ended at the same time. Nothing was sent now. Send it again with the same key to get its outcome.',
  );
}

/** Says nothing of an earlier request with the key, which may have been carried out. */
export function storeUnavailable(cause: unknown): GatewayError {
  const message =
    'The shared store of idempotency keys is unavailable. Nothing was sent now. Try again later.';
  return unavailable(message, { retryAfterMs: 1_000, cause });
}

export function notReplicated(): GatewayError {
  const message =
    'Too few replicas of the shared store have the idempotency key. Nothing was sent now. Try again later.';
  return unavailable(message, { retryAfterMs: 1_000 });
}

/** Nothing was done for this request: it may be sent again with its key. */
function unavailable(
  message: string,
  details: { retryAfterMs?: number; cause?: unknown } = {},
): GatewayError {
  return new GatewayError({ code: 'UPSTREAM_UNAVAILABLE', message, retryable: true, ...details });
}
