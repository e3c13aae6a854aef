/** Settings that are valid but probably a mistake. */
import type { Config } from './config.ts';
import { unknownVariables } from './unknown-variables.ts';
import { variables } from './variables.ts';

/**
 * Warnings for the log at start, a sentence each. `env`: the environment that `config` was read from.
 */
export function configWarnings(
  config: Config,
  env: Readonly<Record<string, string | undefined>> = {},
): readonly string[] {
  const { target, writeDeadlineMs, scanDeadlineMs } = config.upstream;
  const warnings: string[] = [];
  for (const { name, nearest } of unknownVariables(Object.keys(variables), env)) {
    warnings.push(`${name} is not a variable of this program; the nearest is ${nearest}.`);
  }
  if (config.shutdownGraceMs <= writeDeadlineMs) {
    warnings.push(
      'SHUTDOWN_GRACE_MS is not longer than UPSTREAM_WRITE_DEADLINE_MS: shutdown may abort writes.',
    );
  }
  if (config.idempotencyTtlMs <= Math.max(writeDeadlineMs, scanDeadlineMs)) {
    warnings.push(
      'IDEMPOTENCY_TTL_MS is not longer than UPSTREAM_WRITE_DEADLINE_MS and UPSTREAM_SCAN_DEADLINE_MS: ' +
        'the result of a write may expire before its caller asks for it again.',
    );
  }
  if (config.production && target.kind === 'sandbox') {
    warnings.push('UPSTREAM_URL is sandbox in production: the sandbox returns invented data.');
  }
  if (target.kind === 'remote' && target.baseUrl.protocol === 'http:' && !isLoopback(target.baseUrl)) {
    warnings.push('UPSTREAM_URL is not https: credentials are sent to the service unencrypted.');
  }
  return warnings;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
