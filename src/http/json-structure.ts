/** Bounds the structure of JSON text before it is parsed, because JSON.parse cannot be interrupted. */
import { badRequest } from '../errors.ts';

/** Most values of one text: list members and object members of all levels together. */
const maxValues = 100_000;
/** Most levels of lists and objects. */
const maxDepth = 64;
/** Most distinct names of object members: each new name makes V8 create a hidden class. */
const maxNames = 10_000;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, openObject, closeList, closeObject] = [0x5b, 0x7b, 0x5d, 0x7d];

/**
 * Throws BAD_REQUEST when the text has too many values, levels or names; `what` names the text. About 2 ms for each
 * MiB. Text that is not JSON passes or not; JSON.parse refuses it later.
 */
export function checkJsonStructure(bytes: Uint8Array, what: string): void {
  const names = new Set<number>();
  let values = 1;
  let depth = 0;
  /** Hash of the newest string. */
  let hash = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quote) {
      hash = 0;
      for (index += 1; index < bytes.length && bytes[index] !== quote; index += 1) {
        if (bytes[index] === backslash) index += 1;
        hash = (Math.imul(hash, 31) + (bytes[index] as number)) | 0;
      }
    } else if (byte === comma) {
      values += 1;
    } else if (byte === colon) {
      names.add(hash);
      if (names.size > maxNames) throw tooMuch(what, `${maxNames} different names of members`);
    } else if (byte === openList || byte === openObject) {
      values += 1;
      depth += 1;
      if (depth > maxDepth) throw tooMuch(what, `${maxDepth} levels of lists and objects`);
    } else if (byte === closeList || byte === closeObject) {
      depth -= 1;
    }
    if (values > maxValues) throw tooMuch(what, `${maxValues} values`);
  }
}

function tooMuch(what: string, bound: string) {
  return badRequest(`${what} has more than ${bound}; nothing was done.`);
}
