/** A workload that `run.ts` runs; its result is a section of the report. */
export interface RunOptions {
  readonly slices: number;
  readonly seconds: number;
  /** Requests that each process serves before it is measured, for at most 30 seconds. */
  readonly warmupRequests: number;
  readonly upstream: 'nginx' | 'node';
  /** Names of contenders. LIMIT always runs. */
  readonly only: readonly string[] | undefined;
  /** Whether another state of Folio is measured, too. */
  readonly against: boolean;
  readonly say: (line: string) => void;
}

export interface Runnable {
  readonly name: string;
  readonly title: string;
  run(options: RunOptions): Promise<string>;
}
