/** Responses in JSON that are not GraphQL results. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../telemetry/log.ts';
import type { GraphQLResponse } from './request-and-response.ts';
import { countOfHeader } from './request-head.ts';

export function sendJson(response: GraphQLResponse, status: number, body: unknown): void {
  const headers = ['content-type', 'application/json; charset=utf-8', 'cache-control', 'no-store'];
  response.writeHead(status, headers).end(JSON.stringify(body));
}

/** Logs a fault of the gateway, and ends the response with it. */
export function sendFault(response: GraphQLResponse, log: Log, error: unknown, requestId?: string): void {
  log.error({ err: error, requestId }, 'request');
  if (response.headersSent) response.destroy();
  else sendJson(response, 500, { error: 'The gateway failed.' });
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
