import { badUserInput } from '../errors.ts';

/** Longest list of an argument whose members each cause a call. */
export const maxListLength = 100;

/** Longest list of ids that go out in one call. */
export const maxIdListLength = 1_000;

export function boundedList<T>(list: readonly T[], name: string, maxLength = maxListLength): readonly T[] {
  if (list.length <= maxLength) return list;
  throw badUserInput(`${name} has more than ${maxLength} members; nothing was sent.`);
}
