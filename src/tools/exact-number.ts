/** Numbers of JSON without loss of digits: `JSON.parse` and `JSON.stringify` would convert them to a binary float. */
import { Decimal } from 'decimal.js';

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

  /** -1, 0 or 1. Binary64 has room for every number of 60 characters with an exponent of two digits. */
  get sign(): number {
    return Math.sign(Number(this.text)) || 0;
  }

  /** As a message of graphql-js quotes it. */
  toJSON(): string {
    return this.text;
  }

  /** Returns the number in `text`; null when it is not a JSON number or longer than 60 characters. */
  static parse(text: string): ExactNumber | null {
    return text.length <= maxNumberLength && jsonNumber.test(text) ? new ExactNumber(text) : null;
  }

  /**
   * Returns a number that was read as a binary float, exactly as it was written. That is certain for integers
   * up to 2^53 - 1, and when its shortest decimal text has at most 15 significant digits (IEEE 754 binary64); otherwise
   * returns null.
   */
  static fromFloat(float: number): ExactNumber | null {
    const exact = ExactNumber.parse(String(float));
    // A text of at most 15 digits returns from there. `precision` of the value takes several times as long.
    return Number.isSafeInteger(float) || Number(float.toPrecision(15)) === float ? exact : null;
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
  // A replacer gets what `toJSON` returns.
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name, member) {
    return this[name] instanceof ExactNumber ? JSON.rawJSON(member) : member;
  });
}
