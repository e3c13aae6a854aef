/** What is news to those who watch a document, and what ends a watch. */
import { GatewayError } from '../errors.ts';
import type { MalaysiaStatus } from './malaysia.api.ts';

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
