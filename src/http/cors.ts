/** CORS: allows pages of the origins in CORS_ORIGINS, without the browser's own credentials. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a browser may cache the response to a preflight request (seconds): 10 minutes. */
const maxAgeSeconds = '600';

/**
 * Sets the CORS headers of a response, and responds to a preflight request: then returns true. Another origin gets no
 * header, so the browser withholds the response from its page.
 */
export function applyCors(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  allowed: readonly string[],
): boolean {
  const { origin } = headers;
  const isPreflight = method === 'OPTIONS' && allowed.length > 0;
  if (allowed.length > 0) response.setHeader('vary', 'Origin');
  if (origin !== undefined && (allowed.includes(origin) || allowed.includes('*'))) {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', 'x-request-id, retry-after');
    if (isPreflight) allowAll(headers['access-control-request-headers'], response);
  }
  if (isPreflight) response.writeHead(204, { 'content-length': '0' }).end();
  return isPreflight;
}

/** Allows every requested header: the presence of a header proves nothing to the gateway. */
function allowAll(requested: string | undefined, response: ServerResponse): void {
  response.setHeader('access-control-allow-methods', 'GET, POST, OPTIONS');
  response.setHeader('access-control-max-age', maxAgeSeconds);
  if (requested === undefined) return;
  response.setHeader('access-control-allow-headers', requested);
  response.setHeader('vary', 'Origin, Access-Control-Request-Headers');
}
