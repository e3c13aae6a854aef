/**
 * JSON without loss: money and ids keep every digit on their way to the service and back, where plain
 * `JSON.parse` and `JSON.stringify` would pass them through a binary float.
 */
import { Decimal } from 'decimal.js';

declare global {
  interface JSON {
    /** TC39 "JSON.parse source text access": a piece of JSON text that `stringify` writes as it is. */
    rawJSON(text: string): object;
  }
}

/** RFC 8259's number, bounded: 60 characters, so that no exponent can grow into gigabytes of digits. */
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,2})?$/;
const maxNumberLength = 60;

/** Sums of at most 60 digits each are exact at this precision. */
const ExactDecimal = Decimal.clone({ precision: 400 });

/** A number exactly as it was written: `text` goes on the wire, `value` is for comparing and adding. */
export class ExactNumber {
  readonly text: string;
  #value: Decimal | undefined;

  private constructor(text: string) {
    this.text = text;
  }

  /** Made when first asked for: an id is only ever written. */
  get value(): Decimal {
    this.#value ??= new ExactDecimal(this.text);
    return this.#value;
  }

  /** -1, 0 or 1: found in the text, which is many times faster than by `value`. */
  get sign(): -1 | 0 | 1 {
    if (!/^-?[0.]*[1-9]/.test(this.text)) return 0;
    return this.text.startsWith('-') ? -1 : 1;
  }

  /** The number that `text` writes; null when it is no JSON number, or one of absurd length. */
  static parse(text: string): ExactNumber | null {
    return text.length <= maxNumberLength && jsonNumber.test(text) ? new ExactNumber(text) : null;
  }

  /**
   * The number that a JSON parser already turned into a binary float. It is what was written when its
   * shortest decimal text has at most 15 significant digits (IEEE 754 binary64); otherwise null.
   */
  static fromFloat(float: number): ExactNumber | null {
    const exact = ExactNumber.parse(String(float));
    return exact !== null && exact.value.precision() <= 15 ? exact : null;
  }

  /** The exact sum, written with as many decimal places as the addend that has most. */
  static sum(addends: readonly ExactNumber[]): ExactNumber {
    let total = new ExactDecimal(0);
    let places = 0;
    for (const { value } of addends) total = total.plus(value);
    for (const { text, value } of addends) places = Math.max(places, writtenPlaces(text, value));
    // `plus(0)` turns a negative zero into 0, which reads "0.00" and not "-0.00".
    return new ExactNumber(total.plus(0).toFixed(places));
  }
}

function writtenPlaces(text: string, value: Decimal): number {
  const fraction = /^-?\d+\.(\d+)$/.exec(text)?.[1];
  return fraction?.length ?? value.decimalPlaces();
}

export type JsonValue = null | boolean | number | string | ExactNumber | JsonValue[] | JsonObject;
export type JsonObject = { [member: string]: JsonValue | undefined };

/** JSON text in which every `ExactNumber` stands as it was written. */
export function writeJson(value: JsonValue): string {
  return JSON.stringify(value, (_key, member) =>
    member instanceof ExactNumber ? JSON.rawJSON(member.text) : member,
  );
}

/** From so many digits on binary64 may not hold a number. */
const longDigits = 16;

/** Whether a run of 16 digits or more stands in the text: it has one at every 16th place. */
export function hasLongDigits(text: string): boolean {
  for (let at = longDigits - 1; at < text.length; at += longDigits) {
    if (!isDigit(text, at)) continue;
    let [from, to] = [at, at + 1];
    while (isDigit(text, from - 1)) from -= 1;
    while (isDigit(text, to)) to += 1;
    if (to - from >= longDigits) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/**
 * What JSON text says; throws a SyntaxError when it is none. An integer past 2^53 comes as its text, so that
 * an id stays exact. The reviver costs several times plain parsing, so that it runs only where it is needed.
 */
export function readJson(text: string): unknown {
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return hasLongDigits(plain) ? JSON.parse(plain, exactInteger) : JSON.parse(plain);
}

function exactInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? source : value;
}
