import { badUserInput } from '../errors.ts';
import { exceededBound, type JsonBounds } from '../json-structure.ts';

const bounds: JsonBounds = { maxValues: 100_000, maxDepth: 20_000, maxNames: 10_000 };

/** Throws BAD_USER_INPUT when a caller's text has too many values, levels or names; `what` names the text. */
export function checkJsonStructure(bytes: Uint8Array, what: string): void {
  const bound = exceededBound(bytes, bounds);
  if (bound !== undefined) throw badUserInput(`${what} has more than ${bound}; nothing was done.`);
}
