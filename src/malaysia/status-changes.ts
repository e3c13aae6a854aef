/** What is news to those who watch a document, what ends a watch, and what gateways tell each other of one. */
import { GatewayError } from '../errors.ts';
import type { MalaysiaStatus } from './malaysia.api.ts';

/** What the gateway that polls publishes: a status, changed or not, or the error that ended the watch. */
export type WatchMessage = StatusMessage | { readonly error: PublishedError };

interface StatusMessage {
  readonly status: MalaysiaStatus;
  /** Age of the call that returned the status, when the message was published (ms): gateways share no clock. Default 0. */
  readonly ageMs?: number;
}

type PublishedError = Pick<GatewayError, 'code' | 'message' | 'retryable'>;

export function statusMessage({ askedAt, ...status }: MalaysiaStatus): StatusMessage {
  return { status, ageMs: performance.now() - (askedAt ?? Number.NEGATIVE_INFINITY) };
}

/** The status with its time by this gateway's clock. `agoMs`: how long ago the message was published. */
export function statusIn({ status, ageMs = 0 }: StatusMessage, agoMs: number): MalaysiaStatus {
  return { ...status, askedAt: performance.now() - agoMs - ageMs };
}

export function errorMessage({ code, message, retryable }: GatewayError): WatchMessage {
  return { error: { code, message, retryable } };
}

/** Whether `status` would undo what a call that began later has shown already. */
export function isOutdated(status: MalaysiaStatus, last: MalaysiaStatus | undefined): boolean {
  if (!last || askedAtOf(status) >= askedAtOf(last)) return false;
  return !sameState({ ...status, isDelayed: last.isDelayed }, last);
}

/** A status without a time is older than any other. */
export function askedAtOf({ askedAt = Number.NEGATIVE_INFINITY }: MalaysiaStatus): number {
  return askedAt;
}

/** `observedAt` alone is no news. */
export function sameState(a: MalaysiaStatus, b: MalaysiaStatus): boolean {
  return (
    a.state === b.state &&
    a.rawState === b.rawState &&
    a.message === b.message &&
    a.isDelayed === b.isDelayed &&
    a.govPortal?.submissionId === b.govPortal?.submissionId &&
    a.govPortal?.uuid === b.govPortal?.uuid
  );
}

/** The last state seen, marked as old; before any was seen, UNKNOWN. */
export function delayed(documentId: string, last: MalaysiaStatus | undefined): MalaysiaStatus {
  if (last) return { ...last, isDelayed: true };
  return {
    documentId,
    state: 'UNKNOWN',
    rawState: null,
    message: null,
    govPortal: null,
    observedAt: new Date(),
    isDelayed: true,
  };
}

/** What another poll with the same credentials would only hear again. */
export function endsWatch({ code }: GatewayError): boolean {
  return code === 'UNAUTHENTICATED' || code === 'FORBIDDEN' || code === 'BAD_USER_INPUT';
}

export function unforeseen(cause: unknown): GatewayError {
  return new GatewayError({ code: 'INTERNAL_SERVER_ERROR', message: 'The gateway failed.', cause });
}
