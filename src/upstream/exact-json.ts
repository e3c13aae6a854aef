/** Reads JSON without loss of digits: amounts of callers and ids of the service stay exact. */
import { randomBytes } from 'node:crypto';
import { freeNow } from '../tools/byte-collector.ts';
import { ExactNumber } from '../tools/exact-number.ts';
import { endOfString } from '../tools/json-structure.ts';

/** Fewest digits of a number that binary64 may not represent exactly. */
const longDigits = 16;

/** Whether the text has 16 or more digits and points in a row: such a run covers a position that is a multiple of 16. */
export function hasLongDigits(text: Uint8Array): boolean {
  for (let at = longDigits - 1; at < text.length; at += longDigits) {
    if (!isDigit(text[at])) continue;
    let [from, to] = [at, at + 1];
    while (isDigit(text[from - 1])) from -= 1;
    while (isDigit(text[to])) to += 1;
    if (to - from >= longDigits) return true;
  }
  return false;
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && ((code >= 0x30 && code <= 0x39) || code === 0x2e);
}

/**
 * Parses JSON text of a caller as `JSON.parse` does; a number of 16 or more digits is an `ExactNumber`, unless it is an
 * exact integer, or NaN if it is too long for that.
 */
export function readExactJson(bytes: Buffer): unknown {
  if (!hasLongDigits(bytes)) return JSON.parse(bytes.toString());
  const text = bytes.toString('latin1');
  const quoted = withQuotedNumbers(bytes, (from, to) => isLongNumber(bytes, text, from, to), markBytes);
  return withExactNumbers(JSON.parse(quoted));
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

/** The text of JSON for `JSON.parse`, which returns an integer beyond 2^53 as a string. Takes as long as parsing it. */
export function textOfJson(bytes: Buffer): string {
  const text = hasLongDigits(bytes)
    ? withQuotedNumbers(bytes, (from, to) => isLongInteger(bytes, from, to))
    : bytes.toString();
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

const [quote, minus, colon, zero, nine] = [0x22, 0x2d, 0x3a, 0x30, 0x39];

/**
 * The text with quotes around each number that binary64 does not represent, so that it stays exact, an id for example.
 * `prefix`: before its digits. A reviver takes five times as long.
 */
function withQuotedNumbers(
  json: Buffer,
  isInexact: (from: number, to: number) => boolean,
  prefix = Buffer.alloc(0),
): string {
  // 16 bytes or more grow by two and the prefix.
  const most = json.length + Math.ceil((json.length / longDigits) * (2 + prefix.length));
  const quoted = Buffer.allocUnsafeSlow(most);
  let length = 0;
  let copied = 0;
  for (let at = 0, end = 0; at < json.length; at = end) {
    if (json[at] === quote) {
      end = endOfString(json, at + 1) + 1;
      continue;
    }
    end = at + 1;
    if (!isNumberPart(json[at])) continue;
    while (isNumberPart(json[end])) end += 1;
    if (end - at < longDigits || !isInexact(at, end) || isName(json, end)) continue;
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
  return isDigit(code) || code === minus || code === 0x2b || code === 0x65 || code === 0x45;
}

/** Whether these bytes have 16 or more digits before the exponent, and are a number by their `text`, the same in Latin-1. */
function isLongNumber(json: Buffer, text: string, from: number, to: number): boolean {
  let digits = 0;
  for (let at = from; at < to && (json[at] as number) <= nine; at += 1) {
    if ((json[at] as number) >= zero) digits += 1;
  }
  if (digits < longDigits) return false;
  jsonNumber.lastIndex = from;
  return jsonNumber.test(text) && jsonNumber.lastIndex === to;
}

function isLongInteger(json: Buffer, from: number, to: number): boolean {
  const first = json[from] === minus ? from + 1 : from;
  if (json[first] === zero) return false;
  // Each step rounds, but never from above 2^53 to below it.
  let magnitude = 0;
  for (let at = first; at < to; at += 1) {
    const digit = (json[at] as number) - zero;
    if (digit < 0 || digit > 9) return false;
    magnitude = magnitude * 10 + digit;
  }
  return !Number.isSafeInteger(magnitude);
}

/** Whether a colon follows: with quotes, a number in place of a name would be a valid one. */
function isName(json: Buffer, from: number): boolean {
  let at = from;
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at += 1;
  return json[at] === colon;
}
