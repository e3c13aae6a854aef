/** The order of the slices, and their evaluation. */

/** The measurements of one contender in one slice. */
export interface Slice {
  readonly cpuMicroseconds: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Calls to the service for each request. */
  readonly calls: number;
}

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export type Metric = keyof Slice;

export interface Measured {
  readonly slices: readonly Slice[];
  /** For each slice: its value divided by the mean of LIMIT's slices before and after it. */
  readonly ratios: Readonly<Record<'cpu' | 'p99', readonly number[]>>;
}

/** Measures each contender's slice between two slices of LIMIT. The result begins with LIMIT. */
export async function interleave(
  names: readonly string[],
  rounds: number,
  run: (name: string) => Promise<Slice>,
): Promise<Map<string, Measured>> {
  const limits = [await run('limit')];
  const measured = new Map(
    names.map((name) => [
      name,
      { slices: [] as Slice[], ratios: { cpu: [] as number[], p99: [] as number[] } },
    ]),
  );
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, { slices, ratios }] of measured) {
      const before = limits.at(-1) as Slice;
      const slice = await run(name);
      const after = await run('limit');
      limits.push(after);
      slices.push(slice);
      ratios.cpu.push((2 * slice.cpuMicroseconds) / (before.cpuMicroseconds + after.cpuMicroseconds));
      ratios.p99.push((2 * slice.p99Ms) / (before.p99Ms + after.p99Ms));
    }
  }
  return new Map<string, Measured>([
    ['limit', { slices: limits, ratios: { cpu: [1], p99: [1] } }],
    ...measured,
  ]);
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    min: at(0),
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    max: at(sorted.length - 1),
  };
}
