/** Bounds a request's variables before any of them is coerced or held, and estimates the memory that they need. */
import { badUserInput } from '../errors.ts';
import { quoted } from '../tools/shortened.ts';

/** Most members of one object in the variables. No input type has as many. */
const maxMembers = 1_000;

/** Most members of one list in the variables: coercing a list of objects costs several microseconds each. */
const maxListLength = 10_000;

/**
 * Estimated memory of one value, an empty list, an empty object with the copy that graphql-js makes of an input object, and a
 * member's name without its text (bytes).
 */
const valueBytes = 16;
const listBytes = 48;
const objectBytes = 240;
const nameBytes = 32;

/**
 * Estimates the memory of the variables (bytes). Throws BAD_USER_INPUT for a list or an object with too many members:
 * graphql-js prints the whole object for each member that its type does not have.
 */
export function boundedMemoryOf(variables: Readonly<Record<string, unknown>>): number {
  checkSize(variables, '"variables"');
  let bytes = objectBytes;
  for (const [name, value] of Object.entries(variables)) {
    const place = `the variable "${quoted(name)}"`;
    bytes += nameBytes + textBytes(name) + valueBytes + memoryOf(value, (part) => checkSize(part, place));
  }
  return bytes;
}

function checkSize(value: object, place: string): void {
  const isList = Array.isArray(value);
  const most = isList ? maxListLength : maxMembers;
  if ((isList ? value : Object.keys(value)).length <= most) return;
  throw badUserInput(`${isList ? 'A list' : 'An object'} in ${place} has more than ${most} members.`);
}

/** Estimates the memory of a value from JSON (bytes). `check` is called with each list and object in it. */
export function memoryOf(value: unknown, check: (value: object) => void = () => {}): number {
  const open = [value];
  let bytes = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') bytes += textBytes(value);
    if (typeof value !== 'object' || value === null) continue;
    check(value);
    if (Array.isArray(value)) {
      bytes += listBytes;
    } else {
      bytes += objectBytes;
      for (const name of Object.keys(value)) bytes += nameBytes + textBytes(name);
    }
    for (const member of Object.values(value)) {
      bytes += valueBytes;
      open.push(member);
    }
  }
  return bytes;
}

/** V8 keeps a character in one byte, and in two if the text has one beyond Latin-1. */
function textBytes(text: string): number {
  return /[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length;
}
