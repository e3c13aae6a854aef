/** What the server reads from the head of a request before anything else. */
import type { IncomingMessage } from 'node:http';
import { credentialHeaders } from '../caller.ts';
import { badRequest } from '../errors.ts';

/** Of Node's own request, or of a host's. */
export type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>;

export const maxHeaders = 100;

/** A handshake is a GET request (RFC 6455, section 4.1). */
export function asksForWebSocket({ method, headers }: RequestHead): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** The target without its query string. */
export function pathOf({ url = '/' }: RequestHead): string {
  return url.split('?', 1)[0] as string;
}

/** Removes scheme and authority from the target: a server accepts it with them (RFC 9112, section 3.2.2). */
export function removeOrigin(request: IncomingMessage): void {
  const { url = '/' } = request;
  if (url.startsWith('/')) return;
  const target = url.replace(/^https?:\/\/[^/?]*/i, '');
  request.url = target.startsWith('/') ? target : `/${target}`;
}

/** Memory of the target and the headers, estimated (bytes): their text, and 96 bytes for each name and each value. */
export function headBytes({ url = '', rawHeaders }: RequestHead): number {
  return rawHeaders.reduce((sum, { length }) => sum + length + 96, url.length);
}

/** Memory of a request and its response, without bodies, estimated (bytes): 8 KiB, and the head with 256 for each header. */
export function requestBytes(request: RequestHead): number {
  return 8 * 1024 + 32 * request.rawHeaders.length + headBytes(request);
}

export function hasTooManyHeaders({ rawHeaders }: RequestHead): boolean {
  return rawHeaders.length > 2 * maxHeaders;
}

/** How often the header is given, by its name in lower case. Counted in the raw list: Node joins or drops repeated headers elsewhere. */
export function countOfHeader(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] as string;
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}

/**
 * Throws for a malformed `Host` (RFC 9112, section 3.2). It is compared with no list of names: a page whose name leads to
 * the gateway has no credentials of a user, because browsers add neither an API key nor a bearer token by themselves.
 */
export function checkHost({ headers: { host } }: RequestHead): void {
  if (!host || (!/[/?#@\\]/.test(host) && URL.canParse(`http://${host}`))) return;
  throw badRequest('The `Host` header is malformed.');
}

/** Size of a head that stays as it is while its operation runs (bytes): 4 KiB. Most are smaller. */
const freeHeadBytes = 4 * 1_024;
/** What a response and its events need: the media type, and whose it is. */
const lastingHeaders = ['accept', ...Object.values(credentialHeaders)];

/** Drops what the running operation does not need of a large head and of trailers: each takes up to 30 KiB for as long as it runs. */
export function dropLargeHead(request: RequestHead & { readonly rawTrailers?: string[] }): void {
  request.rawTrailers?.splice(0);
  if (headBytes(request) <= freeHeadBytes) return;
  const { headers } = request;
  const kept = lastingHeaders.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [[name.toLowerCase(), String(value)] as const];
  });
  Object.assign(request, {
    headers: Object.fromEntries(kept),
    rawHeaders: kept.flat(),
    url: pathOf(request),
  });
}
