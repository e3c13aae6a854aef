/** Environment variables that the gateway does not read but that were probably meant for it. */
import type { Environment } from './variables.ts';

/** First words of variable names that other programs use too: such a name is reported only if it is close to one of ours. */
const sharedWords = new Set(['NODE', 'OTEL', 'HTTP', 'HTTPS', 'NO', 'HOST', 'PORT']);
/** Variables that Kubernetes and container links set for a service, e.g. REDIS_SERVICE_HOST, REDIS_PORT_6379_TCP. */
const serviceLink = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT(_\d+_(TCP|UDP)(_\w+)?)?$/;
/** A name of other programs that is close to one of ours. */
const ftpProxy = 'FTP_PROXY';
/** A name this close to one of ours (Levenshtein) is reported even if its first word is not ours. */
const maxMistakes = 2;
/** Shorter names are too easily close to one of ours. */
const minLength = 6;

/** A sentence for each name in `env` that is probably misspelt, with the nearest of `names`. */
export function unknownVariables(names: readonly string[], env: Environment): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    // Windows begins files with it.
    const unmarked = name.replace('\ufeff', '');
    if (unmarked !== name && names.includes(unmarked))
      return `${unmarked} is not set, because a byte order mark comes before it: save the file without that.`;
    const nearest = value ? intendedName(names, name) : undefined;
    return nearest ? `${name} is not a variable of this program; the nearest is ${nearest}.` : [];
  });
}

/** The one of `names` that was probably meant; undefined for a known name and for names of other programs. */
function intendedName(names: readonly string[], name: string): string | undefined {
  const upper = name.toUpperCase();
  const word = firstWord(upper);
  if (names.includes(name) || upper === ftpProxy || serviceLink.test(upper)) return undefined;
  const isShared = sharedWords.has(word);
  // Systems set the proxy variables in lower case.
  if (isShared && names.includes(upper)) return undefined;
  const nearest = nearestOf(upper, names);
  if (name.length >= minLength && distance(upper, nearest) <= maxMistakes) return nearest;
  if (isShared) return undefined;
  const sameWord = names.filter((known) => firstWord(known) === word);
  return sameWord.length > 0 ? nearestOf(upper, sameWord) : undefined;
}

function nearestOf(name: string, candidates: readonly string[]): string {
  const distances = candidates.map((known) => distance(name, known));
  return candidates[distances.indexOf(Math.min(...distances))] as string;
}

function firstWord(name: string): string {
  return name.split('_')[0] as string;
}

/** Levenshtein distance: letters to insert, delete or replace. Names are cut at 64 letters. */
function distance(one: string, other: string): number {
  const letters = [...other];
  let row = [0, ...letters.map((_, index) => index + 1)];
  for (const [line, letter] of [...one.slice(0, 64)].entries()) {
    const next = [line + 1];
    for (const [column, expected] of letters.entries()) {
      const replaced = (row[column] as number) + (letter === expected ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] as number) + 1, (next[column] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
