/** One attempt at a call: one HTTP exchange with the service. Follows no redirects. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Bound } from '../../bound-names.ts';
import type { Holder } from '../../caller.ts';
import { GatewayError } from '../../errors.ts';
import type { Drift } from '../../telemetry/drift.ts';
import { noSpan, type Span } from '../../telemetry/tracing.ts';
import { freeNow } from '../../tools/byte-collector.ts';
import {
  inSharedTurn,
  isTurnLong,
  ownTurn,
  ownTurnBytes,
  sendTogether,
} from '../../tools/event-loop-turns.ts';
import type { ReportDrift } from '../decode.ts';
import { requestHeaders } from '../endpoint.ts';
import { withoutCredentials } from '../texts/text-redaction.ts';
import { type Call, isStreamed, type StreamedBody, UnreadUploadError } from './call.ts';
import type { Deadline } from './deadline.ts';
import { isEncoded, readable, type UpstreamResponse } from './decompression.ts';
import { type FailedCall, type FailedOutcome, failedOutcome } from './failed-outcome.ts';
import { hasResult } from './failure-table.ts';
import { ResponseBody, type ResponseBounds } from './response-body.ts';
import {
  type AttemptOutcome,
  outcomeOfResponse,
  type ParsedBody,
  parsedBody,
  parsedInSteps,
  unread,
} from './response-outcome.ts';

/** What the attempts of all calls share. */
export interface AttemptEnvironment extends ResponseBounds {
  readonly dispatcher: Dispatcher;
  /** Origin of the service's base URL. */
  readonly origin: string;
  readonly userAgent: string;
  readonly onDrift: (endpoint: string, drift: Drift, redact: (name: string) => string) => void;
}

/** The call that an attempt is made for, with its deadline. */
export interface AttemptedCall<T> extends Deadline, FailedCall {
  readonly environment: AttemptEnvironment;
  readonly caller: FailedCall['caller'] & Holder;
  readonly description: Call<T>;
  /** The whole path, with the prefix of the base URL. */
  readonly path: string;
}

/** Sends the request and reads the response. */
export class Attempt<T> implements Dispatcher.DispatchHandler {
  readonly #call: AttemptedCall<T>;
  readonly #span: Span;
  readonly #onOutcome: (outcome: AttemptOutcome<T>) => void;
  readonly #onFree: () => void;
  readonly #startedAt = performance.now();
  readonly #upload: StreamedBody | undefined;
  readonly #uploadSpan: Span;
  #stream: Readable | undefined;
  /** Whether the whole request was written. */
  #isWritten: boolean;
  /** Set when undici begins to write. It writes no byte before, and none if the request is aborted there. */
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  readonly #body: ResponseBody;
  /** Whether the response has waited for others, or has arrived and waits: then the service is not too slow. */
  #isReadLate = false;
  #isSettled = false;
  readonly #onAbort = () => {
    this.#end(this.#outcomeWithoutResponse(this.#call.reason));
    this.#controller?.abort(new Error('The call was aborted.'));
  };

  /** `onOutcome`: called once; must not throw. `onFree`: called once when undici holds the request no more, which can be later. */
  constructor(
    call: AttemptedCall<T>,
    span: Span,
    onOutcome: (outcome: AttemptOutcome<T>) => void,
    onFree: () => void,
  ) {
    const { description, environment, caller } = call;
    this.#call = call;
    this.#span = span;
    this.#onOutcome = onOutcome;
    this.#onFree = onFree;
    this.#body = new ResponseBody(environment, caller, (bound) => this.#giveUp(bound));
    this.#upload = isStreamed(description.body) ? description.body : undefined;
    this.#isWritten = this.#upload === undefined;
    this.#uploadSpan = this.#upload ? span.child('upload') : noSpan;
  }

  start(): void {
    this.#call.addEventListener('abort', this.#onAbort);
    sendTogether(() => this.#send());
  }

  #send(): void {
    const { environment, endpoint, path, caller, description } = this.#call;
    try {
      this.#call.throwIfAborted();
      this.#stream = this.#upload?.open(() => this.onRequestSent());
      const body = this.#stream ?? (description.body as string | Uint8Array | undefined) ?? null;
      environment.dispatcher.dispatch(
        {
          origin: environment.origin,
          method: endpoint.method,
          path,
          headers: {
            ...requestHeaders(caller, environment.userAgent, this.#span),
            'content-type': typeof description.body === 'string' ? 'application/json' : undefined,
            ...description.headers,
          } as Record<string, string>,
          body,
          // The call's deadline covers the whole exchange; undici's timers have a resolution of about one second.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        this,
      );
    } catch (error) {
      this.#end(this.#outcomeWithoutResponse(error));
      this.#onFree();
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A request that was reported as not sent must not be sent later. undici cannot remove one that waits for a connection.
    if (this.#isSettled) controller.abort(new Error('The call was aborted.'));
    else this.#controller = controller;
  }

  /** The whole request was written. From now on a write no longer depends on its caller's connection. */
  onRequestSent(): void {
    this.#isWritten = true;
    this.#call.resume();
    if (this.#call.endpoint.kind === 'write') this.#call.detach();
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return;
    if (!this.#body.push(chunk)) {
      const response = { status: this.#status, headers: this.#headers, body: null };
      // Now: undici reports the abort at once, as it does a lost connection.
      this.#end(this.#outcomeOf(response, parsedBody(response)));
      controller.abort(new Error('The response is larger than the bound.'));
      return;
    }
    const goOn = () => inSharedTurn(() => controller.resume());
    const isComplete = this.#body.bytes === Number(this.#headers['content-length']);
    if (!isComplete && this.#body.waits(goOn)) {
      this.#isReadLate = true;
      controller.pause();
    } else if (!isComplete && isTurnLong()) {
      // The service decides how small its chunks are: 64 KiB, which are read at once, can have 10,000.
      controller.pause();
      goOn();
    }
  }

  onResponseEnd(): void {
    this.#isReadLate = true;
    const response = { status: this.#status, headers: this.#headers, body: this.#body.take() };
    if (isEncoded(this.#headers)) {
      void this.#endWithEncoded(response);
    } else {
      this.#endWithResponse(response);
      this.#onFree();
    }
  }

  onResponseError(_controller: unknown, error: Error): void {
    // undici's error for a status of 407 of a proxy that forwards requests: nothing was forwarded.
    if (error.message === 'Proxy Authentication Required (407)') {
      this.#end(failedOutcome(this.#call, 'other 4xx', { status: 407 }));
      // undici goes on to read the body of the refusal, which no deadline ends any more.
      this.#controller?.abort(error);
    } else this.#end(this.#outcomeWithoutResponse(error));
    this.#onFree();
  }

  /** The call keeps its slot until the body is decompressed: no more bodies wait for that than calls may run. */
  async #endWithEncoded(response: UpstreamResponse): Promise<void> {
    // A read that nobody waits for any more is not decompressed. A write ends with its response, which has come.
    if (this.#call.endpoint.kind === 'write') this.#ignoreDeadline();
    try {
      const plain = await readable(response, this.#call.environment.maxResponseBytes, this.#body);
      if (!this.#isSettled) this.#endWithResponse(plain);
    } catch (error) {
      this.#end(this.#internalFailure(error));
    } finally {
      this.#onFree();
    }
  }

  #endWithResponse(response: UpstreamResponse): void {
    this.#ignoreDeadline();
    const bytes = response.body?.length ?? 0;
    if (bytes <= ownTurnBytes) {
      inSharedTurn(() => this.#end(this.#outcomeOf(response, parsedBody(response))));
      return;
    }
    this.#body.hold(bytes);
    void this.#decodeInSteps(response);
  }

  /** The response has come: what ends from now on ends too late. */
  #ignoreDeadline(): void {
    this.#call.removeEventListener('abort', this.#onAbort);
  }

  /** Checks, parses, decodes and passes on a large body, each step in a turn of its own. The body is counted until the end. */
  async #decodeInSteps(response: UpstreamResponse): Promise<void> {
    if (!this.#isSettled && (await this.#body.ownTurn())) {
      const body = await parsedInSteps(response, this.#call.environment.maxResponseBytes);
      await ownTurn({ isNextStep: true });
      const outcome = this.#outcomeOf(response, body);
      await ownTurn({ isNextStep: true });
      this.#end(outcome);
    }
    if (response.body) freeNow(response.body);
  }

  #outcomeOf(response: UpstreamResponse, body: ParsedBody): AttemptOutcome<T> {
    const { environment, endpoint, caller } = this.#call;
    const redact = (name: string) => withoutCredentials(name, caller.credentials);
    const report: ReportDrift = (drift) => environment.onDrift(endpoint.name, drift, redact);
    try {
      return outcomeOfResponse(this.#call, response, body, report);
    } catch (error) {
      return this.#internalFailure(error);
    }
  }

  #internalFailure(error: unknown): AttemptOutcome<T> {
    return failedOutcome(this.#call, 'internal error', { status: this.#status, cause: error });
  }

  #outcomeWithoutResponse(cause: unknown): AttemptOutcome<T> {
    const [lost, status] = [this.#lostOutcome(cause), this.#status];
    if (this.#call.endpoint.kind === 'read' || status < 200 || hasResult(status)) return lost;
    // The rest would not change what the status says that a write has done. For the circuit breaker the response is lost.
    const refused = this.#outcomeOf({ status, headers: this.#headers, body: Buffer.of() }, unread);
    return { ...refused, health: lost.health } as FailedOutcome;
  }

  #lostOutcome(cause: unknown): FailedOutcome {
    const [call, mayHaveSent] = [this.#call, this.#controller !== undefined];
    if (call.hasExpired()) {
      if (!mayHaveSent) return failedOutcome(call, 'not sent in time');
      // Too little time may be left after the wait for a slot, or earlier attempts.
      const hadTime = performance.now() - this.#startedAt >= call.ms / 2 && !this.#isReadLate;
      return failedOutcome(call, 'no response in time', { health: hadTime ? undefined : 'unknown' });
    }
    // A service that has begun to report a result did not wait for the rest of the file.
    if (call.aborted && !(this.#upload && hasResult(this.#status))) {
      const isOurs = call.reason instanceof GatewayError;
      if (isOurs && call.reason.code === 'SHUTTING_DOWN' && mayHaveSent && this.#isWritten)
        return failedOutcome(call, 'shutdown', { bound: 'shutdown' });
      if (call.reason instanceof UnreadUploadError) return failedOutcome(call, 'upload unread');
      // The upload failed, or its caller disconnected before all was written: the service has no complete file.
      if (this.#upload && !isOurs) return failedOutcome(call, 'upload interrupted');
      return { status: undefined, failure: call.reason, mayRetry: false, health: 'unknown' };
    }
    if (!mayHaveSent)
      return failedOutcome(call, 'not connected', { cause, mayRepeat: !this.#upload?.hasStarted() });
    // A service that rejects a file early may close the connection while the file is still being sent.
    return failedOutcome(call, 'connection lost', { cause, health: this.#isWritten ? undefined : 'unknown' });
  }

  /** The responses that are being read use too much memory, and this one most of it. */
  #giveUp(bound: Bound | undefined): void {
    this.#end(failedOutcome(this.#call, 'dropped', { bound, retryAfterMs: 1_000 }));
    this.#controller?.abort(new Error('The responses use too much memory.'));
  }

  /** Ends the attempt with its outcome. Does nothing after the first time. */
  #end(outcome: AttemptOutcome<T>): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#body.close();
    this.#ignoreDeadline();
    this.#stream?.destroy();
    if (this.#upload) this.#uploadSpan.set({ 'folio.upload.bytes': this.#upload.bytesSent() });
    this.#uploadSpan.end();
    this.#onOutcome(outcome);
  }
}
