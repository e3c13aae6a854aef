/** What a response of the service means. */
import { isUtf8 } from 'node:buffer';
import { ownTurn } from '../../tools/event-loop-turns.ts';
import { isObject } from '../../tools/is-object.ts';
import { exceededBound, isDeeper, type JsonBounds } from '../../tools/json-structure.ts';
import { type ReportDrift, UndecodableError } from '../decode.ts';
import { readServiceJson, serviceJsonInSteps } from '../exact-json.ts';
import { reasonsIn, reportedBeside } from '../texts/service-texts.ts';
import type { Call } from './call.ts';
import type { UpstreamResponse } from './decompression.ts';
import { type FailedCall, type FailedOutcome, type FailureFacts, failedOutcome } from './failed-outcome.ts';
import { type Failure, failureOfStatus, hasResult } from './failure-table.ts';
import { retryAfterMs, sentAt } from './retry.ts';

export type AttemptOutcome<T> =
  | { readonly status: number; readonly value: T; readonly health: 'good' }
  | FailedOutcome;

export function outcomeOfResponse<T>(
  call: FailedCall & { readonly description: Pick<Call<T>, 'decode'> },
  response: UpstreamResponse,
  { json: body, isTooLarge }: ParsedBody,
  reportDrift: ReportDrift,
): AttemptOutcome<T> {
  const { status } = response;
  const isPage = body === undefined && isHtmlPage(response);
  const fail = (failure: Failure, facts: FailureFacts = {}) => {
    const found = body === undefined && !isPage ? plainTextIn(response) : body;
    const texts = reasonsIn(found, call, { isResult: hasResult(status) });
    return failedOutcome(call, failure, { status, texts, ...facts });
  };
  if (!hasResult(status)) {
    // An error response should have no body or a JSON object.
    if (status === 404 && response.body?.length !== 0 && !isObject(body)) {
      reportDrift({ kind: 'mistyped-member', member: 'response' });
    }
    const waitMs = retryAfterMs(response.headers['retry-after'], sentAt(response.headers.date));
    const signs = { kind: call.endpoint.kind, hasRetryAfter: waitMs !== undefined, isPage };
    return fail(failureOfStatus(status, signs), { retryAfterMs: waitMs });
  }
  // Bytes that are not UTF-8 are read as U+FFFD.
  if (response.body && !isUtf8(response.body)) reportDrift({ kind: 'not-utf8', member: 'response' });
  const mistyped = new Set<string>();
  let differences = 0;
  const report: ReportDrift = (drift) => {
    if (drift.kind === 'mistyped-member') mistyped.add(drift.member.slice(drift.member.lastIndexOf('.') + 1));
    differences += 1;
    if (differences <= maxDifferences) reportDrift(drift);
  };
  try {
    const warnings = call.endpoint.kind === 'write' ? reportedBeside(body, call) : [];
    return { status, value: call.description.decode(body, report, warnings), health: 'good' };
  } catch (cause) {
    if (!(cause instanceof UndecodableError)) throw cause;
    // A member of another type is already reported.
    if (!mistyped.has(cause.member)) reportDrift({ kind: 'missing-member', member: cause.member });
    const isRead = call.endpoint.kind === 'read';
    const refusal = refusalIn(body, isRead, !isRead && cause.hasData);
    if (refusal) return fail(refusal, { cause });
    reportDrift({ kind: 'unreadable', body });
    if (isPage) return fail('page', { cause });
    return fail(isTooLarge ? 'too large' : 'unreadable', { cause });
  }
}

/** Bytes of a response that is not JSON in which its reason is looked for: more than the longest one that is passed on. */
const plainTextBytes = 2_000;

/**
 * The text of a response that is not JSON. undefined for data, which may be that of a person: JSON that was cut, binary data,
 * and several lines in place of a result.
 */
function plainTextIn({ status, body }: UpstreamResponse): string | undefined {
  // As a stream: a character that is cut is left out.
  const text = body && new TextDecoder().decode(body.subarray(0, plainTextBytes), { stream: true }).trim();
  if (text === null || /^(["{]|\[\s*["{[])/.test(text) || /[^\P{Cc}\s]/u.test(text)) return undefined;
  return hasResult(status) && /[\r\n]/.test(text) ? undefined : text;
}

/** The codes of `errors` in a response, as GraphQL services send them; undefined for an error without a code. */
export function errorCodesIn(body: unknown): unknown[] {
  const errors = isObject(body) ? [body['errors'] ?? []].flat() : [];
  return errors.map((error) => (error as { extensions?: { code?: unknown } } | null)?.extensions?.code);
}

/** Failures by the error code in a response. A Map: an object would also find members of its prototype. */
export const failureOfCode: ReadonlyMap<unknown, Failure> = new Map([
  ['BAD_USER_INPUT', '400'],
  ['UNAUTHENTICATED', '401'],
  ['FORBIDDEN', '403'],
  ['NOT_FOUND', '404'],
]);

/**
 * The failure that a response of status 200 states: by the codes of its `errors`, or, for a
 * read, by a `statusCode`, a `status` or a `code` at the top. undefined when one of several codes does not prove that nothing
 * was done. `hasData`: the write may have been done whatever the codes say.
 */
function refusalIn(body: unknown, isRead: boolean, hasData: boolean): Failure | undefined {
  if (!isObject(body) || hasData) return undefined;
  const codes = errorCodesIn(body);
  if (codes.length > 0 && codes.every((code) => failureOfCode.has(code))) return failureOfCode.get(codes[0]);
  if (!isRead) return undefined;
  const stated = [body['statusCode'], body['status'], body['code']];
  const status = (['401', '403', '404'] as const).find((each) =>
    stated.some((value) => value === each || value === Number(each)),
  );
  return failureOfCode.get(body['code']) ?? status;
}

/** Most differences of one response that are counted: the service decides how many there are. */
const maxDifferences = 1_000;

/** More than any response has: one of 32 MiB could hold 10 million values. These take about 100 ms to decode. */
const jsonBounds: JsonBounds = {
  maxValues: 200_000,
  maxDepth: 1_000,
  maxNames: 10_000,
  maxDigits: 4_000_000,
};
/** Up to this size (bytes) a response holds at most 131,072 values and 33,000 names. Its levels are counted when it is parsed. */
const smallResponseBytes = 256 * 1024;

/** The body of a response as JSON. */
export interface ParsedBody {
  /** undefined when the body is not JSON, or is too large. */
  readonly json: unknown;
  /** Whether it has more bytes or values than any response of the service. */
  readonly isTooLarge: boolean;
}

/** Of a body that did not come to its end. */
export const unread: ParsedBody = { json: undefined, isTooLarge: false };

function isTooLargeBody({ body }: UpstreamResponse): boolean {
  if (body === null) return true;
  return body.length > smallResponseBytes && exceededBound(body, jsonBounds) !== undefined;
}

export function parsedBody(response: UpstreamResponse): ParsedBody {
  const isTooLarge = isTooLargeBody(response);
  if (isTooLarge) return { json: undefined, isTooLarge };
  try {
    return bodyOf(readServiceJson(response.body as Buffer), response.body as Buffer);
  } catch {
    return unread;
  }
}

/** JSON of more levels cannot be written again where a part of it is passed on: into a result, or an outcome in Redis. */
function bodyOf(json: unknown, { length }: Buffer): ParsedBody {
  const isTooDeep = length > jsonBounds.maxDepth && isDeeper(json, jsonBounds.maxDepth);
  return { json: isTooDeep ? undefined : json, isTooLarge: isTooDeep };
}

/** As `parsedBody`, each step in a turn of its own. `maxBytes`: of its text in UTF-8. */
export async function parsedInSteps(response: UpstreamResponse, maxBytes: number): Promise<ParsedBody> {
  const body = response.body as Buffer;
  const isTooLarge = isTooLargeBody(response);
  await ownTurn({ isNextStep: true });
  // A byte that is not UTF-8 takes three in the text.
  const mayGrow = !isTooLarge && 3 * body.length > maxBytes && !isUtf8(body);
  const isTooLong = mayGrow && Buffer.byteLength(body.toString()) > maxBytes;
  if (isTooLarge || isTooLong) return { json: undefined, isTooLarge: true };
  try {
    const steps = serviceJsonInSteps(body);
    let step = steps.next();
    while (!step.done) {
      await ownTurn({ isNextStep: true });
      step = steps.next();
    }
    return bodyOf(step.value, body);
  } catch {
    return unread;
  }
}

/**
 * The beginning of an HTML page, after an XML declaration and comments. A comment can end in one place only: otherwise the
 * time doubles with each comment.
 */
const htmlStart =
  /^(?:<\?[^>]*>|<!--(?:(?!-->).)*-->|\s)*<(?:!doctype\s+html|html|head|body|title|meta|center|h1)\b/is;

/**
 * Whether the response is an HTML page: the service sends none, a proxy in front of it does. Any text that begins with
 * "<" counts as one, unless its type is XML and it does not begin like HTML.
 */
function isHtmlPage({ headers, body }: UpstreamResponse): boolean {
  const type = String(headers['content-type'] ?? '').toLowerCase();
  if (/^(text\/html|application\/xhtml\+xml)/.test(type)) return body?.length !== 0;
  // A byte order mark and the zeros of UTF-16 are skipped.
  const text = (body?.toString('utf8', 0, 1_000) ?? '').replaceAll(/[\ufeff\ufffd\0]/g, '').trimStart();
  return /^[^;]*\bxml\b/.test(type) ? htmlStart.test(text) : text.startsWith('<');
}
