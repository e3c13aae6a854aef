/** One attempt at a call, and what its answer, or the lack of one, means. */
import type { Dispatcher } from 'undici';
import { GatewayError, InvalidInputError } from '../../errors.ts';
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
  /** The base address's own path, before the endpoint's. */
  readonly pathPrefix: string;
  readonly report: ReportDrift;
  readonly span: Span;
};

export type AttemptOutcome<T> =
  | { readonly status: number; readonly value: T; readonly health: 'good' }
  | {
      readonly status: number | undefined;
      readonly failure: unknown;
      /** Another attempt can do no harm and may help. */
      readonly mayRetry: boolean;
      readonly retryAfterMs?: number | undefined;
      /** Of the service itself, for every caller: what the circuit breaker counts. */
      readonly health: ServiceHealth;
    };

/** Never rejects. */
export async function attempt<T>(
  call: Call<T>,
  request: AttemptRequest,
  failedCall: FailedCall,
  deadline: Deadline,
): Promise<AttemptOutcome<T>> {
  const { endpoint, body = null } = call;
  const upload = isStreamed(body) ? request.span.child('upload') : noSpan;
  // All is given, or written: what the caller of a write does from now on changes nothing.
  const onComplete = () => {
    deadline.resume();
    if (endpoint.kind === 'write') deadline.detach();
  };
  const stream = isStreamed(body) ? body.open(onComplete) : null;
  let answer: UpstreamResponse;
  try {
    answer = await exchange(request.dispatcher, {
      ...request,
      body: isStreamed(body) ? stream : body,
      signal: deadline.signal,
      onSent: onComplete,
    });
  } catch (error) {
    return outcomeWithoutResponse(call, failedCall, deadline, error);
  } finally {
    stream?.destroy();
    if (isStreamed(body)) upload.set({ 'folio.upload.bytes': body.bytesSent() });
    upload.end();
  }
  try {
    return outcomeOfResponse(call, request, failedCall, answer);
  } catch (error) {
    return failed(answer.status, internalError(failedCall, error));
  }
}

function outcomeWithoutResponse(
  call: Call<unknown>,
  failedCall: FailedCall,
  deadline: Deadline,
  error: unknown,
) {
  // Only a TransportError can prove that no byte left: any other error is a mistake of ours, at any time.
  if (!(error instanceof TransportError)) return failed(undefined, internalError(failedCall, error));
  const { mayHaveSent, cause } = error;
  if (deadline.hasExpired()) {
    const failure = errorForTimeout(failedCall, mayHaveSent, deadline.ms);
    return failed(undefined, failure, { health: mayHaveSent ? 'bad' : 'unknown' });
  }
  if (deadline.signal.aborted) {
    const { reason } = deadline.signal;
    // The upload stood still, or its caller left before all was written: the service has no whole file.
    if (reason instanceof GatewayError) return failed(undefined, reason);
    return failed(undefined, isStreamed(call.body) ? errorForInterruptedUpload(failedCall) : reason);
  }
  const failureOfCaller = isStreamed(call.body) ? call.body.failure() : undefined;
  if (failureOfCaller !== undefined) return failed(undefined, errorForIncompleteBody(failureOfCaller));
  const isSpent = isStreamed(call.body) && call.body.hasStarted();
  const mayRetry = call.endpoint.kind === 'read' || !(mayHaveSent || isSpent);
  return failed(undefined, errorForConnection(failedCall, mayHaveSent, cause), { mayRetry, health: 'bad' });
}

function outcomeOfResponse<T>(
  call: Call<T>,
  request: AttemptRequest,
  failedCall: FailedCall,
  answer: UpstreamResponse,
): AttemptOutcome<T> {
  const { status } = answer;
  const body = jsonOf(answer);
  // A page with a 4xx is a proxy's word on this one request.
  const isRefusal = status >= 400 && status < 500;
  const isBad = [502, 503, 504].includes(status) || (isHtmlPage(answer) && !isRefusal);
  const health = isBad ? 'bad' : 'good';
  if (status < 200 || status > 202) {
    if (status === 404 && isMalformedRefusal(answer, body)) {
      request.report({ kind: 'mistyped-member', member: 'answer' });
    }
    const waitMs = retryAfterMs(answer.headers['retry-after'], Date.now());
    // A 500 with a JSON body may be this one document's: asking again would not help.
    const mayPass = status === 429 || status > 500 || (status === 500 && body === undefined);
    const mayRetry = call.endpoint.kind === 'read' && mayPass;
    return failed(status, errorForStatus(failedCall, answer, body, waitMs), {
      mayRetry,
      health,
      retryAfterMs: waitMs,
    });
  }
  try {
    return { status, value: call.decode(body, request.report), health: 'good' };
  } catch (error) {
    if (error instanceof InvalidInputError || error instanceof GatewayError) {
      return failed(status, error, { health });
    }
    if (!(error instanceof UndecodableError)) throw error;
    request.report({ kind: 'missing-member', member: error.member });
    return failed(status, errorForUnusableResponse(failedCall, status, body, error), { health });
  }
}

type Details = Partial<
  Pick<Extract<AttemptOutcome<never>, { failure: unknown }>, 'mayRetry' | 'health' | 'retryAfterMs'>
>;

function failed(status: number | undefined, failure: unknown, details: Details = {}): AttemptOutcome<never> {
  return { status, failure, mayRetry: false, health: 'unknown', ...details };
}

/** A refusal that should be a JSON object, or empty, and is something else. */
function isMalformedRefusal({ body: bytes }: UpstreamResponse, body: unknown): boolean {
  return bytes?.length !== 0 && (typeof body !== 'object' || body === null || Array.isArray(body));
}

/** undefined: no JSON. */
function jsonOf({ body }: UpstreamResponse): unknown {
  if (body === null) return undefined;
  try {
    return readJson(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
