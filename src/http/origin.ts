import type { IncomingMessage } from 'node:http';

/**
 * Whether a page of this `Origin` may open a WebSocket; CORS does not apply to WebSockets. The gateway's own pages and
 * those of `allowed` may. A request without `Origin` does not come from a browser page.
 */
export function isAllowedOrigin({ headers }: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = headers;
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
