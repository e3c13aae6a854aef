/**
 * Reads the response of the Malaysian status endpoint, whose shape is not stated (docs/service.md, "Malaysian status"):
 * the state, its reason and the portal's ids may each be at the top or one level down.
 */
import { isObject } from '../../tools/is-object.ts';
import { type ReportDrift, readResponse, UndecodableError, type WireObject } from '../../upstream/decode.ts';
import {
  decodePortal,
  doubtAbout,
  type GovPortalSubmission,
  hasPortalShape,
  portalNames,
  portalStandIn,
} from './gov-portal.ts';

export const malaysiaStates = [
  'QUEUED',
  'SUBMITTED',
  'VALIDATED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
  'UNKNOWN',
] as const;

export type MalaysiaState = (typeof malaysiaStates)[number];

export interface StatusResponse {
  readonly state: MalaysiaState;
  readonly rawState: string;
  readonly message: string | null;
  readonly govPortal: GovPortalSubmission | null;
}

/** Public portal words and those of the service's document: in lower case, without blanks and underscores. */
const states: Readonly<Record<string, MalaysiaState>> = {
  queued: 'QUEUED',
  pending: 'QUEUED',
  processing: 'QUEUED',
  accepted: 'QUEUED',
  submitted: 'SUBMITTED',
  validated: 'VALIDATED',
  valid: 'VALIDATED',
  rejected: 'REJECTED',
  invalid: 'REJECTED',
  failed: 'FAILED',
  validationfailed: 'FAILED',
  error: 'FAILED',
  cancelled: 'CANCELLED',
  canceled: 'CANCELLED',
};

const stateNames = ['status', 'state', 'documentStatus'];
const reasonNames = ['reason', 'message', 'errors'];
/** Members that identify the document, of which nothing is read. */
const documentNames = ['documentId', 'docId', 'docNumber', 'docType'];

/** One object of the response in which members of a status are looked for. */
interface Part {
  readonly wire: WireObject;
  readonly words: readonly StateWord[];
}

interface StateWord {
  readonly raw: string;
  readonly state: MalaysiaState;
  readonly wire: WireObject;
}

export function decodeStatus(body: unknown, report: ReportDrift): StatusResponse {
  const top = readResponse(body, 'status', report);
  const parts = [top, ...partsBelow(top)].map((wire) => ({ wire, words: stateWordsIn(wire) }));
  const word = stateWordOf(parts);
  if (!word || isRefusal(top, parts, word)) {
    throw new UndecodableError('The response has no status.', { hasEnvelope: false, member: 'status' });
  }
  if (word.state === 'UNKNOWN') word.wire.reportUnknownWord('status');
  const message = reasonIn(parts, word);
  const govPortal = govPortalIn(parts);
  for (const name of [...documentNames, 'statusCode', 'data']) top.raw(name);
  for (const { wire } of parts) {
    if (wire !== top) for (const name of documentNames) wire.raw(name);
    wire.finish({ optional: 'all' });
  }
  return { state: word.state, rawState: word.raw, message, govPortal };
}

/** The objects one level down that hold a state, a reason or the portal's ids. */
function partsBelow(top: WireObject): WireObject[] {
  return Object.entries(top.members).flatMap(([name, member]) => {
    if (!isObject(member)) return [];
    const hasStatus = [...stateNames, ...reasonNames].some((known) => Object.hasOwn(member, known));
    const isPart = hasStatus || hasPortalShape(member) || Object.values(member).some(hasPortalShape);
    return (isPart && top.object(name)) || [];
  });
}

function stateWordsIn(wire: WireObject): StateWord[] {
  return stateNames.flatMap((name) => {
    const raw = wire.raw(name);
    if (typeof raw !== 'string' || raw.trim() === '') return [];
    const word = raw.toLowerCase().replaceAll(/[\s_]/g, '');
    const state = Object.hasOwn(states, word) ? (states[word] as MalaysiaState) : 'UNKNOWN';
    return [{ raw, state, wire }];
  });
}

/** The first word that is known, so that an envelope's own word ("success") does not hide it; else the first word. */
function stateWordOf(parts: readonly Part[]): StateWord | undefined {
  const words = parts.flatMap((part) => part.words);
  return words.find(({ state }) => state !== 'UNKNOWN') ?? words[0];
}

/**
 * Whether the response rejects the call and reports nothing about the document: `errors` with codes, or a
 * `statusCode` of 400 or more, without any data of a document.
 */
function isRefusal(top: WireObject, parts: readonly Part[], word: StateWord): boolean {
  const { data, errors, statusCode } = top.members;
  // An envelope may have these words, with an id that it only repeats.
  const isEnvelopeWord = word.state === 'FAILED' || word.state === 'UNKNOWN';
  const hasDocument =
    parts.some(({ wire, words }) => wire !== top && words.length > 0) ||
    (isObject(data) && Object.values(data).some((member) => member !== null)) ||
    (!isEnvelopeWord && documentNames.some((name) => (top.members[name] ?? null) !== null)) ||
    Object.values(top.members).some(hasPortalShape);
  if (hasDocument) return false;
  if (Number(statusCode) >= 400) return true;
  const codes = [errors].flat().map((error) => (error as GraphQLErrorLike)?.extensions?.code);
  // Without `data`, an error with another code may also be the reason of a document that was rejected.
  const mayBeReason = data === undefined && !isEnvelopeWord && !codes.some(isRefusalCode);
  return !mayBeReason && codes.some((code) => typeof code === 'string');
}

type GraphQLErrorLike = { readonly extensions?: { readonly code?: unknown } } | null | undefined;

function isRefusalCode(code: unknown): boolean {
  return ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT'].includes(code as string);
}

/**
 * The best reason in the response. A `reason` and `errors` are better than a `message`, and the part with the state is
 * better than others. A message that only acknowledges the call ("OK"), or that is next to an envelope's word, is last.
 */
function reasonIn(parts: readonly Part[], word: StateWord): string | null {
  const ordered = [...parts].sort((a, b) => Number(b.wire === word.wire) - Number(a.wire === word.wire));
  const messages: string[] = [];
  const lastMessages: string[] = [];
  const reasons = ordered.flatMap(({ wire, words }) => {
    const message = wire.string('message')?.trim();
    const isOfEnvelope = wire !== word.wire && words.length > 0;
    const isLast = isOfEnvelope || /^(ok|okay|success(ful|fully)?|done)[.!]?$/i.test(message ?? '');
    if (message) (isLast ? lastMessages : messages).push(message);
    return [wire.string('reason')?.trim() || errorTexts(wire).join('; ')].filter((text) => text !== '');
  });
  return [...reasons, ...messages, ...lastMessages][0] ?? null;
}

function errorTexts(wire: WireObject): string[] {
  return wire.list('errors').flatMap((error) => {
    const text = isObject(error) ? error['message'] : error;
    if (typeof text === 'string') return text.trim() || [];
    wire.reportMistyped('errors');
    return [];
  });
}

interface PortalCandidate {
  readonly doubt: number;
  readonly wire: WireObject;
}

/** The portal's ids: the most certain object with their shape. Ids next to a state are the portal's only with a `submissionId`. */
function govPortalIn(parts: readonly Part[]): GovPortalSubmission | null {
  const partOf = new Map(parts.map((part) => [part.wire.members, part] as const));
  const candidates: PortalCandidate[] = [];
  for (const { wire, words } of parts) {
    const flatDoubt = doubtAbout('', wire.members);
    if (words.length > 0 && flatDoubt <= 2) candidates.push({ doubt: flatDoubt, wire });
    wire.raw(portalStandIn);
    for (const name of portalNames(wire.members)) {
      const member = wire.members[name] as WireObject['members'];
      const part = partOf.get(member);
      const doubt = doubtAbout(name, member);
      const isDocument = name === 'data' || (part?.words.length ?? 0) > 0;
      const portal = isDocument && doubt > 2 ? null : (part?.wire ?? wire.object(name));
      if (portal) candidates.push({ doubt, wire: portal });
    }
  }
  const [best] = candidates.sort((a, b) => a.doubt - b.doubt);
  if (!best) return null;
  const portal = decodePortal(best.wire);
  if (!partOf.has(best.wire.members)) best.wire.finish({ optional: 'all' });
  return portal;
}
