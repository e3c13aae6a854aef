import { GatewayError } from '../errors.ts';

export function shuttingDown(): GatewayError {
  return new GatewayError({
    code: 'SHUTTING_DOWN',
    message: 'The gateway is shutting down; nothing was sent.',
    retryable: true,
    retryAfterMs: 1_000,
  });
}
