/** A workload that `run.ts` runs; its result is a section of the report. */
import type { Contender } from '../contenders.ts';

export interface RunOptions {
  readonly slices: number;
  readonly seconds: number;
  /** Load on each process before it is measured. */
  readonly warmupSeconds: number;
  readonly upstream: 'nginx' | 'node';
  /** Names of contenders. LIMIT always runs. */
  readonly only: readonly string[] | undefined;
  /** Run next to the gateway, instead of the workload's contenders. */
  readonly variants?: readonly Contender[];
  readonly say: (line: string) => void;
}

export interface Runnable {
  readonly name: string;
  readonly title: string;
  run(options: RunOptions): Promise<string>;
}
