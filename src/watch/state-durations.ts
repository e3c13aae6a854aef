/** How long documents stay in a state, as the last polls have seen it. */

/** For each class of ages in the state: how many documents per millisecond leave it, of those still in it. */
export interface LifeTable {
  /** Limits of the classes (ms), one more than there are classes. Beyond the last one too little is known. */
  readonly limits: readonly number[];
  readonly hazards: readonly number[];
}

export interface StateDurations {
  /**
   * Records two polls one after the other, at these ages in the state (ms): the second one saw that the document has left
   * it, or that it has not.
   */
  add(fromMs: number, toMs: number, hasLeft: boolean): void;
  /** Number of documents that have left the state, of the last ones that are kept. */
  left(): number;
  lifeTable(): LifeTable;
}

interface Counts {
  documents: number;
  /** Documents that left, and the time that documents were watched (ms), in each class of ages. */
  readonly left: Float64Array;
  readonly watchedMs: Float64Array;
}

/** Each class of ages is wider by this factor than the one before it. */
const widening = 1.12;
/** The longest age that is distinguished (ms). */
const longestMs = 3_600_000;
/** The table ends where fewer documents than this were watched. */
const leastWatched = 5;

/**
 * Keeps the last 500 to 1,000 documents that left the state, and all that were watched meanwhile: both are needed, because
 * those that stay long are not among the first to leave. `finestMs`: width of the first class of ages.
 */
export function createStateDurations(finestMs: number, maxDocuments = 1_000): StateDurations {
  const limits = [0];
  for (let limit = finestMs; limit < longestMs; limit *= widening) limits.push(limit);
  const classes = limits.length - 1;
  const newCounts = (): Counts => ({
    documents: 0,
    left: new Float64Array(classes),
    watchedMs: new Float64Array(classes),
  });
  // Two generations instead of a list of documents: a poll costs a few additions.
  let recent = newCounts();
  let older = newCounts();

  function classOf(ageMs: number): number {
    return ageMs < finestMs ? 0 : 1 + Math.floor(Math.log(ageMs / finestMs) / Math.log(widening));
  }

  return {
    /** When a document left between the polls is unknown: it is counted in equal parts at all ages between them. */
    add(fromMs, toMs, hasLeft) {
      for (let index = Math.max(0, classOf(fromMs) - 1); index < classes; index += 1) {
        const low = Math.max(fromMs, limits[index] as number);
        if (low >= toMs) break;
        const high = Math.min(toMs, limits[index + 1] as number);
        if (high <= low) continue;
        const part = (high - low) / (toMs - fromMs);
        const present = hasLeft ? (toMs - (low + high) / 2) / (toMs - fromMs) : 1;
        recent.watchedMs[index] = (recent.watchedMs[index] as number) + (high - low) * present;
        if (hasLeft) recent.left[index] = (recent.left[index] as number) + part;
      }
      if (!hasLeft) return;
      recent.documents += 1;
      if (recent.documents < maxDocuments / 2) return;
      older = recent;
      recent = newCounts();
    },
    left: () => recent.documents + older.documents,
    lifeTable() {
      const hazards: number[] = [];
      for (let index = 0; index < classes; index += 1) {
        const widthMs = (limits[index + 1] as number) - (limits[index] as number);
        const watchedMs = (recent.watchedMs[index] as number) + (older.watchedMs[index] as number);
        if (watchedMs < leastWatched * widthMs) break;
        hazards.push(((recent.left[index] as number) + (older.left[index] as number)) / watchedMs);
      }
      return { limits: limits.slice(0, hazards.length + 1), hazards };
    },
  };
}
