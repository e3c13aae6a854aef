/** The words for the state of a Malaysian document: those of the service's document, of the tax portal, and configured ones. */
import type { MalaysiaState, MalaysiaStatusConfig } from '../../config/config.ts';

/** The words for each state: in lower case, without blanks, underscores and hyphens. */
const words: Readonly<Record<MalaysiaState, readonly string[]>> = {
  QUEUED: ['queued', 'pending', 'processing', 'accepted'],
  SUBMITTED: ['submitted'],
  VALIDATED: ['validated', 'valid'],
  REJECTED: ['rejected', 'invalid'],
  FAILED: ['failed', 'failedduringlaterprocessing', 'validationfailed'],
  CANCELLED: ['cancelled', 'canceled'],
  UNKNOWN: [],
};

export const states = Object.keys(words) as readonly MalaysiaState[];

export const finalStates: readonly MalaysiaState[] = ['VALIDATED', 'REJECTED', 'FAILED', 'CANCELLED'];

/** The words with which an envelope may describe a call that failed. */
const failedCallWords = ['failed', 'fail', 'failure', 'error'];

/** Returns UNKNOWN for a word that is neither configured nor known. */
export function stateOf(raw: string, { words: configured }: MalaysiaStatusConfig): MalaysiaState {
  const word = normalized(raw);
  const [, state] = configured.find(([own]) => normalized(own) === word) ?? [];
  return state ?? states.find((one) => words[one].includes(word)) ?? 'UNKNOWN';
}

export function mayDescribeCall(raw: string): boolean {
  return failedCallWords.includes(normalized(raw));
}

/** The names of the members that `known` has, normalized, in its order. */
export function membersNamed(known: readonly string[], members: object): string[] {
  const names = Object.keys(members).filter((name) => known.includes(normalized(name)));
  if (names.length < 2) return names;
  // The service decides how many spellings there are: a sort would compare each with several others.
  const byWord = Map.groupBy(names, normalized);
  return known.flatMap((word) => byWord.get(word) ?? []);
}

/** Longest word or name that is compared with known ones: the service decides how long it is. */
const maxLength = 200;

/** A word or a member's name without the differences in spelling that mean nothing; empty for one that is not known. */
export function normalized(text: string): string {
  return text.length > maxLength ? '' : text.toLowerCase().replaceAll(/[\s_-]/g, '');
}
