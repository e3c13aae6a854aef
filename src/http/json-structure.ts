import { badRequest } from '../errors.ts';
import { exceededBound, type JsonBounds } from '../json-structure.ts';

const bounds: JsonBounds = { maxValues: 100_000, maxDepth: 64, maxNames: 10_000 };

/** Throws BAD_REQUEST when a caller's text has too many values, levels or names; `what` names the text. */
export function checkJsonStructure(bytes: Uint8Array, what: string): void {
  const bound = exceededBound(bytes, bounds);
  if (bound !== undefined) throw badRequest(`${what} has more than ${bound}; nothing was done.`);
}
