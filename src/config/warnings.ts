/** Settings that are valid but probably a mistake. */
import type { Config } from './config.ts';
import type { Environment } from './read-variables.ts';
import { unknownVariables } from './unknown-variables.ts';
import { variables } from './variables.ts';

/**
 * Warnings for the log at start, a sentence each. `env`: the environment that `config` was read from.
 */
export function configWarnings(config: Config, env: Environment = {}): readonly string[] {
  const { target, readDeadlineMs, writeDeadlineMs, scanDeadlineMs } = config.upstream;
  const warnings = [...unknownVariables(Object.keys(variables), env)];
  const longer = [
    ...(config.shutdownGraceMs <= readDeadlineMs ? ['UPSTREAM_READ_DEADLINE_MS'] : []),
    ...(config.shutdownGraceMs <= writeDeadlineMs ? ['UPSTREAM_WRITE_DEADLINE_MS'] : []),
    // With the default of both, a scan can outlast a shutdown. That matters where its outcome does.
    ...(config.shutdownGraceMs <= scanDeadlineMs && config.production ? ['UPSTREAM_SCAN_DEADLINE_MS'] : []),
  ];
  if (longer.length > 0) {
    warnings.push(
      `SHUTDOWN_GRACE_MS is not longer than ${longer.join(', ')}: a write that a shutdown ends gets OUTCOME_UNKNOWN.`,
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
