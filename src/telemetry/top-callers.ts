/** The callers who use most: operations, refusals and bytes of each in the last full minute, in bounded memory. */

const uses = ['operations', 'refusals', 'bytes'] as const;
type Use = (typeof uses)[number];

const maxReported = 20;
/** Callers counted at a time. Beyond it the one with the least is replaced, so that no crowd hides a heavy caller. */
const maxCounted = 200;
const windowMs = 60_000;

export function createTopCallers() {
  let current = emptyCounts();
  let previous = emptyCounts();
  let startedAt = 0;

  function turn(): void {
    const passedMs = performance.now() - startedAt;
    if (passedMs < windowMs) return;
    previous = passedMs < 2 * windowMs ? current : emptyCounts();
    current = emptyCounts();
    startedAt += Math.floor(passedMs / windowMs) * windowMs;
  }

  return {
    /** `lane`: its tag. */
    add(use: Use, lane: string, amount: number): void {
      turn();
      const counts = current[use];
      let before = counts.get(lane);
      if (before === undefined && counts.size >= maxCounted) {
        // Space-Saving (Metwally, Agrawal, El Abbadi 2005): the count of the replaced one is the error, which never hides a heavy one.
        const [least, count] = [...counts].reduce((one, other) => (other[1] < one[1] ? other : one));
        counts.delete(least);
        before = count;
      }
      counts.set(lane, (before ?? 0) + amount);
    },

    /** The heaviest callers of the last full minute, at most 20 of each use. */
    read(): readonly (readonly [use: Use, lane: string, amount: number])[] {
      turn();
      return uses.flatMap((use) =>
        [...previous[use]]
          .sort(([, one], [, other]) => other - one)
          .slice(0, maxReported)
          .map(([lane, amount]) => [use, lane, amount] as const),
      );
    },
  };
}

function emptyCounts(): Readonly<Record<Use, Map<string, number>>> {
  return { operations: new Map(), refusals: new Map(), bytes: new Map() };
}
