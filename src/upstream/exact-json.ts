/** Reads JSON without loss of digits: amounts of callers and ids of the service stay exact. */
import { randomBytes } from 'node:crypto';
import { freeNow } from '../tools/byte-collector.ts';
import { ExactNumber } from '../tools/exact-number.ts';
import { endOfString } from '../tools/json-structure.ts';

/** Fewest digits of a number that binary64 may not represent exactly. */
const longDigits = 16;
/** Fewest bytes of a number that it may not represent: `1e400` would be read as Infinity. */
const shortestInexact = 5;
/** Numbers of so many bytes that one step reads: up to 20 ms. */
const numbersOfStep = 8_000;

/** Whether the text has 16 or more digits and points in a row: such a run covers a position that is a multiple of 16. */
function hasLongDigits(text: Uint8Array): boolean {
  for (let at = longDigits - 1; at < text.length; at += longDigits) {
    if (!isDigit(text[at])) continue;
    let [from, to] = [at, at + 1];
    while (isDigit(text[from - 1])) from -= 1;
    while (isDigit(text[to])) to += 1;
    if (to - from >= longDigits) return true;
  }
  return false;
}

/** A number with three or more digits in its exponent. On bytes, a search takes five times as long. */
const longExponent = /\d[eE][+-]?\d{3}/;

/** Whether the text may have a number that binary64 does not represent. */
function mayBeInexact(bytes: Uint8Array, text: string): boolean {
  return hasLongDigits(bytes) || longExponent.test(text);
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && ((code >= 0x30 && code <= 0x39) || code === 0x2e);
}

/**
 * Parses JSON text of a caller as `JSON.parse` does; a number of 16 or more digits is an `ExactNumber`, unless it is an
 * exact integer. It is NaN if it is too long for that, or has three or more digits in its exponent.
 */
export function readExactJson(bytes: Buffer): unknown {
  const text = bytes.toString();
  if (!mayBeInexact(bytes, text)) return JSON.parse(text);
  const latin1 = bytes.toString('latin1');
  const isLong = (from: number, to: number) => isLongNumber(bytes, latin1, from, to);
  return withExactNumbers(JSON.parse(resultOf(withQuotedNumbers(bytes, isLong, markBytes))));
}

/** Before the digits of a number in quotes. Secret of the process: no caller can send such a text. */
const mark = randomBytes(9).toString('base64url');
const markBytes = Buffer.from(mark);

/** Puts numbers in place of the texts with the mark. Not by recursion: callers may nest to any depth. */
function withExactNumbers(value: unknown): unknown {
  const root = [value];
  const open: unknown[] = [root];
  const read = (member: unknown) => {
    if (typeof member === 'object' && member !== null) open.push(member);
    return typeof member === 'string' && member.startsWith(mark)
      ? numberIn(member.slice(mark.length))
      : member;
  };
  for (let at = 0; at < open.length; at += 1) {
    const parent = open[at] as unknown[] | Record<string, unknown>;
    if (Array.isArray(parent)) {
      for (let index = 0; index < parent.length; index += 1) parent[index] = read(parent[index]);
    } else {
      for (const name of Object.keys(parent)) parent[name] = read(parent[name]);
    }
  }
  return root[0];
}

/** A number of JSON in the syntax of RFC 8259. */
const jsonNumber = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function numberIn(text: string): number | ExactNumber {
  // A sign and 16 digits: computing the value of a longer one takes several times as long.
  if (text.length <= longDigits + 1 && /^-?\d+$/.test(text)) {
    const number = Number(text);
    if (Number.isSafeInteger(number)) return number;
  }
  // The value of a longer one may have lost digits: nothing accepts NaN.
  return ExactNumber.parse(text) ?? Number.NaN;
}

/** Parses JSON text of the service. A number that binary64 would round, and any integer beyond 2^53, becomes a string. */
export function readServiceJson(bytes: Buffer): unknown {
  return resultOf(serviceJsonInSteps(bytes));
}

/** As `readServiceJson`, in steps: 4 MB of numbers with 17 digits take half a second. */
export function* serviceJsonInSteps(bytes: Buffer): Steps<unknown> {
  const exact = yield* exactJson(bytes);
  if (exact) return exact.json;
  yield;
  const quoted = yield* withQuotedNumbers(bytes, (from, to) => isRounded(bytes, from, to));
  yield;
  return JSON.parse(withoutMark(quoted));
}

/** undefined when a number may not be exact. Its text is freed then. */
function* exactJson(bytes: Buffer): Steps<{ readonly json: unknown } | undefined> {
  const text = bytes.toString();
  yield;
  const json: unknown = JSON.parse(withoutMark(text));
  yield;
  // The search takes half as long as the parsing. An export has no number.
  return hasNumber(json, maxLevels) && mayBeInexact(bytes, text) ? undefined : { json };
}

/** Levels that are searched for numbers: JSON may have more than fit on the stack. */
const maxLevels = 1_000;

function hasNumber(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'number';
  return levels === 0 || Object.values(value).some((member) => hasNumber(member, levels - 1));
}

const withoutMark = (text: string) => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

/** Work that yields after each step. */
type Steps<Result> = Generator<void, Result, void>;

function resultOf<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** A number in a response as binary64, also where `readServiceJson` returns it as a string; undefined for any other value. */
export function binary64(value: unknown): number | undefined {
  if (typeof value !== 'string') return Number.isFinite(value) ? (value as number) : undefined;
  const bytes = Buffer.from(value);
  return isRounded(bytes, 0, bytes.length) ? binary64(Number(value)) : undefined;
}

const [quote, plus, minus, colon, zero, nine] = [0x22, 0x2b, 0x2d, 0x3a, 0x30, 0x39];
const [capitalE, smallE] = [0x45, 0x65];

/**
 * The text with quotes around each number that binary64 does not represent, so that it stays exact, an id for example.
 * `prefix`: before its digits. A reviver takes five times as long.
 */
function* withQuotedNumbers(
  json: Buffer,
  isInexact: (from: number, to: number) => boolean,
  prefix = Buffer.alloc(0),
): Steps<string> {
  // A number of that many bytes or more grows by two and the prefix.
  const most = json.length + Math.ceil((json.length / shortestInexact) * (2 + prefix.length));
  const quoted = Buffer.allocUnsafeSlow(most);
  let length = 0;
  let copied = 0;
  let numbers = 0;
  for (let at = 0, end = 0; at < json.length; at = end) {
    if (json[at] === quote) {
      end = endOfString(json, at + 1) + 1;
      continue;
    }
    end = at + 1;
    if (!isNumberPart(json[at])) continue;
    while (isNumberPart(json[end])) end += 1;
    if (end - at < shortestInexact) continue;
    numbers += 1;
    if (numbers % numbersOfStep === 0) yield;
    if (!isInexact(at, end) || isName(json, end)) continue;
    length = copyBytes(json, copied, at, quoted, length);
    quoted[length++] = quote;
    length = copyBytes(prefix, 0, prefix.length, quoted, length);
    length = copyBytes(json, at, end, quoted, length);
    quoted[length++] = quote;
    copied = end;
  }
  length += json.copy(quoted, length, copied);
  const text = quoted.toString('utf8', 0, length);
  freeNow(quoted);
  return text;
}

/** Returns where the copy ends. A few bytes are copied one by one: a call of `copy` takes as long as a hundred of them. */
function copyBytes(source: Buffer, from: number, to: number, target: Buffer, start: number): number {
  if (to - from > 100) return start + source.copy(target, start, from, to);
  let end = start;
  for (let at = from; at < to; at += 1) target[end++] = source[at] as number;
  return end;
}

/** A digit or one of `+-.eE`. */
function isNumberPart(code: number | undefined): boolean {
  return isDigit(code) || code === minus || code === plus || code === smallE || code === capitalE;
}

/**
 * Whether these bytes have 16 or more digits before the exponent, or three or more in it, and are a number by their `text`, the
 * same in Latin-1.
 */
function isLongNumber(json: Buffer, text: string, from: number, to: number): boolean {
  let digits = 0;
  let exponentFrom = from;
  for (; exponentFrom < to && (json[exponentFrom] as number) <= nine; exponentFrom += 1) {
    if ((json[exponentFrom] as number) >= zero) digits += 1;
  }
  // After the letter, and before or after a sign.
  const exponentDigits = to - exponentFrom - (isDigit(json[exponentFrom + 1]) ? 1 : 2);
  if (digits < longDigits && exponentDigits < 3) return false;
  jsonNumber.lastIndex = from;
  return jsonNumber.test(text) && jsonNumber.lastIndex === to;
}

/** Whether these bytes are an integer beyond 2^53, or another number that binary64 rounds. */
function isRounded(json: Buffer, from: number, to: number): boolean {
  const first = json[from] === minus ? from + 1 : from;
  // Each step rounds, but never from above 2^53 to below it.
  let magnitude = 0;
  for (let at = first; at < to; at += 1) {
    const digit = (json[at] as number) - zero;
    if (digit < 0 || digit > 9) return isRoundedText(json.toString('latin1', from, to));
    magnitude = magnitude * 10 + digit;
  }
  return json[first] !== zero && !Number.isSafeInteger(magnitude);
}

/** Whether the text is a number that JSON.stringify would write with another value. */
function isRoundedText(text: string): boolean {
  jsonNumber.lastIndex = 0;
  if (!jsonNumber.test(text) || jsonNumber.lastIndex !== text.length) return false;
  const written = String(Number(text));
  return written !== text && withoutZeros(written) !== withoutZeros(text);
}

/** A number as its digits and a power of ten, the same for each notation of a value: `15e-1` for 1.50. */
function withoutZeros(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.slice(sign.length) + fraction;
  // Not by a pattern: for zeros before the end its time would grow with the square of their number.
  let [from, to] = [0, digits.length];
  while (digits[from] === '0') from += 1;
  while (to > from && digits[to - 1] === '0') to -= 1;
  if (from === to) return '0';
  return `${sign}${digits.slice(from, to)}e${Number(exponent) - fraction.length + digits.length - to}`;
}

/** Whether a colon follows: with quotes, a number in place of a name would be a valid one. */
function isName(json: Buffer, from: number): boolean {
  let at = from;
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at += 1;
  return json[at] === colon;
}
