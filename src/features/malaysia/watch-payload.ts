/** What gateways publish to each other about a watch: written by `statusPayload` and `errorPayload`, read by `decodePayload`. */
import { errorCodes, type GatewayError } from '../../errors.ts';
import { isObject } from '../../tools/is-object.ts';
import type { GovPortalSubmission } from './gov-portal.ts';
import type { MalaysiaStatus } from './malaysia.api.ts';
import { type MalaysiaState, stateIsFinal } from './status-words.ts';

/** What the polling gateway publishes: a status, changed or not, or the error that ended the watch. */
export type WatchPayload = StatusPayload | { readonly error: PublishedError };

interface StatusPayload {
  readonly status: MalaysiaStatus;
  /** Time from the start and from the end of the call that returned the status to the publication (ms): gateways share no clock. */
  readonly askedMsAgo: number;
  readonly answeredMsAgo: number;
}

type PublishedError = Pick<GatewayError, 'code' | 'message' | 'retryable'>;

/** `now`: time of the publication, by the clock of `askedAt`. */
export function statusPayload(
  { askedAt = Number.NEGATIVE_INFINITY, answeredAt = askedAt, ...status }: MalaysiaStatus,
  now: number,
): StatusPayload {
  return { status, askedMsAgo: now - askedAt, answeredMsAgo: now - answeredAt };
}

export function errorPayload({ code, message, retryable }: GatewayError): WatchPayload {
  return { error: { code, message, retryable } };
}

/**
 * The status with the times of its call by this gateway's clock: the earliest time at which it may have begun, and the
 * latest at which it may have returned. `ageMs`: time since the publication, never too short.
 */
export function statusOf(
  { status, askedMsAgo, answeredMsAgo }: StatusPayload,
  receivedAt: number,
  ageMs: number,
): MalaysiaStatus {
  return { ...status, askedAt: receivedAt - ageMs - askedMsAgo, answeredAt: receivedAt - answeredMsAgo };
}

/** Undefined for anything but a payload about this document. */
export function decodePayload(payload: unknown, documentId: string): WatchPayload | undefined {
  if (!isObject(payload)) return undefined;
  const { askedMsAgo, answeredMsAgo } = payload;
  const error = decodeError(payload['error']);
  if (error) return { error };
  const status = decodeStatus(payload['status']);
  if (status?.documentId !== documentId || !isDuration(askedMsAgo) || !isDuration(answeredMsAgo))
    return undefined;
  return { status, askedMsAgo, answeredMsAgo };
}

function isDuration(ms: unknown): ms is number {
  return typeof ms === 'number' && ms >= 0;
}

function decodeError(error: unknown): PublishedError | undefined {
  if (!isObject(error)) return undefined;
  const { message, retryable } = error;
  const code = errorCodes.find((known) => known === error['code']);
  if (!code || typeof message !== 'string' || typeof retryable !== 'boolean') return undefined;
  return { code, message, retryable };
}

function decodeStatus(status: unknown): MalaysiaStatus | undefined {
  if (!isObject(status)) return undefined;
  const { documentId, rawState, message, observedAt, isDelayed, raw } = status;
  const state = decodeState(status['state']);
  const govPortal = decodePortal(status['govPortal']);
  if (!state || typeof documentId !== 'string' || typeof isDelayed !== 'boolean') return undefined;
  if (!isText(rawState) || !isText(message) || govPortal === undefined) return undefined;
  if (!(observedAt instanceof Date) || Number.isNaN(observedAt.getTime())) return undefined;
  const problem = decodeError(status['problem']);
  return {
    ...{ documentId, state, rawState, message, govPortal, observedAt, isDelayed },
    ...(isObject(raw) && { raw }),
    ...(problem && { problem }),
  };
}

function decodeState(state: unknown): MalaysiaState | undefined {
  return typeof state === 'string' && Object.hasOwn(stateIsFinal, state)
    ? (state as MalaysiaState)
    : undefined;
}

function decodePortal(portal: unknown): GovPortalSubmission | null | undefined {
  if (portal === null) return null;
  if (!isObject(portal)) return undefined;
  const { submissionId, uuid } = portal;
  return isText(submissionId) && isText(uuid) ? { submissionId, uuid } : undefined;
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
