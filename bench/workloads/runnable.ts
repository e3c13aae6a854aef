/** What `run.ts` runs: a workload that makes a section of the report. */
export interface RunOptions {
  readonly slices: number;
  readonly seconds: number;
  readonly upstream: 'nginx' | 'node';
  /** Names; LIMIT takes part in any case. */
  readonly only: readonly string[] | undefined;
  readonly say: (line: string) => void;
}

export interface Runnable {
  readonly name: string;
  readonly title: string;
  run(options: RunOptions): Promise<string>;
}
