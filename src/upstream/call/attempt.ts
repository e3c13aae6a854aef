/** One attempt at a call, and what its response, or a missing response, means. */
import type { Dispatcher } from 'undici';
import { GatewayError, InvalidInputError } from '../../errors.ts';
import { isObject } from '../../is-object.ts';
import { exceededBound, type JsonBounds } from '../../json-structure.ts';
import { noSpan, type Span } from '../../telemetry/tracing.ts';
import { type ReportDrift, UndecodableError } from '../decode.ts';
import { readJson } from '../exact-json.ts';
import { type Call, isStreamed } from './call.ts';
import type { ServiceHealth } from './circuit-breaker.ts';
import type { Deadline } from './deadline.ts';
import {
  errorForConnection,
  errorForIncompleteBody,
  errorForInterruptedUpload,
  errorForStatus,
  errorForTimeout,
  errorForUnusableResponse,
  type FailedCall,
  internalError,
  isHtmlPage,
} from './failures.ts';
import { retryAfterMs } from './retry.ts';
import { type ExchangeRequest, exchange, TransportError, type UpstreamResponse } from './transport.ts';

export type AttemptRequest = Omit<ExchangeRequest, 'body' | 'signal' | 'onSent'> & {
  readonly dispatcher: Dispatcher;
  /** The path of the base URL, which precedes the endpoint's path. */
  readonly pathPrefix: string;
  readonly report: ReportDrift;
  readonly span: Span;
};

export type AttemptOutcome<T> =
  | { readonly status: number; readonly value: T; readonly health: 'good' }
  | {
      readonly status: number | undefined;
      readonly failure: unknown;
      /** Whether another attempt is harmless and may succeed. */
      readonly mayRetry: boolean;
      readonly retryAfterMs?: number | undefined;
      /** The health of the service for all callers, which the circuit breaker counts. */
      readonly health: ServiceHealth;
    };

/** Makes one attempt. Never rejects. */
export async function attempt<T>(
  call: Call<T>,
  request: AttemptRequest,
  failedCall: FailedCall,
  deadline: Deadline,
): Promise<AttemptOutcome<T>> {
  const { endpoint, body = null } = call;
  const startedAt = performance.now();
  let isWritten = !isStreamed(body);
  const upload = isStreamed(body) ? request.span.child('upload') : noSpan;
  // The whole request was written. From now on a write no longer depends on its caller's connection.
  const onComplete = () => {
    isWritten = true;
    deadline.resume();
    if (endpoint.kind === 'write') deadline.detach();
  };
  const stream = isStreamed(body) ? body.open(onComplete) : null;
  let response: UpstreamResponse;
  try {
    response = await exchange(request.dispatcher, {
      ...request,
      body: isStreamed(body) ? stream : body,
      signal: deadline.signal,
      onSent: onComplete,
    });
  } catch (error) {
    const durationMs = performance.now() - startedAt;
    return outcomeWithoutResponse(call, failedCall, deadline, error, { durationMs, isWritten });
  } finally {
    stream?.destroy();
    if (isStreamed(body)) upload.set({ 'folio.upload.bytes': body.bytesSent() });
    upload.end();
  }
  try {
    return outcomeOfResponse(call, request, failedCall, response);
  } catch (error) {
    return failed(response.status, internalError(failedCall, error));
  }
}

/** How far an attempt had come when it failed. */
interface AttemptProgress {
  readonly durationMs: number;
  /** Whether the whole request had been written. */
  readonly isWritten: boolean;
}

function outcomeWithoutResponse(
  call: Call<unknown>,
  failedCall: FailedCall,
  deadline: Deadline,
  error: unknown,
  { durationMs, isWritten }: AttemptProgress,
) {
  // Only a TransportError proves that no byte left. Any other error is a fault of the gateway, at any stage.
  if (!(error instanceof TransportError)) return failed(undefined, internalError(failedCall, error));
  const { mayHaveSent, cause } = error;
  if (deadline.hasExpired()) {
    const failure = errorForTimeout(failedCall, mayHaveSent, deadline.ms);
    // A call that waited for its slot, or for earlier attempts, may leave this one too little time.
    const hadTime = durationMs >= deadline.ms / 2;
    return failed(undefined, failure, { health: mayHaveSent && hadTime ? 'bad' : 'unknown' });
  }
  if (deadline.signal.aborted) {
    const { reason } = deadline.signal;
    // The upload stalled, or its caller disconnected before all was written: the service has no complete file.
    if (reason instanceof GatewayError) return failed(undefined, reason);
    return failed(undefined, isStreamed(call.body) ? errorForInterruptedUpload(failedCall) : reason);
  }
  const bodyFailure = isStreamed(call.body) ? call.body.failure() : undefined;
  if (bodyFailure !== undefined) return failed(undefined, errorForIncompleteBody(bodyFailure));
  const isSpent = isStreamed(call.body) && call.body.hasStarted();
  const mayRetry = call.endpoint.kind === 'read' || !(mayHaveSent || isSpent);
  // A service that rejects a file early may close the connection while the file is still being sent.
  const health = isWritten || !mayHaveSent ? 'bad' : 'unknown';
  return failed(undefined, errorForConnection(failedCall, mayHaveSent, cause), { mayRetry, health });
}

function outcomeOfResponse<T>(
  call: Call<T>,
  request: AttemptRequest,
  failedCall: FailedCall,
  response: UpstreamResponse,
): AttemptOutcome<T> {
  const { status } = response;
  const body = jsonOf(response);
  // With an HTML page of status 4xx a proxy rejected this one request: the service may be well.
  const isRejection = status >= 400 && status < 500;
  const isBad = [502, 503, 504].includes(status) || (isHtmlPage(response) && !isRejection);
  const health = isBad ? 'bad' : 'good';
  if (status < 200 || status > 202) {
    if (status === 404 && isMalformedRejection(response, body)) {
      request.report({ kind: 'mistyped-member', member: 'response' });
    }
    const waitMs = retryAfterMs(response.headers['retry-after'], Date.now());
    // A 500 with a JSON body may concern this one document: a retry would not help.
    const isTransient = status === 429 || status > 500 || (status === 500 && body === undefined);
    const mayRetry = call.endpoint.kind === 'read' && isTransient;
    return failed(status, errorForStatus(failedCall, response, body, waitMs), {
      mayRetry,
      health,
      retryAfterMs: waitMs,
    });
  }
  const mistyped = new Set<string>();
  const report: ReportDrift = (drift) => {
    if (drift.kind === 'mistyped-member') mistyped.add(drift.member.slice(drift.member.lastIndexOf('.') + 1));
    request.report(drift);
  };
  try {
    return { status, value: call.decode(body, report), health: 'good' };
  } catch (error) {
    if (error instanceof InvalidInputError || error instanceof GatewayError) {
      return failed(status, error, { health });
    }
    if (!(error instanceof UndecodableError)) throw error;
    // A member of another type is already reported.
    if (!mistyped.has(error.member)) request.report({ kind: 'missing-member', member: error.member });
    return failed(status, errorForUnusableResponse(failedCall, status, body, error), { health });
  }
}

type Details = Partial<
  Pick<Extract<AttemptOutcome<never>, { failure: unknown }>, 'mayRetry' | 'health' | 'retryAfterMs'>
>;

function failed(status: number | undefined, failure: unknown, details: Details = {}): AttemptOutcome<never> {
  return { status, failure, mayRetry: false, health: 'unknown', ...details };
}

/** Whether the body is neither empty nor a JSON object, one of which an error response should be. */
function isMalformedRejection({ body: bytes }: UpstreamResponse, body: unknown): boolean {
  return bytes?.length !== 0 && !isObject(body);
}

/** Far more than any response has: a response of 32 MiB could hold 10 million values, and end a small heap. */
const jsonBounds: JsonBounds = { maxValues: 500_000, maxDepth: 1_000, maxNames: 100_000 };
/** Responses up to this size are not checked: they hold too few values (bytes). */
const smallResponseBytes = 64 * 1024;

/** The body as JSON; undefined when it is not JSON, or has more values than any response of the service. */
function jsonOf({ body }: UpstreamResponse): unknown {
  if (body === null) return undefined;
  if (body.length > smallResponseBytes && exceededBound(body, jsonBounds) !== undefined) return undefined;
  try {
    return readJson(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
