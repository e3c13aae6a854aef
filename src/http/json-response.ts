/** Responses in JSON that are not GraphQL results. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { countOfHeader } from './request-head.ts';

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

/** Refuses a request without `Host`, or with several (RFC 9112, section 3.2). False: it has one, or needs none. */
export function refuseWithoutOneHost(
  { rawHeaders, httpVersion }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const hosts = countOfHeader('host', rawHeaders);
  if (hosts === 1 || (hosts === 0 && httpVersion !== '1.1')) return false;
  response.shouldKeepAlive = false;
  const what = hosts === 0 ? 'is missing' : 'is given more than once: send it once';
  sendJson(response, 400, { error: `The header Host ${what}.` });
  return true;
}
