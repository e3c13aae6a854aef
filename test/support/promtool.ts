/** Runs promtool, the checker of Prometheus, if it is installed. */
import { spawnSync } from 'node:child_process';

/** Whether tests with promtool can run. With `FOLIO_REQUIRE_PROMTOOL`, a missing promtool is a failure. */
export function hasPromtool(): boolean {
  if (spawnSync('promtool', ['--version']).status === 0 || process.env['FOLIO_REQUIRE_PROMTOOL']) return true;
  console.warn('Tests of the alerts are skipped: promtool is not on the PATH (Debian: prometheus).');
  return false;
}

/** Returns the output of promtool. Throws it when promtool fails. */
export function promtool(...parameters: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('promtool', parameters, { encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(stdout + stderr);
  return stdout;
}
