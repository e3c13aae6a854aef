/** Protection against cross-site request forgery: a page of another origin cannot send these requests unnoticed. */
import { badRequest } from '../../errors.ts';
import type { RequestHead } from '../request-head.ts';

/** A browser sends these headers only after a preflight request. */
const csrfHeaders = ['x-graphql-yoga-csrf', 'apollo-require-preflight'];

/** Content types that a browser sends to any origin without a preflight request (Fetch standard, "CORS-safelisted"). */
const safelisted = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/** Rejects a request that a browser can send without a preflight request, unless it has one of the headers. */
export function checkCsrfHeader({ headers }: RequestHead): void {
  const type = headers['content-type']?.toLowerCase();
  const hasPreflight = type !== undefined && !safelisted.some((prefix) => type.startsWith(prefix));
  if (hasPreflight || csrfHeaders.some((name) => headers[name] !== undefined)) return;
  const names = csrfHeaders.join(' or ');
  throw badRequest(
    `Send the header ${names} with any value, or a JSON body with the content type application/json.`,
    403,
  );
}
