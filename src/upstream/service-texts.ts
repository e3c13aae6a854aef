/**
 * What the service writes about an input or together with a result: found in the usual forms, and made safe to pass on. An
 * HTML page is not searched: call/response-outcome.ts.
 */
import type { Caller } from '../caller.ts';
import type { InputProblem } from '../input-problems.ts';
import { isObject } from '../tools/is-object.ts';
import { detached, shortened } from '../tools/shortened.ts';
import { oneObject } from './decode.ts';
import type { Endpoint } from './endpoint.ts';
import { inputPath, isStep, membersIn, normalized, placeIn, placeMembers, stepsOf } from './input-path.ts';
import { withoutAddresses, withoutCredentials } from './text-redaction.ts';

/** A text of the service about one member of the input. */
export interface ServiceText {
  /** Path in the field's arguments; empty when the text names no member of the input. */
  readonly path: readonly string[];
  readonly text: string;
}

export const maxTexts = 20;
/** Longest text that is passed on, in UTF-16 code units. */
const maxLength = 500;
/** Longest text that is searched for what must not be passed on. */
const maxSearched = 2_000;
/** Longest text that may be a reason: a longer one is data. */
const maxReason = 64 * 1_024;
/**
 * Most levels and most values that are searched: the service decides how many there are. A reason for the amount of a tax of a
 * line is twelve levels deep where each member has a list of `children`.
 */
const maxDepth = 12;
const maxValues = 1_000;

const listed = (...lines: readonly string[]) => lines.join(' ').split(' ');

/** Members that hold texts, or objects with texts, normalized. The more specific ones are first. */
const textMembers = listed(
  'message messages errors error detail details title msg reason reasons description errordescription errormessage',
  'errormessages errmsg defaultmessage statusmessage violations fieldviolations issues constraints children',
  'invalidparams validationerrors fielderrors formerrors fault faultstring extensions originalerror response exception',
  'rejecteddocuments',
);
/** Members of which an unknown name in an object is the name of a member of the input, normalized. */
const groupMembers = listed('message messages errors error detail details validationerrors fielderrors');

/** Names of a status: they are not a reason if there is another text. */
const statusName =
  /^(bad request|unprocessable (entity|content)|conflict|forbidden|not found|(payload|content|request entity) too large|unsupported media type|too many requests|error|failed)( exception)?\.?$/i;

type Place = readonly string[];
type Members = Readonly<Record<string, unknown>>;

interface FoundText {
  readonly place: Place;
  readonly text: string;
}

/** The call whose response is read. */
interface ReadCall {
  readonly endpoint: Endpoint;
  readonly caller: Pick<Caller, 'credentials'>;
}

/**
 * The reasons in a response that rejects a call: one for each text, at most 20, each at most 500 characters. `body`: JSON, or
 * the text of a response that is not JSON. Markup has no reasons. `isResult`: by its status the response has a result instead.
 */
export function reasonsIn(body: unknown, call: ReadCall, { isResult = false } = {}): ServiceText[] {
  // An object of reasons by member, as under `errors`. In place of a result it may be data.
  const found = search(!isResult && hasReasonsByMember(body, call.endpoint) ? { errors: body } : body);
  const reasons = publicTexts(found.length > 0 ? found : codesIn(body), call);
  const specific = reasons.filter(({ text }) => !statusName.test(text));
  return specific.length > 0 ? specific : reasons;
}

/** Whether all members of an object are those of the request, or lists of texts: for the input as a whole, as `non_field_errors`. */
function hasReasonsByMember(body: unknown, endpoint: Endpoint): boolean {
  return (
    isObject(body) &&
    Object.entries(body).every(
      ([name, value]) => isListOfTexts(value) || inputPath(endpoint, stepsOf(name)) !== undefined,
    )
  );
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Members next to a result that report what was not done. */
const reportMember =
  /^((?i:errors?|warnings?|(fail(ed|ures?)|rejected|skipped|missing|unprocessed)\w{0,99})|[Nn]ot[A-Z_]\w{0,99})$/;

/** What a response reports together with its result, at the top, in an envelope, or in an envelope under `data`. */
export function reportedBeside(body: unknown, call: ReadCall): InputProblem[] {
  const found: FoundText[] = [];
  const top = oneObject(body) ?? {};
  const below = [top, oneObject(top['data']) ?? {}].flatMap((members) =>
    Object.values(members).map(oneObject),
  );
  for (const members of [top, ...below]) {
    if (!members) continue;
    for (const [name, value] of Object.entries(members)) {
      if (!reportMember.test(name) || found.length >= maxTexts) continue;
      const isText = /^(error|warning)/i.test(name);
      found.push(...(isText ? textsOrCodes({ errors: value }) : itemsOf(name, value)));
    }
  }
  return problemsOf(publicTexts(found, call), 'reported-by-service', 'WARNING');
}

export function problemsOf(
  texts: readonly ServiceText[],
  rule: string,
  severity: InputProblem['severity'],
): InputProblem[] {
  return texts.map(({ path, text }) => ({ rule, severity, path, message: text }));
}

/** Texts of a list of ids, of texts or of objects with an id, or of an object of reasons by id. A count of 0 reports nothing. */
function itemsOf(name: string, value: unknown): FoundText[] {
  const items = Array.isArray(value) ? value.slice(0, maxTexts) : [value || null];
  return items.flatMap((item) => {
    const members: Members = isObject(item) ? item : { id: item };
    const { id, docId, documentId, ...rest } = members;
    const ids = [id, docId, documentId].flat().slice(0, maxTexts);
    const about = [name, ...ids.filter((one) => isStep(one) || one === true)];
    const reasons = textsOrCodes({ errors: rest }).map(({ place, text }) => [...about, nameOf(place), text]);
    const texts = reasons.length > 0 || about.length === 1 ? reasons : [about];
    return texts.map((words) => ({ place: [], text: words.filter((word) => word !== '').join(': ') }));
  });
}

/** All texts, or without any the numbers that have a name, such as codes. */
function textsOrCodes(body: unknown): FoundText[] {
  const texts = search(body);
  return texts.length > 0 ? texts : search(body, true);
}

/** All texts of a response, in the order of `textMembers`; those one level down if there are none at the top. */
function search(body: unknown, hasCodes = false): FoundText[] {
  const found: FoundText[] = [];
  let values = 0;

  /** `isGroup`: in an object, unknown names are those of members of the input. `isItem`: of a list, so that it is one error. */
  function read(value: unknown, place: Place, depth: number, isGroup: boolean, isItem = false): void {
    values += 1;
    if (depth > maxDepth || values > maxValues || found.length >= maxTexts) return;
    const isCode = hasCodes && place.length > 0 && isNumberOrTrue(value);
    if (typeof value === 'string' || isCode) found.push({ place, text: String(value) });
    else if (Array.isArray(value)) readList(value, place, depth, isGroup);
    else if (isObject(value)) readObject(value, place, depth, isGroup, isItem);
  }

  function readList(items: readonly unknown[], place: Place, depth: number, isGroup: boolean) {
    // An item without a reason shows that each has the place of its item in the input.
    const isByIndex = isGroup && place.length > 0 && items.slice(0, maxValues).some(isEmpty);
    for (const [index, item] of items.entries()) {
      if (values > maxValues) return;
      read(item, isByIndex ? [...place, String(index)] : place, depth + 1, isGroup, true);
    }
  }

  function readObject(members: Members, place: Place, depth: number, isGroup: boolean, isItem: boolean) {
    const before = found.length;
    const entries = Object.entries(members).map(([name, value]) => [name, value, normalized(name)] as const);
    const byName = Map.groupBy(entries, ([, , name]) => name);
    const texts = textMembers.flatMap((name) => byName.get(name) ?? []);
    // The names in an object of reasons by member are those of members, also `name` and `path`.
    const isError = depth > 0 && (texts.length > 0 || isItem || !isGroup);
    const own = isError ? placeIn(members, isGroup) : [];
    // An error under the name of its member may name it once more.
    const isRepeated = own.every((step, index) => step === place.at(index - own.length));
    const here = isRepeated ? place : [...place, ...own];
    for (const [, value, name] of texts) {
      // The texts of `constraints` are named by their rules.
      const inner = name === 'constraints' && isObject(value) ? Object.values(value) : value;
      read(inner, here, depth + 1, groupMembers.includes(name));
    }
    if (found.length > before) return;
    // One text under an unknown name, as in place of an envelope. Several lines may be data.
    const [[, only] = []] = entries;
    if (depth === 0 && entries.length === 1 && typeof only === 'string' && !/^"|\n/.test(only)) {
      found.push({ place, text: only });
    }
    const rest = entries.filter(([, , name]) => own.length === 0 || !placeMembers.includes(name));
    for (const [name, value] of rest.length > 0 ? rest : entries) {
      if (isGroup && !name.startsWith('@')) {
        read(value, own.length > 0 && !hasCodes ? here : [...here, ...stepsOf(name)], depth + 1, true);
      } else if (depth < 2 && isObject(value)) readObject(value, here, depth + 1, false, false);
    }
  }

  read(body, [], 0, false);
  return found;
}

function isEmpty(item: unknown): boolean {
  return item === null || (isObject(item) && Object.keys(item).length === 0);
}

/** Codes in place of texts. */
function codesIn(body: unknown): FoundText[] {
  const code = isObject(body) ? body['code'] : undefined;
  if (typeof code === 'string') return [{ place: [], text: code }];
  return isNumberOrTrue(code) ? [{ place: ['code'], text: String(code) }] : search(body, true);
}

/** A count of 0 reports nothing. */
function isNumberOrTrue(value: unknown): boolean {
  return value === true || (typeof value === 'number' && value !== 0);
}

/** A member path with which a text begins: `lines.0.amount must be`, `"name" is`, `/lines/0/amount must be`. */
const leadingPath = /^["'`[]?((?:[A-Za-z_$/]|#\/)[\w$]*(?:[./]\w+|\[\w+\])*)["'`\]]?(?=:?(?:[\s,]|$))/;

const tag = /<[a-z/!?][^<>]*>/gi;
/**
 * A name, a path or names in angle brackets, the placeholder of a value: `Expected <name>`, `<lines[0].type>`, `<a|b>`, `<Tax ID>`.
 * An element may have attributes, and a slash at its end.
 */
const placeholder = /<(([a-z][^<>=\s]*)(?:\s[^<>=]*)?)(?<!\/)>/gi;
/** Elements of HTML that error texts and pages have. */
const htmlElement =
  /^(a|b|body|br|center|code|div|em|font|form|h[1-6]|head|hr|html|i|iframe|img|input|li|link|meta|ol|p|pre|script|small|span|strong|style|su[bp]|svg|table|t[dhrt]|tbody|thead|title|u|ul)$/i;

/** The line with its placeholders replaced by their names. Names in a line with an end tag are elements, also those that HTML does not have. */
function withPlaceholderNames(line: string): string {
  if (line.includes('</')) return line;
  return line.replaceAll(placeholder, (whole, names: string, first: string) =>
    htmlElement.test(first) ? whole : names,
  );
}

/** The name of an error's class, as JavaScript's errors have it, or of a list of errors: not that of a member of the input. */
const errorName = /(errors?|exception)$/i;
/** A path as the name of a member, before a text; empty for an address and any other text. */
function nameOf(path: Place): string {
  const name = path.join('.');
  return /^[\p{L}\p{M}\p{N}_$. -]{1,100}$/u.test(name) ? name : '';
}

function publicTexts(found: readonly FoundText[], call: ReadCall): ServiceText[] {
  const texts: ServiceText[] = [];
  for (const { place, text: reason } of found) {
    if (reason.length > maxReason) continue;
    const members = place.filter((step) => !errorName.test(step));
    const placePath = inputPath(call.endpoint, members);
    // A member that the input does not have may be one that the service requires.
    const name = placePath ? '' : nameOf(membersIn(call.endpoint, members));
    const text = name === '' || reason.includes(members.at(-1) ?? '') ? reason : `${name}: ${reason}`;
    // Before the text is cut: the rest of a credential would not be found.
    const visible = text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');
    const begin = withoutCredentials(visible, call.caller.credentials).slice(0, maxSearched);
    const line = withPlaceholderNames(begin.replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim());
    // A page of a proxy is not a text for people. Otherwise the words are kept, without the tags around them.
    if (/^<[a-z/!?]/i.test(line)) continue;
    // Once more: without marks and tags, the parts of a credential may have come together.
    const words = withoutCredentials(line.replaceAll(tag, ''), call.caller.credentials).trim();
    if (words === '' || words.search(tag) >= 0) continue;
    const leading = leadingPath.exec(words)?.[1] ?? '';
    const leadingPlace = inputPath(call.endpoint, stepsOf(leading));
    // A path of the input may look like a file or a host.
    const kept = leadingPlace ? words.slice(0, words.indexOf(leading) + leading.length) : '';
    // Other members than those of the invoice have none of their own: what is below `name` or `files` is a file.
    const isPointer = (found: string) => {
      const [first, ...rest] =
        (/^(\/\w+)+\.?$/.test(found) && inputPath(call.endpoint, stepsOf(found))) || [];
      return first === 'invoice' || (first !== undefined && rest.every((step) => /^\d{1,4}$/.test(step)));
    };
    const safe = kept + withoutAddresses(words.slice(kept.length), isPointer);
    const short = shortened(safe, maxLength);
    const path = placePath ?? leadingPlace ?? [];
    if (texts.some((other) => other.text === short)) continue;
    // The service names the members in a path, and may name one by anything.
    texts.push({
      path: path.map((step) => detached(withoutCredentials(step, call.caller.credentials))),
      text: short,
    });
  }
  return texts.slice(0, maxTexts);
}
