import type { IncomingMessage } from 'node:http';

/**
 * Whether a page of this `Origin` may open a WebSocket, to which CORS does not apply: the gateway's own
 * pages, and those of `allowed`. A request without `Origin` comes from no page.
 */
export function isAllowedOrigin({ headers }: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = headers;
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
