/**
 * The service's Malaysian status, which changes with time alone: every PERIOD_MS, each document at a moment of its
 * own. The answer's `message` is the moment of the last change (epoch ms), so that a subscriber knows how late it is.
 */
import { createServer } from 'node:http';

const periodMs = Number(process.env['PERIOD_MS']);
let calls = 0;

function changedAt(id: number): number {
  const phase = (id * 7_919) % periodMs;
  return Math.floor((Date.now() - phase) / periodMs) * periodMs + phase;
}

createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  const id = /\/v2\/einvoice\/malaysia\/status\/(\d+)$/.exec(request.url ?? '')?.[1];
  if (id === undefined) {
    response.end(String(calls));
    return;
  }
  calls += 1;
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ status: 'queued', message: String(changedAt(Number(id))) }));
}).listen(Number(process.env['PORT']), '127.0.0.1');
