/** Allows pages of the origins in CORS_ORIGINS, without the browser's own credentials. */
import type { RequestHead } from './request-head.ts';

/** How long a browser may cache the response to a preflight request (seconds): 10 minutes. */
const maxAgeSeconds = '600';

export function isPreflight({ method }: RequestHead, allowed: readonly string[]): boolean {
  return method === 'OPTIONS' && allowed.length > 0;
}

/**
 * The CORS headers of a response, names and values alternately. Another origin gets none that allows anything, so the
 * browser withholds the response from its page.
 */
export function corsHeaders(request: RequestHead, allowed: readonly string[]): string[] {
  if (allowed.length === 0) return [];
  const { origin, 'access-control-request-headers': requested } = request.headers;
  if (origin === undefined || !(allowed.includes(origin) || allowed.includes('*'))) return ['vary', 'Origin'];
  const headers = ['access-control-allow-origin', origin];
  headers.push('access-control-expose-headers', 'x-request-id, retry-after');
  if (!isPreflight(request, allowed)) return [...headers, 'vary', 'Origin'];
  headers.push('access-control-allow-methods', 'GET, POST, OPTIONS', 'access-control-max-age', maxAgeSeconds);
  if (requested === undefined) return [...headers, 'vary', 'Origin'];
  // Every requested header is allowed: the presence of a header proves nothing to the gateway.
  headers.push('access-control-allow-headers', requested);
  return [...headers, 'vary', 'Origin, Access-Control-Request-Headers'];
}

/**
 * Whether a page of this `Origin` may open a WebSocket; CORS does not apply to WebSockets. The gateway's own pages and
 * those of `allowed` may. A request without `Origin` does not come from a browser page.
 */
export function isAllowedOrigin({ headers }: RequestHead, allowed: readonly string[]): boolean {
  const { origin, host } = headers;
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return true;
  const [scheme] = origin.split('/', 1);
  return host !== undefined && hostOf(origin) !== '' && hostOf(origin) === hostOf(`${scheme}//${host}`);
}

/** In lower case, and without the port that the scheme has by default: a proxy may write it into `Host`. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
