/** Prometheus' own checker, where there is one. */
import { spawnSync } from 'node:child_process';

/** Whether rules can be checked. Where they must be (`FOLIO_REQUIRE_PROMTOOL`), a missing promtool is a failure. */
export function hasPromtool(): boolean {
  if (spawnSync('promtool', ['--version']).status === 0 || process.env['FOLIO_REQUIRE_PROMTOOL']) return true;
  console.warn('Tests of the alerts are skipped: there is no promtool on the PATH (Debian: prometheus).');
  return false;
}

/** What promtool says; it throws with that when it does not agree. */
export function promtool(...parameters: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('promtool', parameters, { encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(stdout + stderr);
  return stdout;
}
