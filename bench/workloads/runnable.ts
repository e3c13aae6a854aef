/** A workload that `run.ts` runs; its result is a section of the report. */
export interface RunOptions {
  readonly slices: number;
  readonly seconds: number;
  /** Load on each process before it is measured. */
  readonly warmupSeconds: number;
  readonly upstream: 'nginx' | 'node';
  /** Names of contenders. LIMIT always runs. */
  readonly only: readonly string[] | undefined;
  readonly say: (line: string) => void;
}

export interface Runnable {
  readonly name: string;
  readonly title: string;
  run(options: RunOptions): Promise<string>;
}
