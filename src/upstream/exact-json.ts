/**
 * JSON without loss of digits: amounts and ids stay exact in both directions, where plain `JSON.parse` and
 * `JSON.stringify` would convert them to a binary float.
 */
import { Decimal } from 'decimal.js';
import { freeNow } from '../tools/byte-collector.ts';
import { endOfString } from '../tools/json-structure.ts';

declare global {
  interface JSON {
    /** TC39 "JSON.parse source text access": a piece of JSON text that `stringify` writes unchanged. */
    rawJSON(text: string): object;
  }
}

/** A number of RFC 8259, with an exponent of at most two digits: a larger one could expand to gigabytes of digits. */
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,2})?$/;
const maxNumberLength = 60;

/** Sums of at most 60 digits each are exact at this precision. */
const ExactDecimal = Decimal.clone({ precision: 400 });

/** A number exactly as it was written: `text` is sent, `value` is for comparisons and sums. */
export class ExactNumber {
  readonly text: string;
  #value: Decimal | undefined;

  private constructor(text: string) {
    this.text = text;
  }

  /** Computed on first use: an id is only written. */
  get value(): Decimal {
    this.#value ??= new ExactDecimal(this.text);
    return this.#value;
  }

  /** -1, 0 or 1, read from the text: many times faster than from `value`. */
  get sign(): -1 | 0 | 1 {
    if (!/^-?[0.]*[1-9]/.test(this.text)) return 0;
    return this.text.startsWith('-') ? -1 : 1;
  }

  /** Returns the number in `text`; null when it is not a JSON number or longer than 60 characters. */
  static parse(text: string): ExactNumber | null {
    return text.length <= maxNumberLength && jsonNumber.test(text) ? new ExactNumber(text) : null;
  }

  /**
   * Returns a number that `readExactJson` left as a binary float, exactly as it was written. That is certain for integers
   * up to 2^53 - 1, and when its shortest decimal text has at most 15 significant digits (IEEE 754 binary64); otherwise
   * returns null.
   */
  static fromFloat(float: number): ExactNumber | null {
    const exact = ExactNumber.parse(String(float));
    return exact !== null && (Number.isSafeInteger(float) || exact.value.precision() <= 15) ? exact : null;
  }

  /** Returns the exact sum, with as many decimal places as the addend with the most. */
  static sum(addends: readonly ExactNumber[]): ExactNumber {
    let total = new ExactDecimal(0);
    let places = 0;
    for (const { text, value } of addends) {
      total = total.plus(value);
      // As written: the value of 1.50 has one place.
      places = Math.max(places, /^-?\d+\.(\d+)$/.exec(text)?.[1]?.length ?? value.decimalPlaces());
    }
    return new ExactNumber(total.toFixed(places));
  }
}

export type JsonValue = null | boolean | number | string | ExactNumber | JsonValue[] | JsonObject;
export type JsonObject = { [member: string]: JsonValue | undefined };

/** Returns JSON text in which every `ExactNumber` is written as it was read. */
export function writeJson(value: JsonValue): string {
  return JSON.stringify(value, (_key, member) =>
    member instanceof ExactNumber ? JSON.rawJSON(member.text) : member,
  );
}

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
