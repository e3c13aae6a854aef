/**
 * The service as a Node process, for machines without nginx and for slow uploads. Environment: PORT; DELAY_MS, the delay
 * of each response; READ_BYTES_PER_SECOND, the rate at which a connection's upload is read.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { credentialHeaders } from '../../src/caller.ts';
import {
  documentCount,
  exportAnswer,
  firstDocumentId,
  groupAnswer,
  mexicoRecord,
  scanAnswer,
} from './answers.ts';

const delayMs = Number(process.env['DELAY_MS'] ?? 0);
const readBytesPerSecond = Number(process.env['READ_BYTES_PER_SECOND'] ?? 0);

const mexico = Array.from({ length: documentCount }, (_, index) =>
  JSON.stringify(mexicoRecord(firstDocumentId + index)),
);
const scan = JSON.stringify(scanAnswer());
const exported = JSON.stringify(exportAnswer());
const mexicoPath = '/v2/einvoice/mexico/status/';
let calls = 0;

async function answer(request: IncomingMessage): Promise<string | undefined> {
  const path = request.url ?? '';
  if (path.startsWith(mexicoPath)) return mexico[Number(path.slice(mexicoPath.length)) - firstDocumentId];
  if (path === '/v1/groups') {
    const { name = null } = JSON.parse((await bytesOf(request)).toString()) as { name?: string };
    return JSON.stringify(groupAnswer(name));
  }
  if (path === '/v1/documents/export') return (await bytesOf(request)).length > 0 ? exported : undefined;
  if (path === '/v1/documents/scan/nric') return (await countSlowly(request)) > 0 ? scan : undefined;
  return undefined;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function countSlowly(request: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (readBytesPerSecond > 0) await sleep(((chunk as Buffer).length / readBytesPerSecond) * 1_000);
  }
  return length;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/calls') {
    response.end(String(calls));
    return;
  }
  calls += 1;
  const isAllowed =
    request.headers[credentialHeaders.apiKey] &&
    (request.headers.authorization || request.url?.includes('/scan/'));
  const [body] = await Promise.all([answer(request), delayMs > 0 ? sleep(delayMs) : undefined]);
  const status = isAllowed ? (body === undefined ? 404 : 200) : 401;
  response.writeHead(status, { 'content-type': 'application/json' }).end(status === 200 ? body : '{}');
}

const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  serve(request, response).catch(() => response.destroy());
});
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
