/**
 * Reads the response of the Malaysian status endpoint, whose shape is not stated (docs/service.md, "Malaysian status"):
 * the state, its reason and the portal's ids are looked for in the response and in the objects in it.
 */
import type { MalaysiaState, MalaysiaStatusConfig } from '../../config/config.ts';
import { shortened } from '../../tools/shortened.ts';
import {
  oneObject,
  type ReportDrift,
  readResponse,
  UndecodableError,
  type WireObject,
} from '../../upstream/decode.ts';
import {
  decodePortal,
  doubtAbout,
  type GovPortalSubmission,
  hasPortalShape,
  portalNames,
  portalStandIn,
} from './gov-portal.ts';
import { type Part, partsOf } from './status-parts.ts';
import { reasonsIn, reasonText } from './status-reason.ts';
import { mayDescribeCall, membersNamed, normalized, stateIsFinal, stateOf } from './status-words.ts';

interface StateWord {
  readonly raw: string;
  readonly state: MalaysiaState;
  /** The object with the word; undefined at a configured path. */
  readonly part: Part | undefined;
}

/** Maximum length of `rawState`, in characters. */
const maxWordLength = 200;
/** Maximum length of `raw` as JSON, in characters. */
export const maxRawLength = 16 * 1024;
/** The same of a watched status: each watch holds one. */
export const maxWatchedRawLength = 4 * 1024;

/** Throws `UndecodableError` when the response has no state, or describes a call that failed instead of the document. */
export function decodeStatus(
  body: unknown,
  documentId: string,
  report: ReportDrift,
  config: MalaysiaStatusConfig,
  rawLength = maxRawLength,
) {
  const top = readResponse(body, 'status', report);
  const parts = partsOf(top);
  const word = config.statePath ? wordAt(config.statePath, top, config) : wordIn(parts, config);
  if (!word || isAboutCall(top, parts, word, documentId)) {
    throw new UndecodableError('The response has no status of the document.', { member: 'status' });
  }
  const isOfAnother = word.part !== undefined && namesAnother(parts, word.part, documentId);
  const state = isOfAnother ? 'UNKNOWN' : word.state;
  if (isOfAnother) top.reportMistyped('docId');
  else if (state === 'UNKNOWN') (word.part?.wire ?? top).reportUnknownWord('status');
  const message = config.reasonPath
    ? reasonText(valueAt(config.reasonPath, top.members))
    : reasonIn(parts, word);
  const govPortal = govPortalIn(parts);
  const details = isOfAnother ? { message: null, govPortal: null } : { message, govPortal };
  for (const name of ['statusCode', 'code', 'success', 'data']) top.raw(name);
  for (const { wire } of parts) {
    for (const name of Object.keys(wire.members)) if (documentName.test(normalized(name))) wire.raw(name);
    wire.finish(null, { optional: 'all' });
  }
  return {
    state,
    rawState: shortened(word.raw, maxWordLength),
    ...details,
    /** The response as the service sent it, as JSON: its size is known. Members that do not fit into `rawLength` are left out. */
    raw: membersThatFit(top.members, rawLength),
  };
}

/**
 * The innermost known word of the document, since the word of an envelope describes the call; then one of another object.
 * Without a known word the innermost text. UNKNOWN when it is one of several that differ, any of which may be another's, and
 * when it is final and its object has another known word.
 */
function wordIn(parts: readonly Part[], config: MalaysiaStatusConfig): StateWord | undefined {
  const words = parts.flatMap((part) => {
    const all = part.texts.map((raw): StateWord => ({ raw, state: stateOf(raw, config), part }));
    return all.find(({ state }) => state !== 'UNKNOWN') ?? all[0] ?? [];
  });
  const rank = ({ state, part }: StateWord) =>
    (state === 'UNKNOWN' ? 0 : 1_000) + (part?.isOfDocument ? 100 : 0) + (part?.depth ?? 0);
  const [best, ...others] = words.sort((a, b) => rank(b) - rank(a));
  const isDoubtful =
    best &&
    (isContradicted(best, config) ||
      others.some((other) => rank(other) === rank(best) && other.state !== best.state));
  return isDoubtful ? { ...best, state: 'UNKNOWN' } : best;
}

/** Whether a final word has another known one in its object. What is cancelled was valid before. */
function isContradicted({ state, part }: StateWord, config: MalaysiaStatusConfig): boolean {
  if (!stateIsFinal[state] || !part) return false;
  const others = part.texts.map((text) => stateOf(text, config));
  return others.some(
    (other) => other !== 'UNKNOWN' && other !== state && !(state === 'CANCELLED' && other === 'VALIDATED'),
  );
}

function wordAt(
  path: readonly string[],
  { members }: WireObject,
  config: MalaysiaStatusConfig,
): StateWord | undefined {
  const value = valueAt(path, members);
  // A number or a Boolean at the configured place is a word too, such as a code of the state.
  const raw = typeof value === 'object' ? '' : String(value ?? '');
  if (raw.trim() === '') return undefined;
  return { raw, state: stateOf(raw, config), part: undefined };
}

/** The value that the steps lead to; a step into a list is an index. */
function valueAt(path: readonly string[], value: unknown): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? (inner as Readonly<Record<string, unknown>>)[step]
        : undefined,
    value,
  );
}

/** Members that identify or describe the document, normalized. */
const documentName =
  /^(doc(?!umentation)|einvoice|invoice|portal|submi|validat|reject|queueid|uuid|supplier|buyer|lines$|totals$|trackingurl)/;
/** A status of HTTP in place of a state. */
const failedStatus = /^[45]\d\d$/;

/**
 * Whether the response describes the call, and reports nothing about the document: it says that the call was rejected, or
 * its only word is one for a call that failed.
 */
function isAboutCall(top: WireObject, parts: readonly Part[], word: StateWord, documentId: string): boolean {
  const { part, raw, state } = word;
  // A configured path leads to the document.
  if (!part) return false;
  const { data, errors, code, success } = top.members;
  const statusCode = numberIn(top.members['statusCode']);
  const codes = [errors].flat().map((error) => (error as GraphQLErrorLike)?.extensions?.code);
  const isRefused = [code, ...codes].some(isRefusalCode) || [401, 403, 404].includes(statusCode);
  const isInDocument = part.depth > 0 && describesDocument(part.wire.members, documentId);
  // So does an object in an envelope. That the call was refused leaves a failure in it open.
  if (part.depth > 0 && (!mayDescribeCall(raw) || isInDocument)) return false;
  if (part.depth > 0 && part.isOfDocument) return isRefused;
  const hasOtherWord = parts.some((other) => other !== part && other.depth > 0 && other.texts.length > 0);
  const hasData = Object.values(oneObject(data) ?? {}).some(isPresent);
  if (hasOtherWord || hasData || Object.values(top.members).some(hasPortalShape)) return false;
  const isDoubtful = mayDescribeCall(raw) || state === 'UNKNOWN';
  const isDescribed = describesDocument(top.members, documentId);
  // An envelope may repeat the id of the document next to the reason why the call failed.
  if (isDescribed && !isDoubtful) return false;
  if (statusCode >= 400 || isRefusalCode(code) || (state === 'UNKNOWN' && failedStatus.test(raw)))
    return true;
  // Without `data`, an error with another code may also be the reason of a document that was rejected.
  const mayBeReason = data === undefined && !isDoubtful && !codes.some(isRefusalCode);
  if (!mayBeReason && codes.some((each) => typeof each === 'string')) return true;
  if (isDescribed) return false;
  const hasSucceeded = statusCode >= 200 && statusCode < 300;
  return success === false || (mayDescribeCall(raw) && !hasSucceeded);
}

/** Whether an object holds the document's id, or another member of the document than its state. */
function describesDocument({ id, ...members }: WireObject['members'], documentId: string): boolean {
  return (
    id === documentId ||
    (typeof id === 'number' && String(id) === documentId) ||
    Object.entries(members).some(([name, value]) => isPresent(value) && documentName.test(normalized(name)))
  );
}

/** Names of the document's id, normalized. */
const idNames = ['docid', 'documentid'];

/** Whether the object with the state, or one around it, has the id of another document and not this one's. Ids of different forms show nothing. */
function namesAnother(parts: readonly Part[], part: Part, documentId: string): boolean {
  const ids = parts
    .filter((other) => other === part || (other.isOfDocument && other.depth < part.depth))
    .flatMap(({ wire: { members } }) =>
      membersNamed(idNames, members).map((name) => digitsOf(members[name])),
    );
  const asked = digitsOf(documentId);
  return asked !== undefined && ids.length > 0 && ids.every((id) => id !== undefined && id !== asked);
}

/** Longest id that is compared, in characters: the service decides how many zeros it has. */
const maxIdLength = 40;

/** The digits of an id without leading zeros; undefined for anything but a number or a text of digits. */
function digitsOf(id: unknown): string | undefined {
  const text = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
  return text.length <= maxIdLength ? /^0*(\d+)$/.exec(text)?.[1] : undefined;
}

/** A number, or a text of one. An object with a `toString` of the service cannot be converted. */
function numberIn(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}

type GraphQLErrorLike = { readonly extensions?: { readonly code?: unknown } } | null | undefined;

function isRefusalCode(code: unknown): boolean {
  return ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT'].includes(code as string);
}

/**
 * The best reason in the response: one of a `reason` or of `errors` before a `message`, and one next to the state before
 * others. A message that only acknowledges the call, or that is next to an envelope's word, is last.
 */
function reasonIn(parts: readonly Part[], word: StateWord): string | null {
  const ordered = [...parts].sort((a, b) => Number(b === word.part) - Number(a === word.part));
  const [reasons, messages, lastMessages]: string[][] = [[], [], []];
  for (const part of ordered) {
    if (!part.isOfDocument && part.depth > 1) continue;
    const { reason, message, isAcknowledgement } = reasonsIn(part.wire);
    const isOfEnvelope = part !== word.part && part.texts.length > 0;
    if (reason !== null) reasons?.push(reason);
    if (message !== null) (isOfEnvelope || isAcknowledgement ? lastMessages : messages)?.push(message);
  }
  return [reasons, messages, lastMessages].flat()[0] ?? null;
}

/** The portal's ids: the most certain object with their shape. Ids next to a state are the portal's only with a `submissionId`. */
function govPortalIn(parts: readonly Part[]): GovPortalSubmission | null {
  const partOf = new Map(parts.map((part) => [part.wire.members, part] as const));
  const candidates: { readonly doubt: number; readonly wire: WireObject }[] = [];
  for (const { wire, texts } of parts) {
    const flatDoubt = doubtAbout('', wire.members);
    if (texts.length > 0 && flatDoubt <= 2) candidates.push({ doubt: flatDoubt, wire });
    wire.raw(portalStandIn);
    for (const name of portalNames(wire.members)) {
      const part = partOf.get(wire.members[name] as WireObject['members']);
      const doubt = doubtAbout(name, wire.members[name]);
      const isDocument = name === 'data' || (part?.texts.length ?? 0) > 0;
      const portal = isDocument && doubt > 2 ? null : (part?.wire ?? wire.object(name));
      if (portal) candidates.push({ doubt, wire: portal });
    }
  }
  const [best] = candidates.sort((a, b) => a.doubt - b.doubt);
  if (!best) return null;
  const portal = decodePortal(best.wire);
  return partOf.has(best.wire.members) ? portal : best.wire.finish(portal, { optional: 'all' });
}

/** The members that fit into `maxLength` characters, the first ones first, as JSON. */
export function membersThatFit(members: WireObject['members'], maxLength: number): string {
  let length = 1;
  const fitting = Object.entries(members).flatMap(([name, value]) => {
    const member = JSON.stringify({ [name]: value }).slice(1, -1);
    if (length + member.length + 1 > maxLength) return [];
    length += member.length + 1;
    return member;
  });
  return `{${fitting.join()}}`;
}
