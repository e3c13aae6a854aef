/** The status of a Malaysian document as a value that is watched, and statuses that the service has not returned. */
import { z } from 'zod';
import { GatewayError, gatewayFailed } from '../../errors.ts';
import { isObject } from '../../tools/is-object.ts';
import { shortened } from '../../tools/shortened.ts';
import { checkedId } from '../../upstream/checked-input.ts';
import { decodeError, publicError, shownTrouble } from '../../watch/watch-message.ts';
import type { Watchable } from '../../watch/watchable.ts';
import { currentStatus, isFinal, type MalaysiaStatus } from './malaysia.api.ts';
import { maxWatchedRawLength, membersThatFit } from './status-response.ts';
import { states } from './status-words.ts';

/** Characters of each text that the memory of every watch includes. */
const shortLength = 256;

const text = z.string().nullable();

/** A status that another gateway has published. */
const publishedStatus = z.object({
  documentId: z.string(),
  state: z.enum(states),
  rawState: text,
  message: text,
  govPortal: z.object({ submissionId: text, uuid: text }).nullable(),
  observedAt: z.date(),
  isDelayed: z.boolean(),
  raw: z.string().max(maxWatchedRawLength).refine(isJsonObject).optional().catch(undefined),
  problem: z.unknown().optional().transform(decodeError),
});

export const watchedStatus: Watchable<MalaysiaStatus> = {
  name: 'malaysiaStatus',
  // An import and its status may reach different parts of the service.
  unknownGraceMs: 15_000,
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
  bytesOf({ raw, message, problem }) {
    const texts = [raw, message, problem?.message];
    return texts.reduce((sum, text) => sum + 2 * Math.max(0, (text?.length ?? 0) - shortLength), 0);
  },
  // The reason of the state is kept.
  withoutTexts: ({ raw: _raw, problem, ...status }) => ({
    ...status,
    ...(problem && { problem: { ...problem, message: shortened(problem.message, shortLength) } }),
  }),
  decode: (status) => publishedStatus.safeParse(status).data,
  checkedId: (documentId) => checkedId(documentId, 'documentId'),
  poll: ({ upstream, assumptions }, documentId) =>
    currentStatus(upstream, documentId, assumptions.malaysiaStatus, maxWatchedRawLength),
};

/** A status of a query as a watch keeps it. */
export function asWatched(status: MalaysiaStatus): MalaysiaStatus {
  const { raw = '' } = status;
  if (raw.length <= maxWatchedRawLength) return status;
  return { ...status, raw: membersThatFit(JSON.parse(raw), maxWatchedRawLength) };
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

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
