/**
 * The service's Malaysian status, which depends on the time only: each document changes every PERIOD_MS, at different
 * times. `message` is the time of the last change (epoch ms), so that a subscriber knows how late it received the change.
 * Also serves Mexican validations.
 */
import { createServer } from 'node:http';
import { mexicoRecord } from './answers.ts';

const periodMs = Number(process.env['PERIOD_MS']);
let calls = 0;

function changedAt(id: number): number {
  const phase = (id * 7_919) % periodMs;
  return Math.floor((Date.now() - phase) / periodMs) * periodMs + phase;
}

createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  const [, country, id] = /\/v2\/einvoice\/(malaysia|mexico)\/status\/(\d+)$/.exec(request.url ?? '') ?? [];
  if (country === undefined) {
    response.end(String(calls));
    return;
  }
  calls += 1;
  const answer =
    country === 'mexico'
      ? mexicoRecord(Number(id))
      : { status: 'queued', message: String(changedAt(Number(id))) };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}).listen(Number(process.env['PORT']), '127.0.0.1');
