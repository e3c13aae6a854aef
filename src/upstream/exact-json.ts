/** Reads JSON without loss of digits: amounts of callers and ids of the service stay exact. */
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
 * exact integer.
 */
export function readExactJson(bytes: Buffer): unknown {
  const text = bytes.toString();
  return hasLongDigits(bytes) ? JSON.parse(text, exactNumber) : JSON.parse(text);
}

function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const { source = '' } = context ?? {};
  if (typeof value !== 'number' || source.replaceAll(/[eE].*|\D/g, '').length < longDigits) return value;
  return Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? value : (ExactNumber.parse(source) ?? value);
}

/** The text of JSON for `JSON.parse`, which returns an integer beyond 2^53 as a string. Takes as long as parsing it. */
export function textOfJson(bytes: Buffer): string {
  const text = hasLongDigits(bytes) ? withQuotedIntegers(bytes) : bytes.toString();
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

const [quote, minus, colon, zero] = [0x22, 0x2d, 0x3a, 0x30];

/**
 * The text with quotes around each integer beyond 2^53, so that it stays exact, an id for example. A reviver takes five
 * times as long.
 */
function withQuotedIntegers(json: Buffer): string {
  // 16 bytes or more grow by two.
  const quoted = Buffer.allocUnsafeSlow(json.length + Math.ceil(json.length / 8));
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
    if (end - at < longDigits || !isLongInteger(json, at, end) || isName(json, end)) continue;
    length += json.copy(quoted, length, copied, at);
    length = quoted.writeUInt8(quote, length);
    length += json.copy(quoted, length, at, end);
    length = quoted.writeUInt8(quote, length);
    copied = end;
  }
  length += json.copy(quoted, length, copied);
  const text = quoted.toString('utf8', 0, length);
  freeNow(quoted);
  return text;
}

/** A digit or one of `+-.eE`. */
function isNumberPart(code: number | undefined): boolean {
  return isDigit(code) || code === minus || code === 0x2b || code === 0x65 || code === 0x45;
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
