/** Checks the ids and texts of callers before they become part of a path, a header or a form. */
import { badUserInput } from '../errors.ts';

/** Longest id in a path, in UTF-16 code units. */
const maxIdLength = 128;
const controlCharacter = /\p{Cc}/u;
/** The text of a UUID of any version (RFC 9562, section 4), in capitals or not. */
export const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns an id for a path as the caller wrote it. Rejects an id that could name another path: percent-encoding does
 * not neutralize a dot segment, and some servers decode a path before they route it.
 */
export function checkedId(id: string, name: string): string {
  const isValid = id !== '' && id.length <= maxIdLength && id.isWellFormed() && !controlCharacter.test(id);
  if (isValid && id !== '.' && id !== '..' && !/[/\\?#]/.test(id)) return id;
  throw badUserInput(
    `${name} must be 1 to ${maxIdLength} characters, without "/", "\\", "?", "#" and control characters, and not "." or "..".`,
  );
}

/** Returns an id that the service documents as numeric, as the caller wrote it: 1 to 19 digits. */
export function numericId(id: string, name: string): string {
  if (/^[0-9]{1,19}$/.test(id)) return id;
  throw badUserInput(`${name} must be 1 to 19 digits.`);
}

/** Returns a numeric id as the text of a JSON integer, without leading zeros. */
export function integerId(id: string, name: string): string {
  const digits = numericId(id, name);
  return digits.startsWith('0') ? digits.replace(/^0+(?=[0-9])/, '') : digits;
}

/** Returns a string for a header or a form part, as the caller wrote it. A lone surrogate has no UTF-8 form. */
export function checkedText(text: string, name: string): string {
  if (text.isWellFormed() && !controlCharacter.test(text)) return text;
  throw badUserInput(`${name} must not contain control characters or lone surrogates.`);
}
