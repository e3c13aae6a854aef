/** Names in the environment that are probably a misspelt variable of ours. */

/** First words that other programs use as well: a name that begins with one is not taken for ours. */
const sharedWords = new Set(['NODE', 'OTEL', 'HTTP', 'HTTPS', 'NO', 'HOST', 'PORT']);
/** What Kubernetes and container links set for a service, e.g. REDIS_SERVICE_HOST, REDIS_PORT_6379_TCP. */
const serviceLink = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT(_\d+_(TCP|UDP)(_\w+)?)?$/;
/** So many letters may be wrong in a name that begins with no word of ours, if it is long enough to be sure. */
const likelyMistakes = 2;
const leastLength = 6;

/** Each with the nearest of our `names`. */
export function unknownVariables(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly { readonly name: string; readonly nearest: string }[] {
  const found = [];
  for (const [name, value] of Object.entries(env)) {
    const nearest = value ? meantBy(names, name) : undefined;
    if (nearest !== undefined) found.push({ name, nearest });
  }
  return found;
}

/** The one of our names that is probably meant; undefined for ours and for those of other programs. */
function meantBy(names: readonly string[], name: string): string | undefined {
  const upper = name.toUpperCase();
  const word = firstWord(upper);
  // Systems set the proxies in lower case: their words are shared ones.
  if (names.includes(name) || sharedWords.has(word) || serviceLink.test(upper)) return undefined;
  const nearest = nearestOf(upper, names);
  if (name.length >= leastLength && distance(upper, nearest) <= likelyMistakes) return nearest;
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

/** Levenshtein: letters to insert, delete or replace. Names are cut at 64 letters. */
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
