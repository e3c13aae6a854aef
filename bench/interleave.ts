/** The order of the slices, and their evaluation. */

/** The measurements of one contender in one slice. */
export interface Slice {
  readonly cpuMicroseconds: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Calls to the service for each request. */
  readonly calls: number;
  /** At the workload's fixed rate. NaN: it has none, or the contender cannot serve that many. */
  readonly cpuAtRateMicroseconds: number;
  readonly p99AtRateMs: number;
}

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export type Metric = keyof Slice;

export interface Measured {
  readonly slices: readonly Slice[];
  /** For each slice: its value divided by the mean of LIMIT's slices before and after its round. */
  readonly ratios: Readonly<Record<'cpu' | 'p99' | 'cpuAtRate', readonly number[]>>;
}

const metricOf = { cpu: 'cpuMicroseconds', p99: 'p99Ms', cpuAtRate: 'cpuAtRateMicroseconds' } as const;

/**
 * In each round one slice of every contender, between two slices of LIMIT. Every second round has the reverse order: none is
 * always the first after LIMIT. The result begins with LIMIT.
 */
export async function interleave(
  names: readonly string[],
  rounds: number,
  run: (name: string) => Promise<Slice>,
): Promise<Map<string, Measured>> {
  const limits = [await run('limit')];
  const slices = new Map(names.map((name) => [name, [] as Slice[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of inTurn(names, round)) slices.get(name)?.push(await run(name));
    limits.push(await run('limit'));
  }
  const ratiosOf = (own: readonly Slice[], metric: Metric) =>
    own.map((slice, round) => {
      const [before, after] = limits.slice(round, round + 2) as [Slice, Slice];
      return (2 * slice[metric]) / (before[metric] + after[metric]);
    });
  const measured = [...slices].map(([name, own]) => {
    const ratios = Object.entries(metricOf).map(([ratio, metric]) => [ratio, ratiosOf(own, metric)]);
    return [name, { slices: own, ratios: Object.fromEntries(ratios) as Measured['ratios'] }] as const;
  });
  const one = { cpu: [1], p99: [1], cpuAtRate: [1] };
  return new Map<string, Measured>([['limit', { slices: limits, ratios: one }], ...measured]);
}

/** The items in their order, and in every second round in the reverse one. */
export function inTurn<T>(items: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? items : items.toReversed();
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    min: at(0),
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    max: at(sorted.length - 1),
  };
}
