/** Searches JSON of any shape in an invoice, `extra` and `totals`, for values that the rules check. */

import { ExactNumber, type JsonObject, type JsonValue } from '../../tools/exact-number.ts';
import { isObject } from '../../tools/is-object.ts';
import { quoted } from '../../tools/shortened.ts';

/**
 * Calls `visit` for each value in JSON that is neither an object nor a list. `path`: the names of the members that lead to
 * `value`, changed during the search: copy what `visit` gets to keep it.
 */
export function visitLeaves(
  value: unknown,
  path: string[],
  visit: (leaf: JsonValue | undefined, path: readonly string[]) => void,
): void {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) {
    visit(value as JsonValue | undefined, path);
    return;
  }
  for (const [member, inner] of Object.entries(value)) {
    path.push(quoted(member));
    visitLeaves(inner, path, visit);
    path.pop();
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
