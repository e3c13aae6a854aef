/** Rules on the parts of an invoice whose members are the caller's own: `extra` and `totals`. */
import { ExactNumber, type JsonObject, type JsonValue } from '../upstream/exact-json.ts';

/** A value, and the names that lead to it. */
export type Found = readonly [path: readonly string[], text: string];

/** Longest step of a path, in characters: the names are the caller's own. */
const maxStepLength = 60;

/** Every number in a JSON value that passes, texts that read as numbers included. */
export function* numbersIn(
  value: JsonValue | undefined,
  path: readonly string[],
  passes: (number: ExactNumber) => boolean,
): Generator<Found, void, void> {
  const number = numberOf(value);
  if (number) {
    if (passes(number)) yield [path, number.text];
  } else if (typeof value === 'object' && value !== null) {
    for (const [member, inner] of Object.entries(value)) {
      yield* numbersIn(inner, [...path, quoted(member)], passes);
    }
  }
}

function numberOf(value: JsonValue | undefined): ExactNumber | null {
  if (value instanceof ExactNumber) return value;
  if (typeof value === 'number') return ExactNumber.parse(String(value));
  return typeof value === 'string' ? ExactNumber.parse(value) : null;
}

export function isSst(taxType: JsonValue | undefined): taxType is string {
  return typeof taxType === 'string' && /^\s*sst\s*$/i.test(taxType);
}

/**
 * Every tax type SST in a JSON value: under a name such as `taxType`, and under `type` inside what is named
 * after taxes. `isTax`: the value itself is. SST elsewhere is no tax type: it is also a scheme of registrations.
 */
export function* sstTypesIn(
  value: JsonValue | undefined,
  path: readonly string[],
  isTax: boolean,
  name = '',
): Generator<Found, void, void> {
  const isTaxType = /^(tax|other)[_-]?types?$/i.test(name) || (isTax && /^types?$/i.test(name));
  if (isSst(value)) {
    if (isTaxType) yield [path, value];
  } else if (typeof value === 'object' && value !== null && !(value instanceof ExactNumber)) {
    for (const [member, inner] of Object.entries(value as JsonObject)) {
      const innerName = Array.isArray(value) ? name : member;
      yield* sstTypesIn(inner, [...path, quoted(member)], isTax || /tax/i.test(member), innerName);
    }
  }
}

/** Text of the caller's own, as far as a problem repeats it. */
export function quoted(step: string): string {
  return step.length > maxStepLength ? `${step.slice(0, maxStepLength - 1).toWellFormed()}…` : step;
}
