/** Next.js: the gateway inside of the application's own server, with the credentials of the user who is signed in. */
import { createFolioHandler, type FolioHandler } from 'folio/handler';

/** Next.js loads a changed module again during development: the gateway stays. */
const kept = globalThis as { folio?: FolioHandler };

function folio(): FolioHandler {
  if (kept.folio) return kept.folio;
  const handler = createFolioHandler(process.env);
  // Next.js waits for open responses when it stops, and so for event streams.
  process.once('SIGTERM', () => void handler.close());
  kept.folio = handler;
  return handler;
}

/** Pages send the cookie of their session alone: the API key and the token stay on the server. Without a session there is neither. */
function withCredentials(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete('x-api-key');
  headers.delete('authorization');
  const token = tokenOf(request);
  if (token !== undefined) {
    headers.set('x-api-key', process.env['FOLIO_API_KEY'] ?? 'demo');
    headers.set('authorization', `Bearer ${token}`);
  }
  // The new request keeps the other one: once that has been collected, no signal aborts when the caller disconnects.
  return Object.assign(new Request(request, { headers }), { request });
}

/** Here the cookie is the token. Your session store finds it by the cookie. */
function tokenOf({ headers }: Request): string | undefined {
  return /(?:^|; )session=([\w.-]+)/.exec(headers.get('cookie') ?? '')?.[1];
}

export const dynamic = 'force-dynamic';
export const GET = (request: Request): Promise<Response> => folio().fetch(withCredentials(request));
export const POST = GET;
