/** Whether a response of the status endpoint is evidence of the document: not about the call alone, nor about another document. */
import { errorCodesIn, failureOfCode } from '../../upstream/call/response-outcome.ts';
import { oneObject, type WireObject } from '../../upstream/decode.ts';
import { hasPortalShape } from './gov-portal.ts';
import { digitsOf, idsIn, type Part, type StateWord } from './status-parts.ts';
import { mayDescribeCall, normalized } from './status-words.ts';

/** Names of members that identify or describe the document, normalized. */
const documentName =
  /^(doc(?!umentation)|einvoice|invoice|portal|submi|validat|reject|queueid|uuid|supplier|buyer|lines$|totals$|trackingurl)/;

export function isDocumentName(name: string): boolean {
  return documentName.test(normalized(name));
}

const isRefusalCode = (code: unknown) => failureOfCode.has(code);

/** A status of HTTP in place of a state. */
const failedStatus = /^[45]\d\d$/;

/**
 * Whether the response describes the call, and reports nothing about the document: it says that the call was rejected, or
 * its only word is one for a call that failed.
 */
export function isAboutCall(
  top: WireObject,
  parts: readonly Part[],
  word: StateWord,
  documentId: string,
): boolean {
  const { part, raw, state } = word;
  const { data, code, success } = top.members;
  const statusCode = numberIn(top.members['statusCode']);
  const codes = errorCodesIn(top.members);
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

/**
 * Whether the word may describe the call although another object has a word that may be the document's: `failed` alone at the
 * top, without anything of the document, next to another text for a state.
 */
export function leavesStateOpen(
  top: WireObject,
  parts: readonly Part[],
  { part, raw }: StateWord,
  documentId: string,
): boolean {
  const isLone = part.depth === 0 && mayDescribeCall(raw) && !describesDocument(top.members, documentId);
  const ownWords = part.texts.map(normalized);
  return isLone && parts.some(({ texts }) => texts.some((text) => !ownWords.includes(normalized(text))));
}

/** Whether an object holds the document's id, or another member of the document than its state. */
function describesDocument({ id, ...members }: WireObject['members'], documentId: string): boolean {
  return (
    id === documentId ||
    (typeof id === 'number' && String(id) === documentId) ||
    Object.entries(members).some(([name, value]) => isPresent(value) && isDocumentName(name))
  );
}

/** Whether the object with the state, or one around it, has the id of another document and not this one's. Ids of different forms show nothing. */
export function namesAnother(parts: readonly Part[], part: Part, documentId: string): boolean {
  const ids = parts
    .filter((other) => other === part || (other.isOfDocument && other.depth < part.depth))
    .flatMap(({ wire: { members } }) => idsIn(members));
  const asked = digitsOf(documentId);
  return asked !== undefined && ids.length > 0 && ids.every((id) => id !== undefined && id !== asked);
}

/** A number, or a text of one. An object with a `toString` of the service cannot be converted. */
function numberIn(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}
