/** The bounds on the lists of arguments. */
import { badUserInput } from '../errors.ts';

/** Longest list argument of which each member causes a call. */
export const maxCallListLength = 100;

/** Longest list of ids that are sent in one call. */
export const maxIdListLength = 1_000;

/** Returns the list, or throws BAD_USER_INPUT when it is too long. `name`: the argument. Default: 100 members. */
export function boundedList<T>(
  list: readonly T[],
  name: string,
  maxLength = maxCallListLength,
): readonly T[] {
  if (list.length <= maxLength) return list;
  throw badUserInput(
    `"${name}" has more than ${maxLength} members; nothing was sent. Send several shorter lists.`,
  );
}
