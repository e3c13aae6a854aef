/** What the server reads from the head of a request before anything else. */
import type { RequestHead } from './graphql/http-request.ts';

export const maxHeaders = 100;

export function asksForWebSocket({ headers }: RequestHead): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** Memory of the target and the headers, estimated (bytes): their text, and 96 bytes for each name and each value. */
export function headBytes({ url = '', rawHeaders }: RequestHead): number {
  return rawHeaders.reduce((sum, { length }) => sum + length + 96, url.length);
}

/** Memory of a request without its body, estimated (bytes): 8 KiB, and 256 bytes for each header. */
export function requestBytes({ rawHeaders }: RequestHead): number {
  return 8 * 1024 + 128 * rawHeaders.length;
}

export function hasTooManyHeaders({ rawHeaders }: RequestHead): boolean {
  return rawHeaders.length > 2 * maxHeaders;
}

/** RFC 9112, section 3.2. Yoga builds a URL of the header: it would throw, or route by another path. */
export function hasValidHost({ headers: { host } }: RequestHead): boolean {
  return !host || (!/[/?#@\\]/.test(host) && URL.canParse(`http://${host}`));
}
