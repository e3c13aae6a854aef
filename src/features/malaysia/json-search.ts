/** Searches JSON of any shape in an invoice, `extra` and `totals`, for values that the rules check. */
import { isObject } from '../../tools/is-object.ts';
import { shortened } from '../../tools/shortened.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../upstream/exact-json.ts';

/** A value that was found, and the member names that lead to it. */
export type Found = readonly [path: readonly string[], text: string];

/** Maximum length of a step of a path, in characters: the caller chooses the names. */
const maxStepLength = 60;

/** Every number in a JSON value for which `passes` is true, including strings that contain a number. */
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

/** A member of an object; undefined for any other value. */
export function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}

/** The number, also one in a text; null for any other value. */
export function numberOf(value: JsonValue | undefined): ExactNumber | null {
  if (value instanceof ExactNumber) return value;
  if (typeof value === 'number') return ExactNumber.parse(String(value));
  return typeof value === 'string' ? ExactNumber.parse(value) : null;
}

export function isSst(taxType: JsonValue | undefined): taxType is string {
  return typeof taxType === 'string' && /^\s*sst\s*$/i.test(taxType);
}

/** A text of the caller, shortened for use in a problem. */
export function quoted(step: string): string {
  return shortened(step, maxStepLength);
}
