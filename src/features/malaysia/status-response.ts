/**
 * Reads the response of the Malaysian status endpoint, whose shape is not stated (docs/service.md, "Malaysian status"):
 * the state, its reason and the portal's ids are looked for in the response and in the objects in it.
 */
import type { MalaysiaStatusConfig } from '../../config/config.ts';
import { shortened } from '../../tools/shortened.ts';
import { type ReportDrift, readResponse, UndecodableError, type WireObject } from '../../upstream/decode.ts';
import {
  decodePortal,
  doubtAbout,
  type GovPortalSubmission,
  portalNames,
  portalStandIn,
} from './gov-portal.ts';
import { isAboutCall, isDocumentName, leavesStateOpen, namesAnother } from './status-evidence.ts';
import { type Part, partsOf, type StateWord } from './status-parts.ts';
import { acknowledgement, otherReasonIn, reasonsIn, reasonText } from './status-reason.ts';
import { finalStates, stateOf } from './status-words.ts';

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
  const parts = partsOf(top, documentId);
  const { statePath } = config;
  const word = statePath ? wordAt(statePath, parts, config) : wordIn(parts, config);
  // A configured path leads to the document.
  if (!word || (!statePath && isAboutCall(top, parts, word, documentId))) {
    throw new UndecodableError('The response has no status of the document.', { member: 'status' });
  }
  const isOfAnother = namesAnother(parts, word.part, documentId);
  const isOpen = isOfAnother || (!statePath && leavesStateOpen(top, parts, word, documentId));
  const state = isOpen ? 'UNKNOWN' : word.state;
  if (isOfAnother) top.reportMistyped('docId');
  else if (state === 'UNKNOWN') word.part.wire.reportUnknownWord('status');
  const message = config.reasonPath ? reasonAt(config.reasonPath, top.members) : reasonIn(parts, word);
  const govPortal = govPortalIn(parts);
  const details = isOfAnother ? { message: null, govPortal: null } : { message, govPortal };
  for (const name of ['statusCode', 'code', 'success', 'data']) top.raw(name);
  for (const { wire } of parts) {
    for (const name of Object.keys(wire.members)) if (isDocumentName(name)) wire.raw(name);
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
 * The innermost known word of the document, since the word of an envelope describes the call; then its innermost text, unless
 * that only acknowledges the call; then a known word of another object. UNKNOWN when it is one of several that differ, any of
 * which may be another's, and when it is final and its object has another known word.
 */
function wordIn(parts: readonly Part[], config: MalaysiaStatusConfig): StateWord | undefined {
  const words = parts.flatMap((part) => {
    const all = part.texts.map((raw): StateWord => ({ raw, state: stateOf(raw, config), part }));
    return all.find(({ state }) => state !== 'UNKNOWN') ?? all[0] ?? [];
  });
  const rank = ({ raw, state, part }: StateWord) => {
    const isUnknown = state === 'UNKNOWN';
    const isOwn = part.isOfDocument && !(isUnknown && acknowledgement.test(raw.trim()));
    return (isOwn ? 2_000 : 0) + (isUnknown ? 0 : 1_000) + part.depth;
  };
  const [best, ...others] = words.sort((a, b) => rank(b) - rank(a));
  const isDoubtful =
    best &&
    (isContradicted(best, config) ||
      others.some((other) => rank(other) === rank(best) && other.state !== best.state));
  return isDoubtful ? { ...best, state: 'UNKNOWN' } : best;
}

/** Whether a final word has another known one in its object. What is cancelled was valid before. */
function isContradicted({ state, part }: StateWord, config: MalaysiaStatusConfig): boolean {
  if (!finalStates.includes(state)) return false;
  const others = part.texts.map((text) => stateOf(text, config));
  return others.some(
    (other) => other !== 'UNKNOWN' && other !== state && !(state === 'CANCELLED' && other === 'VALIDATED'),
  );
}

/** Its part is the innermost one on the path. An object that holds nothing but the state is not a part. */
function wordAt(
  path: readonly string[],
  parts: readonly [Part, ...Part[]],
  config: MalaysiaStatusConfig,
): StateWord | undefined {
  const { members } = parts[0].wire;
  const value = valueAt(path, members);
  // A number or a Boolean at the configured place is a word too, such as a code of the state.
  const raw = typeof value === 'object' ? '' : String(value ?? '');
  if (raw.trim() === '') return undefined;
  const around = path.map((_step, depth) => valueAt(path.slice(0, depth), members));
  const part = parts.findLast(({ wire }) => around.includes(wire.members)) ?? parts[0];
  return { raw, state: stateOf(raw, config), part };
}

/** The value that the steps lead to; a step into a list is an index. */
export function valueAt(path: readonly string[], value: unknown): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? (inner as Readonly<Record<string, unknown>>)[step]
        : undefined,
    value,
  );
}

/**
 * The best reason in the response: one of a `reason` or of `errors` before a `message`, and one next to the state before
 * others. A message that only acknowledges the call, or that is next to an envelope's word, is last. Without any of them it is a
 * code, or a text under another name in one of these members.
 */
function reasonIn(parts: readonly Part[], word: StateWord): string | null {
  const ordered = parts
    .filter(({ isOfDocument, depth }) => isOfDocument || depth <= 1)
    .sort((a, b) => Number(b === word.part) - Number(a === word.part));
  const found = ordered.map((part) => {
    const isOfEnvelope = part !== word.part && part.texts.length > 0;
    return { ...reasonsIn(part.wire), isOfEnvelope };
  });
  const { reason } = found.find(({ reason }) => reason !== null) ?? {};
  const messages = found.filter(({ message }) => message !== null);
  const best = messages.find(({ isOfEnvelope, isAcknowledgement }) => !isOfEnvelope && !isAcknowledgement);
  const others = () => ordered.map(({ wire }) => otherReasonIn(wire)).find((text) => text !== null);
  return reason ?? (best ?? messages[0])?.message ?? others() ?? null;
}

function reasonAt(path: readonly string[], members: WireObject['members']): string | null {
  const found = valueAt(path, members);
  // A number at the configured place is a code of the reason.
  const value = typeof found === 'number' ? String(found) : found;
  return reasonText(value) ?? reasonText(value, 'any');
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
