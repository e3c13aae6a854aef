/** The callers who use most: operations, refusals and bytes of each in the last full minute, in bounded memory. */

/** What is counted of a caller. */
export type Use = 'operations' | 'refusals' | 'bytes';

const uses: readonly Use[] = ['operations', 'refusals', 'bytes'];
const maxReported = 20;
/** Callers counted at a time. Beyond it the one with the least is replaced, so that no crowd hides a heavy caller. */
const maxCounted = 200;
const windowMs = 60_000;

export class TopCallers {
  #current = emptyCounts();
  #previous = emptyCounts();
  #startedAt = 0;

  /** `lane`: its tag. */
  add(use: Use, lane: string, amount: number): void {
    this.#turn();
    const counts = this.#current[use];
    let before = counts.get(lane);
    if (before === undefined && counts.size >= maxCounted) {
      // Space-Saving (Metwally, Agrawal, El Abbadi 2005): the count of the replaced one is the error, which never hides a heavy one.
      const [least, count] = [...counts].reduce((one, other) => (other[1] < one[1] ? other : one));
      counts.delete(least);
      before = count;
    }
    counts.set(lane, (before ?? 0) + amount);
  }

  /** The heaviest callers of the last full minute, at most 20 of each use. */
  read(): readonly (readonly [use: Use, lane: string, amount: number])[] {
    this.#turn();
    return uses.flatMap((use) =>
      [...this.#previous[use]]
        .sort(([, one], [, other]) => other - one)
        .slice(0, maxReported)
        .map(([lane, amount]) => [use, lane, amount] as const),
    );
  }

  #turn(): void {
    const passedMs = performance.now() - this.#startedAt;
    if (passedMs < windowMs) return;
    this.#previous = passedMs < 2 * windowMs ? this.#current : emptyCounts();
    this.#current = emptyCounts();
    this.#startedAt += Math.floor(passedMs / windowMs) * windowMs;
  }
}

function emptyCounts(): Readonly<Record<Use, Map<string, number>>> {
  return { operations: new Map(), refusals: new Map(), bytes: new Map() };
}
