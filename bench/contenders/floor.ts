/**
 * FLOOR: what Folio's guarantees cost at least. LIMIT with these guarantees written by hand for W1, W2, W9 and W10,
 * without GraphQL, promises and AbortController: bounds of body, response and time, UTF-8, checked credentials and their
 * lane, request id, slots of the lane and of all, circuit breaker, one call for equal ids of a lane, cancellation when
 * the last caller leaves, drift, four metrics, a log line and the response headers.
 *
 * It lacks what these workloads do not use: retries, traces, other media types, CORS, pipelining, and the budgets of
 * bodies and responses of all callers together.
 */
import { isUtf8 } from 'node:buffer';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { write } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Dispatcher, Pool } from 'undici';
import { credentialHeaders } from '../../src/caller.ts';
import { validationOf, type WireValidation } from './shapes.ts';

type Validation = ReturnType<typeof validationOf>;

const origin = new URL(process.env['UPSTREAM_URL'] as string).origin;
const pool = new Pool(origin, { connections: 128 });
const maxBodyBytes = 4 * 1024 * 1024;
const maxResponseBytes = 32 * 1024 * 1024;
/** Below this length no bound of the structure of JSON can be exceeded. Longer bodies are refused. */
const maxUncheckedBytes = 20_000;
const maxCallsOfLane = 1_000;
const maxCalls = 1_000;

class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Deadlines of one length, in the order of their ends: one clock serves all of them. */
class Deadlines {
  readonly #ms: number;
  readonly #entries: { readonly endsAt: number; readonly of: Expiring }[] = [];
  #first = 0;

  constructor(ms: number) {
    this.#ms = ms;
  }

  add(of: Expiring): void {
    this.#entries.push({ endsAt: now + this.#ms, of });
  }

  expire(): void {
    for (; this.#first < this.#entries.length; this.#first += 1) {
      const { endsAt, of } = this.#entries[this.#first] as { endsAt: number; of: Expiring };
      if (!of.isOver && endsAt > now) break;
      if (!of.isOver) of.expire();
    }
    if (this.#first < 1_000) return;
    this.#entries.splice(0, this.#first);
    this.#first = 0;
  }
}

interface Expiring {
  readonly isOver: boolean;
  expire(): void;
}

let now = performance.now();
const bodyDeadlines = new Deadlines(30_000);
const callDeadlines = new Deadlines(10_000);
setInterval(() => {
  now = performance.now();
  bodyDeadlines.expire();
  callDeadlines.expire();
}, 50).unref();

/** A counter and a histogram of seconds. */
class Metric {
  readonly #bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
  readonly #counts = new Float64Array(this.#bounds.length + 1);
  readonly outcomes = { ok: 0, failed: 0 };
  #seconds = 0;

  observe(outcome: 'ok' | 'failed', seconds: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && seconds > (this.#bounds[bucket] as number)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#seconds += seconds;
    this.outcomes[outcome] += 1;
  }
}

const operations = new Metric();
const calls = new Metric();

let lines = '';
let isWriting = false;

function log(line: string): void {
  if (lines.length > 1024 * 1024) return;
  lines += line;
  if (lines.length > 32 * 1024) flush();
}

function flush(): void {
  if (isWriting || lines === '') return;
  isWriting = true;
  const text = lines;
  lines = '';
  write(1, text, () => {
    isWriting = false;
  });
}
setInterval(flush, 200).unref();

let second = 0;
let secondText = '';

/** The current time, as `toISOString` writes it. */
function timeText(): string {
  const time = Date.now();
  const ms = time % 1_000;
  if (time - ms !== second) {
    second = time - ms;
    secondText = new Date(second).toISOString().slice(0, -4);
  }
  return `${secondText}${String(ms).padStart(3, '0')}Z`;
}

interface Identity {
  readonly apiKey: string;
  readonly authorization: string;
  readonly lane: string;
}

const { apiKey: apiKeyHeader } = credentialHeaders;
const laneKey = randomBytes(32);
const isCredential = /^[\x21-\x7e][\x20-\x7e]{0,8191}$/;
const identities = new WeakMap<Socket, Identity>();

/** The lane of the last request is kept for each connection. */
function identityOf({ headers, rawHeaders, socket }: IncomingMessage): Identity {
  const { authorization, [apiKeyHeader]: apiKey } = headers;
  let given = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 13 && name.toLowerCase() === 'authorization') given += 1;
  }
  if (given > 1) throw new Refusal(400, 'Authorization is given twice');
  const known = identities.get(socket);
  if (known && known.apiKey === apiKey && known.authorization === authorization) return known;
  if (typeof apiKey !== 'string' || !isCredential.test(apiKey))
    throw new Refusal(401, `${apiKeyHeader} is missing`);
  if (!authorization || !isCredential.test(authorization)) throw new Refusal(401, 'Authorization is missing');
  const lane = createHmac('sha256', laneKey)
    .update(JSON.stringify([apiKey, authorization]))
    .digest('base64url');
  const identity = { apiKey, authorization, lane };
  identities.set(socket, identity);
  return identity;
}

const drift = new Map<string, number>();

function reportDrift(member: string): void {
  drift.set(member, (drift.get(member) ?? 0) + 1);
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function decode(wire: WireValidation): Validation {
  if (typeof wire !== 'object' || wire === null) throw new Refusal(502, 'The response is not an object');
  let members = 0;
  for (const _name in wire) members += 1;
  if (members !== 6) reportDrift('unknown member');
  if (typeof wire.validation_result !== 'string' || !wire.steps || !wire.documentId)
    throw new Refusal(502, 'The response is not as documented');
  if (typeof wire.uuid !== 'string') reportDrift('uuid');
  if (!isTime.test(wire.validatedAt) || Number.isNaN(Date.parse(wire.validatedAt)))
    reportDrift('validatedAt');
  const validation = validationOf(wire);
  for (const { result, detail } of validation.steps) {
    if (result !== 'PASS' && result !== 'FAIL') reportDrift('result');
    if (detail !== null && typeof detail !== 'string') reportDrift('detail');
  }
  return validation;
}

const callsOfLane = new Map<string, number>();
const callsInProgress = new Map<string, Call>();
let running = 0;
let failures = 0;
let successes = 0;
let openUntil = 0;
setInterval(() => {
  failures = 0;
  successes = 0;
}, 10_000).unref();

/** One call, with the requests that wait for it. */
class Call implements Dispatcher.DispatchHandler, Expiring {
  readonly id: string;
  readonly waiting: Exchange[] = [];
  readonly #key: string;
  readonly #identity: Identity;
  readonly #requestId: string;
  readonly #startedAt = performance.now();
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #bytes = 0;
  #chunks: Buffer[] = [];
  #left = 0;
  durationMs = 0;
  isOver = false;

  constructor(id: string, key: string, identity: Identity, requestId: string) {
    this.id = id;
    this.#key = key;
    this.#identity = identity;
    this.#requestId = requestId;
  }

  start(): void {
    const { lane, apiKey, authorization } = this.#identity;
    const ofLane = callsOfLane.get(lane) ?? 0;
    if (ofLane >= maxCallsOfLane || running >= maxCalls) throw new Refusal(429, 'Too many calls');
    if (openUntil > now) throw new Refusal(503, 'The service has failed too often');
    callsOfLane.set(lane, ofLane + 1);
    running += 1;
    callsInProgress.set(this.#key, this);
    callDeadlines.add(this);
    const headers = ['accept', 'application/json', 'user-agent', 'folio', 'x-request-id', this.#requestId];
    headers.push(apiKeyHeader, apiKey, 'authorization', authorization);
    const path = `/v2/einvoice/mexico/status/${this.id}`;
    pool.dispatch(
      { origin, method: 'GET', path, headers, body: null, headersTimeout: 0, bodyTimeout: 0 },
      this,
    );
  }

  expire(): void {
    this.#abort(new Refusal(504, 'The service did not respond in time'));
  }

  /** A request that waited has lost its connection. */
  leave(): void {
    this.#left += 1;
    if (this.#left === this.waiting.length) this.#abort(new Refusal(499, 'The caller has left'));
  }

  #abort(error: Refusal): void {
    this.#end(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isOver) controller.abort(new Error('The call is over'));
    else this.#controller = controller;
  }

  onResponseStart(_controller: unknown, status: number, headers: object): void {
    this.#status = 'content-encoding' in headers ? 502 : status;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > maxResponseBytes) this.#abort(new Refusal(502, 'The response is too large'));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#end(this.#validation());
  }

  #validation(): Validation | Refusal {
    if (this.#status !== 200) return new Refusal(502, `The service responded with ${this.#status}`);
    try {
      return decode(JSON.parse(textOf(this.#chunks)));
    } catch (error) {
      return error instanceof Refusal ? error : new Refusal(502, 'The response is not JSON');
    }
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#end(new Refusal(502, error.message));
  }

  /** Gives the slot back before the waiting requests continue. */
  #end(result: Validation | Refusal): void {
    if (this.isOver) return;
    this.isOver = true;
    const isFailure = result instanceof Refusal;
    const { lane } = this.#identity;
    const ofLane = (callsOfLane.get(lane) as number) - 1;
    if (ofLane === 0) callsOfLane.delete(lane);
    else callsOfLane.set(lane, ofLane);
    running -= 1;
    callsInProgress.delete(this.#key);
    if (isFailure) failures += 1;
    else successes += 1;
    if (failures > 20 && failures > successes) openUntil = performance.now() + 1_000;
    const ms = performance.now() - this.#startedAt;
    this.durationMs = Math.round(ms);
    calls.observe(isFailure ? 'failed' : 'ok', ms / 1_000);
    for (const exchange of this.waiting) exchange.continueWith(this, result);
  }
}

function textOf(chunks: readonly Buffer[]): string {
  const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw new Refusal(400, 'The text is not UTF-8');
  return bytes.toString();
}

const isDocumentId = /^\d{1,19}$/;
const isRequestId = /^[\w-]{8,64}$/;

/** One request and its response. */
class Exchange implements Expiring {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #startedAt = performance.now();
  readonly #requestId: string;
  readonly #calls: Call[] = [];
  readonly #results = new Map<string, Validation>();
  #chunks: Buffer[] = [];
  #bytes = 0;
  #waitsFor = 0;
  #ids: readonly string[] = [];
  #lane = '';
  /** Whether the body is complete, or refused. */
  isOver = false;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
    const given = request.headers['x-request-id'];
    this.#requestId = typeof given === 'string' && isRequestId.test(given) ? given : randomUUID();
    request.on('data', (chunk: Buffer) => this.#onData(chunk)).on('end', () => this.#onEnd());
    response.on('close', () => this.#onClose());
    bodyDeadlines.add(this);
  }

  expire(): void {
    this.#refuse(new Refusal(408, 'The body must arrive within 30 seconds'));
  }

  #onData(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > maxBodyBytes) this.#refuse(new Refusal(413, 'The body is too large'));
    else this.#chunks.push(chunk);
  }

  #onEnd(): void {
    if (this.isOver) return;
    this.isOver = true;
    try {
      const { headers } = this.#request;
      if (headers['content-type'] !== 'application/json') throw new Refusal(415, 'The body must be JSON');
      if (this.#bytes > maxUncheckedBytes) throw new Refusal(413, 'The body is too large for this workload');
      const identity = identityOf(this.#request);
      this.#lane = identity.lane;
      const { query, variables } = JSON.parse(textOf(this.#chunks));
      if (typeof query !== 'string' || typeof variables !== 'object' || variables === null)
        throw new Refusal(400, 'The body is not a GraphQL request');
      if (process.env['WORKLOAD'] === 'W2') {
        const ids = Object.values(variables) as string[];
        this.#ids = Array.from({ length: 20 }, (_, index) => ids[index % ids.length] as string);
      } else {
        this.#ids = [variables.by?.documentId];
      }
      const distinct = new Set(this.#ids);
      this.#waitsFor = distinct.size;
      for (const id of distinct) this.#load(id, identity);
    } catch (error) {
      this.#refuse(error as Error);
    }
  }

  #load(id: unknown, identity: Identity): void {
    if (typeof id !== 'string' || !isDocumentId.test(id)) throw new Refusal(400, 'The id is invalid');
    const key = id + identity.lane;
    let call = callsInProgress.get(key);
    const isNew = call === undefined;
    call ??= new Call(id, key, identity, this.#requestId);
    call.waiting.push(this);
    this.#calls.push(call);
    if (isNew) call.start();
  }

  continueWith({ id }: Call, result: Validation | Refusal): void {
    if (result instanceof Refusal) {
      this.#refuse(result);
      return;
    }
    this.#results.set(id, result);
    this.#waitsFor -= 1;
    if (this.#waitsFor > 0) return;
    if (this.#ids.length === 1) {
      this.#send(200, JSON.stringify({ data: { mexicoValidation: result } }));
      return;
    }
    const data: Record<string, Validation | undefined> = {};
    for (const [index, each] of this.#ids.entries()) data[`v${index}`] = this.#results.get(each);
    this.#send(200, JSON.stringify({ data }));
  }

  #onClose(): void {
    if (this.#response.writableFinished) return;
    for (const call of this.#calls) if (!call.isOver) call.leave();
  }

  #refuse(error: Error): void {
    this.isOver = true;
    if (this.#response.headersSent) return;
    this.#request.resume();
    const status = error instanceof Refusal ? error.status : 400;
    this.#send(status, JSON.stringify({ errors: [{ message: error.message }] }));
  }

  #send(status: number, body: string): void {
    this.#response.writeHead(status, [
      ...['x-request-id', this.#requestId, 'cache-control', 'no-store', 'vary', 'Origin'],
      ...['x-content-type-options', 'nosniff', 'content-type', 'application/json; charset=utf-8'],
      ...['content-length', String(Buffer.byteLength(body))],
    ]);
    this.#response.end(body);
    const ms = performance.now() - this.#startedAt;
    const outcome = status === 200 ? 'ok' : 'failed';
    operations.observe(outcome, ms / 1_000);
    let made = '';
    for (const call of this.#calls) {
      made += `${made && ','}{"operation":"mexicoValidation","attempts":1,"durationMs":${call.durationMs}}`;
    }
    log(
      `{"level":"info","time":"${timeText()}","requestId":"${this.#requestId}","lane":"${this.#lane.slice(0, 8)}","operation":"query","outcome":"${outcome}","durationMs":${Math.round(ms)},"calls":[${made}],"msg":"operation"}\n`,
    );
  }
}

createServer(
  { headersTimeout: 15_000, requestTimeout: 0, keepAliveTimeout: 65_000, maxHeaderSize: 16_384 },
  (request, response) => {
    if (request.method === 'POST' && request.url === '/graphql') new Exchange(request, response);
    else response.writeHead(404).end();
  },
).listen(Number(process.env['PORT']), '127.0.0.1');
