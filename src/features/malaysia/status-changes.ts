/** Compares statuses, and builds those that the service has not returned. */
import { GatewayError } from '../../errors.ts';
import type { MalaysiaStatus } from './malaysia.api.ts';

/**
 * Whether `status` differs from `last` and is perhaps older: its call began before the one of `last` had returned. Of two
 * calls at the same time the service may have answered either first.
 */
export function isOutdated(status: MalaysiaStatus, last: MalaysiaStatus | undefined): boolean {
  if (!last || askedAtOf(status) >= answeredAtOf(last)) return false;
  const { isDelayed, problem = null } = last;
  return !sameState({ ...status, isDelayed, problem }, last);
}

/** A status without a time counts as older than any other. */
export function askedAtOf({ askedAt = Number.NEGATIVE_INFINITY }: MalaysiaStatus): number {
  return askedAt;
}

export function answeredAtOf({ answeredAt = Number.NEGATIVE_INFINITY }: MalaysiaStatus): number {
  return answeredAt;
}

/** Compares everything that subscribers see, except `observedAt`. */
export function sameState(a: MalaysiaStatus, b: MalaysiaStatus): boolean {
  return (
    a.state === b.state &&
    a.rawState === b.rawState &&
    a.message === b.message &&
    a.isDelayed === b.isDelayed &&
    a.problem?.code === b.problem?.code &&
    a.problem?.message === b.problem?.message &&
    a.govPortal?.submissionId === b.govPortal?.submissionId &&
    a.govPortal?.uuid === b.govPortal?.uuid
  );
}

/** A status that the service has not returned: UNKNOWN, apart from the members in `known`. */
export function unconfirmedStatus(documentId: string, known: Partial<MalaysiaStatus> = {}): MalaysiaStatus {
  return {
    documentId,
    state: 'UNKNOWN',
    rawState: null,
    message: null,
    govPortal: null,
    observedAt: new Date(),
    isDelayed: false,
    ...known,
  };
}

/** The last status, marked as delayed; UNKNOWN when the service has not returned any. */
export function delayed(documentId: string, last: MalaysiaStatus | undefined): MalaysiaStatus {
  const known = { isDelayed: true, problem: null };
  return last ? { ...last, ...known } : unconfirmedStatus(documentId, known);
}

/**
 * The last status when the service responds, but its response cannot be read; UNKNOWN when it has not returned any.
 * `error`: undefined at the first such response.
 */
export function unreadable(
  documentId: string,
  last: MalaysiaStatus | undefined,
  error: GatewayError | undefined,
): MalaysiaStatus {
  // The document is watched on: the same subscription may succeed.
  const message = [error?.message, ...(error?.upstream?.messages ?? [])].join(' ');
  const problem = error ? { code: error.code, message, retryable: true } : last?.problem;
  const known = { isDelayed: false, problem: problem ?? null };
  return last ? { ...last, ...known } : unconfirmedStatus(documentId, known);
}

/** The status of a document that cannot be watched, in a subscription to several documents. */
export function unwatchableStatus(documentId: string, error: Error): MalaysiaStatus {
  const { code, message, retryable } = error instanceof GatewayError ? error : unexpectedError(error);
  return unconfirmedStatus(documentId, { message, problem: { code, message, retryable } });
}

/** Whether every later poll with the same credentials would fail in the same way. */
export function endsWatch({ code }: GatewayError): boolean {
  return code === 'UNAUTHENTICATED' || code === 'FORBIDDEN' || code === 'BAD_USER_INPUT';
}

export function unexpectedError(cause: unknown): GatewayError {
  return new GatewayError({ code: 'INTERNAL_SERVER_ERROR', message: 'The gateway failed.', cause });
}
