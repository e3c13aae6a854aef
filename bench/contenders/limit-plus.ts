/**
 * LIMIT+: LIMIT with Folio's guarantees written by hand for W1 and W2, without GraphQL. It has a request id, checks of
 * the credentials, a lane, bounds of body, response and time, cancellation when the caller leaves, a log line, four
 * metrics, the response headers, and one call for equal ids. It shows what the guarantees cost without the machinery.
 */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool } from 'undici';
import { validationOf } from './shapes.ts';

const pool = new Pool(process.env['UPSTREAM_URL'] as string, { connections: 128 });
const laneKey = randomBytes(32);
const maxBodyBytes = 4 * 1024 * 1024;
const maxResponseBytes = 32 * 1024 * 1024;
const deadlineMs = 10_000;
const isToken = /^[\x21-\x7e][\x20-\x7e]{0,8191}$/;
const isId = /^[\w-]{1,64}$/;

interface Caller {
  readonly headers: Record<string, string>;
  readonly lane: string;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

const metrics = {
  operations: new Map<string, number>(),
  calls: new Map<string, number>(),
  operationSeconds: new Array<number>(12).fill(0),
  callSeconds: new Array<number>(12).fill(0),
};

function count(counters: Map<string, number>, label: string): void {
  counters.set(label, (counters.get(label) ?? 0) + 1);
}

function observe(buckets: number[], seconds: number): void {
  let bucket = 0;
  for (let bound = 0.005; bucket < buckets.length - 1 && seconds > bound; bound *= 2) bucket += 1;
  buckets[bucket] = (buckets[bucket] as number) + 1;
}

const lines: string[] = [];

function log(line: object): void {
  if (lines.push(JSON.stringify(line)) === 1) setTimeout(writeLines, 100);
}

function writeLines(): void {
  process.stdout.write(`${lines.join('\n')}\n`);
  lines.length = 0;
}

class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function callerOf({ headers }: IncomingMessage, signal: AbortSignal): Caller {
  const key = headers['x-api-key'];
  const { authorization } = headers;
  if (typeof key !== 'string' || !isToken.test(key)) throw new Refusal(401, 'x-api-key is missing');
  if (!authorization || !isToken.test(authorization)) throw new Refusal(401, 'Authorization is missing');
  const lane = createHmac('sha256', laneKey)
    .update(`${key.length}:${key}${authorization}`)
    .digest('base64url');
  const given = headers['x-request-id'];
  const requestId = typeof given === 'string' && isId.test(given) ? given : randomUUID();
  return { headers: { 'x-api-key': key, authorization, 'x-request-id': requestId }, lane, requestId, signal };
}

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) reject(new Refusal(413, 'The body is too large'));
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', reject);
  });
}

async function call(id: string, caller: Caller) {
  if (!isId.test(id)) throw new Refusal(400, 'The id is invalid');
  const started = performance.now();
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, deadlineMs);
  caller.signal.addEventListener('abort', abort);
  let status = 0;
  try {
    const response = await pool.request({
      method: 'GET',
      path: `/v2/einvoice/mexico/status/${id}`,
      headers: caller.headers,
      signal: controller.signal,
    });
    status = response.statusCode;
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxResponseBytes) throw new Refusal(502, 'The response is too large');
      chunks.push(chunk);
    }
    if (status !== 200) throw new Refusal(502, `The service responded with ${status}`);
    const record = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof record?.validation_result !== 'string' || typeof record.steps !== 'object')
      throw new Refusal(502, 'The response is not as documented');
    return validationOf(record);
  } finally {
    clearTimeout(timer);
    caller.signal.removeEventListener('abort', abort);
    observe(metrics.callSeconds, (performance.now() - started) / 1_000);
    count(metrics.calls, `mexicoValidation ${status}`);
  }
}

/** One call for equal ids of one request. */
function callOnce(caller: Caller): (id: string) => ReturnType<typeof call> {
  const calls = new Map<string, ReturnType<typeof call>>();
  return (id) => {
    const known = calls.get(id);
    if (known) return known;
    const made = call(id, caller);
    calls.set(id, made);
    return made;
  };
}

async function dataFor(variables: Record<string, unknown>, caller: Caller): Promise<object> {
  if (process.env['WORKLOAD'] !== 'W2') {
    const { documentId } = variables['by'] as { documentId: string };
    return { mexicoValidation: await call(documentId, caller) };
  }
  const once = callOnce(caller);
  const ids = Object.values(variables) as string[];
  const data: Record<string, object> = {};
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      data[`v${index}`] = await once(ids[index % 10] as string);
    }),
  );
  return data;
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const started = performance.now();
  const left = new AbortController();
  response.on('close', () => response.writableFinished || left.abort());
  let caller: Caller | undefined;
  let status = 200;
  let body: string;
  try {
    caller = callerOf(request, left.signal);
    const { query, variables } = JSON.parse(await bodyOf(request));
    if (typeof query !== 'string' || typeof variables !== 'object')
      throw new Refusal(400, 'The body is not a GraphQL request');
    body = JSON.stringify({ data: await dataFor(variables, caller) });
  } catch (error) {
    status = error instanceof Refusal ? error.status : 500;
    body = JSON.stringify({ errors: [{ message: (error as Error).message }] });
  }
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': caller?.requestId ?? '',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    vary: 'Origin',
  });
  response.end(body);
  const durationMs = performance.now() - started;
  observe(metrics.operationSeconds, durationMs / 1_000);
  count(metrics.operations, `query ${status}`);
  log({
    level: 'info',
    time: new Date().toISOString(),
    requestId: caller?.requestId,
    lane: caller?.lane.slice(0, 8),
    status,
    durationMs: Math.round(durationMs),
    msg: 'operation',
  });
}

createServer((request, response) => void respond(request, response)).listen(
  Number(process.env['PORT']),
  '127.0.0.1',
);
