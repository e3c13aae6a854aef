import type { ServerResponse } from 'node:http';

/** Sends a response that is not a GraphQL result: probes, and paths that do not exist. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
