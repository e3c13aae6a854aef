/** Bounds the structure of JSON text before it is parsed, because JSON.parse cannot be interrupted. */
import { randomInt } from 'node:crypto';

export interface JsonBounds {
  /** Values: list members and object members of all levels together. */
  readonly maxValues: number;
  /** Levels of lists and objects: fewer than values, and than four times the names. */
  readonly maxDepth: number;
  /** Distinct names of object members: each new name makes V8 create a hidden class. */
  readonly maxNames: number;
  /** Digits, points and minus signs of all numbers. */
  readonly maxDigits: number;
}

/** Longest name of which a hash is computed (bytes): 1 KiB. */
const longName = 1_024;

/** Secret of the process: a caller cannot choose names that have the same hash. */
const [start, step] = [randomInt(2 ** 32), randomInt(2 ** 31) * 2 + 1];

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, openObject, closeList, closeObject] = [0x5b, 0x7b, 0x5d, 0x7d];

/**
 * Returns the bound that the text exceeds, for example `100000 values`; undefined when it exceeds none. Takes about
 * 2 ms for each MiB. For text that is not JSON the result means nothing: JSON.parse refuses it later.
 */
export function exceededBound(
  bytes: Uint8Array,
  { maxValues, maxDepth, maxNames, maxDigits }: JsonBounds,
): string | undefined {
  // Each value and each level takes at least a byte, each name at least four: fewer bytes exceed no bound.
  if (bytes.length <= maxDepth) return undefined;
  const names = new Set<number>();
  let longNames = 0;
  let digits = 0;
  let values = 1;
  let depth = 0;
  /** Where the newest string begins and ends, without its quotes. Empty once it was read as a name. */
  let [from, to] = [0, 0];
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    // Blanks, line breaks and digits, of which a text may have millions.
    if (byte < quote) continue;
    if (byte > comma && byte < colon) {
      digits += 1;
      if (digits > maxDigits) return `${maxDigits} digits`;
      continue;
    }
    if (byte === quote) {
      from = index + 1;
      to = endOfString(bytes, from);
      index = to;
    } else if (byte === comma) {
      values += 1;
    } else if (byte === colon) {
      // A long one counts as different: computing its hash takes as long as reading it.
      if (to - from > longName) longNames += 1;
      else names.add(hashOf(bytes, from, to));
      from = to;
      if (names.size + longNames > maxNames) return `${maxNames} different names of members`;
    } else if (byte === openList || byte === openObject) {
      values += 1;
      depth += 1;
      if (depth > maxDepth) return `${maxDepth} levels of lists and objects`;
    } else if (byte === closeList || byte === closeObject) {
      depth -= 1;
    }
    if (values > maxValues) return `${maxValues} values`;
  }
  return undefined;
}

/** Whether lists and objects have more levels than `maxDepth`. Takes a tenth of the time in which the text was parsed. */
export function isDeeper(value: unknown, maxDepth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (maxDepth === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, maxDepth - 1));
  for (const name in value) if (isDeeper(value[name as never], maxDepth - 1)) return true;
  return false;
}

/** Where the string whose content begins at `from` ends: at its closing quote, or at the end of the text. */
export function endOfString(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return Math.min(at, bytes.length);
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = start;
  for (let at = from; at < to; at += 1) {
    hash = Math.imul(hash ^ (bytes[at] as number), step);
    // Without it some steps give a thousand of 2,000 regular names the hash of another.
    hash ^= hash >>> 15;
  }
  return hash;
}
