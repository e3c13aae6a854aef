/** The status of a Malaysian document as a value that is watched, and statuses that the service has not returned. */
import { GatewayError, gatewayFailed } from '../../errors.ts';
import { isObject } from '../../tools/is-object.ts';
import { checkedId } from '../../upstream/checked-input.ts';
import { decodeError, publicError, shownTrouble } from '../../watch/watch-message.ts';
import type { WatchedKind } from '../../watch/watchable.ts';
import type { GovPortalSubmission } from './gov-portal.ts';
import { currentStatus, isFinal, type MalaysiaStatus } from './malaysia.api.ts';
import { firstMembers, maxWatchedRawLength } from './status-response.ts';
import { type MalaysiaState, stateIsFinal } from './status-words.ts';

/** Characters of `raw` that the memory of every watch includes. */
const shortRawLength = 256;

export const watchedStatus: WatchedKind<MalaysiaStatus> = {
  name: 'malaysiaStatus',
  idOf: ({ documentId }) => documentId,
  stateOf: ({ state }) => state,
  isFinal,
  isSame: (a, b) =>
    a.state === b.state &&
    a.rawState === b.rawState &&
    a.message === b.message &&
    a.isDelayed === b.isDelayed &&
    a.problem?.code === b.problem?.code &&
    a.problem?.message === b.problem?.message &&
    a.govPortal?.submissionId === b.govPortal?.submissionId &&
    a.govPortal?.uuid === b.govPortal?.uuid,
  troubled: (documentId, last, trouble) => ({
    ...(last ?? unconfirmedStatus(documentId)),
    ...shownTrouble(trouble, last),
  }),
  bytesOf: ({ raw = '' }) => 2 * Math.max(0, raw.length - shortRawLength),
  withoutTexts: ({ raw: _raw, ...status }) => status,
  decode: decodeStatus,
  checkedId: (documentId) => checkedId(documentId, 'documentId'),
  poll: ({ upstream, assumptions }, documentId) =>
    currentStatus(upstream, documentId, assumptions.malaysiaStatus, maxWatchedRawLength),
};

/** A status of a query as a watch keeps it. */
export function asWatched(status: MalaysiaStatus): MalaysiaStatus {
  const { raw = '' } = status;
  if (raw.length <= maxWatchedRawLength) return status;
  return { ...status, raw: firstMembers(JSON.parse(raw), maxWatchedRawLength) };
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

/** The status of a document that cannot be watched, in a subscription to several documents. */
export function unwatchableStatus(documentId: string, error: Error): MalaysiaStatus {
  const problem = publicError(error instanceof GatewayError ? error : gatewayFailed(error));
  return unconfirmedStatus(documentId, { message: problem.message, problem });
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
    ...(isRaw(raw) && { raw }),
    ...(problem && { problem }),
  };
}

function isRaw(raw: unknown): raw is string {
  if (typeof raw !== 'string' || raw.length > maxWatchedRawLength) return false;
  try {
    return isObject(JSON.parse(raw));
  } catch {
    return false;
  }
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
