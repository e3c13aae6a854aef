/** Makes texts of the service safe to pass on, and finds the member of the input that each is about. */
import type { Caller } from '../../caller.ts';
import { detached, shortened } from '../../tools/shortened.ts';
import type { Endpoint } from '../endpoint.ts';
import { inputPath, membersIn, stepsOf } from './input-path.ts';
import { withoutAddresses, withoutCredentials } from './text-redaction.ts';
import { type FoundText, maxTexts } from './text-search.ts';

/** A text of the service about one member of the input. */
export interface ServiceText {
  /** Path in the field's arguments; empty when the text names no member of the input. */
  readonly path: readonly string[];
  readonly text: string;
}

/** The call whose response is read. */
export interface ReadCall {
  readonly endpoint: Endpoint;
  readonly caller: Pick<Caller, 'credentials'>;
}

/** Longest text that is passed on, in UTF-16 code units. */
const maxLength = 500;
/** Longest text that is searched for what must not be passed on. */
const maxSearched = 2_000;
/** Longest text that may be a reason: a longer one is data. */
const maxReason = 64 * 1_024;

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
/** A path as the name of a member, before a text; empty for an address, a file and any other text. */
export function nameOf(path: readonly string[]): string {
  return /^\/?([\p{L}\p{M}\p{N}_$. -]{1,100})$/u.exec(path.join('.'))?.[1] ?? '';
}

/** At most 20, without texts that are the same once they are cut. */
export function publicTexts(found: readonly FoundText[], call: ReadCall): ServiceText[] {
  const texts = new Map<string, ServiceText>();
  for (const one of found) {
    const made = publicText(one, call);
    if (made && !texts.has(made.text)) texts.set(made.text, made);
  }
  return [...texts.values()].slice(0, maxTexts);
}

/** undefined for data, markup, and a text of which nothing is left. */
function publicText({ place, text: reason }: FoundText, call: ReadCall): ServiceText | undefined {
  if (reason.length > maxReason) return undefined;
  const members = place.filter((step) => !errorName.test(step));
  const placePath = inputPath(call.endpoint, members);
  // A member that the input does not have may be one that the service requires. A word may also be one of a sentence.
  const hasPath = placePath ?? leadingIn(reason, call, /[./[]/).place;
  const name = hasPath ? '' : nameOf(membersIn(call.endpoint, members));
  const words = wordsOf(
    name === '' || reason.includes(name.slice(name.lastIndexOf('.') + 1)) ? reason : `${name}: ${reason}`,
    call,
  );
  if (words === '') return undefined;
  const { leading, place: leadingPlace } = leadingIn(words, call);
  // A path of the input may look like a file or a host.
  const kept = leadingPlace ? words.slice(0, words.indexOf(leading) + leading.length) : '';
  const safe = kept + withoutAddresses(words.slice(kept.length), (path) => isPointer(path, call));
  // The service names the members in a path, and may name one by anything.
  const path = (placePath ?? leadingPlace ?? []).map((step) =>
    withoutCredentials(step, call.caller.credentials),
  );
  return { path: path.map(detached), text: shortened(safe, maxLength) };
}

/** The member path with which a text begins, and its place in the input. `form`: what the path must have. */
function leadingIn(text: string, { endpoint }: ReadCall, form = /^/) {
  const leading = leadingPath.exec(text)?.[1] ?? '';
  return { leading, place: form.test(leading) ? inputPath(endpoint, stepsOf(leading)) : undefined };
}

/** The text in one line, without credentials and markup; empty for a page of a proxy, which is not a text for people. */
function wordsOf(text: string, { caller: { credentials } }: ReadCall): string {
  // Before the text is cut: the rest of a credential would not be found.
  const visible = text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');
  const begin = withoutCredentials(visible, credentials).slice(0, maxSearched);
  const line = withPlaceholderNames(begin.replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim());
  if (/^<[a-z/!?]/i.test(line)) return '';
  // Once more: without marks and tags, the parts of a credential may have come together.
  const words = withoutCredentials(line.replaceAll(tag, ''), credentials).trim();
  return words.search(tag) >= 0 ? '' : words;
}

/** Whether it is a path of the invoice, or of an item of another member: what is below `name` or `files` is a file. */
function isPointer(path: string, { endpoint }: ReadCall): boolean {
  const [first, ...rest] = (/^(\/\w+)+\.?$/.test(path) && inputPath(endpoint, stepsOf(path))) || [];
  return first === 'invoice' || (first !== undefined && rest.every((step) => /^\d{1,4}$/.test(step)));
}
