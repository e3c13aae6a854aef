/** Searches free JSON of an invoice, `extra` and `totals`, for values that the rules check. */
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

function numberOf(value: JsonValue | undefined): ExactNumber | null {
  if (value instanceof ExactNumber) return value;
  if (typeof value === 'number') return ExactNumber.parse(String(value));
  return typeof value === 'string' ? ExactNumber.parse(value) : null;
}

export function isSst(taxType: JsonValue | undefined): taxType is string {
  return typeof taxType === 'string' && /^\s*sst\s*$/i.test(taxType);
}

/** A member whose text, or list of texts, is a tax type. */
const taxTypeName = /^(tax(es)?|(tax|other)[_-]?types?([_-]?codes?)?)$/i;

/** A member that contains taxes, and not a registration for a tax or another id of a taxpayer. */
function isNamedAfterTaxes(name: string): boolean {
  return /tax/i.test(name) && !/regist|scheme|payer|ident|number|id$|ids$/i.test(name);
}

/**
 * Every tax type SST in a JSON value: in a member such as `taxType`, and in `type` inside a member named after taxes.
 * `isTax`: the value itself is a tax. Elsewhere SST is not a tax type: it is also a registration scheme.
 */
export function* sstTypesIn(
  value: JsonValue | undefined,
  path: readonly string[],
  isTax: boolean,
  name = '',
): Generator<Found, void, void> {
  if (isSst(value)) {
    if (taxTypeName.test(name) || (isTax && /^types?$/i.test(name))) yield [path, value];
  } else if (typeof value === 'object' && value !== null && !(value instanceof ExactNumber)) {
    for (const [member, inner] of Object.entries(value as JsonObject)) {
      const innerName = Array.isArray(value) ? name : member;
      yield* sstTypesIn(inner, [...path, quoted(member)], isTax || isNamedAfterTaxes(member), innerName);
    }
  }
}

/** A text of the caller, shortened for use in a problem. */
export function quoted(step: string): string {
  return step.length > maxStepLength ? `${step.slice(0, maxStepLength - 1).toWellFormed()}…` : step;
}
