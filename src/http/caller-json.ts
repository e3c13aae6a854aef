/** JSON of callers, checked before it is parsed. `what` is the subject of an error's message. */
import { isUtf8 } from 'node:buffer';
import { badRequest, badUserInput } from '../errors.ts';
import { exceededBound, type JsonBounds } from '../tools/json-structure.ts';
import { readExactJson } from '../upstream/exact-json.ts';

const bounds: JsonBounds = {
  maxValues: 100_000,
  maxDepth: 20_000,
  maxNames: 10_000,
  maxDigits: Number.POSITIVE_INFINITY,
};

/** Some programs write it before a text. It may be ignored (RFC 8259, section 8.1). */
const byteOrderMark = Buffer.from('\ufeff');

export function valueFromJson(bytes: Buffer, what: string): unknown {
  // Without the check, invalid bytes would become U+FFFD.
  if (!isUtf8(bytes)) throw badRequest(`${what} must be encoded in UTF-8.`);
  const bound = exceededBound(bytes, bounds);
  if (bound !== undefined) throw badUserInput(`${what} has more than ${bound}; nothing was done.`);
  try {
    const hasMark = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    return readExactJson(hasMark ? bytes.subarray(byteOrderMark.length) : bytes);
  } catch {
    throw badRequest(`${what} must be valid JSON.`);
  }
}

export function objectFromJson(bytes: Buffer, what: string): Readonly<Record<string, unknown>> {
  const value = valueFromJson(bytes, what);
  if (Array.isArray(value)) throw badRequest(`${what} is a batch: send one operation per request.`);
  if (typeof value !== 'object' || value === null) throw badRequest(`${what} must be a JSON object.`);
  return value as Record<string, unknown>;
}
