/** One GraphQL request over HTTP: its id, its caller, the headers of its response, and its parts of the bounds. */
import { OperationTypeNode } from 'graphql';
import type { Caller, CallerIdentity } from '../../caller.ts';
import { type GatewayError, shuttingDown } from '../../errors.ts';
import type { LaneBudget } from '../../shares/lane-budget.ts';
import type { Holding, ReclaimingBudget } from '../../shares/reclaiming-budget.ts';
import type { Sockets } from '../../shares/sockets-and-streams.ts';
import { Cancellation } from '../../tools/cancellation.ts';
import { mediaTypeFor, type ResponseMediaType } from '../accept.ts';
import { corsHeaders } from '../cors.ts';
import type { HttpDependencies } from '../http-dependencies.ts';
import { applicationFromRequest, identityIfValid, requestIdOf } from '../read-caller.ts';
import type { GraphQLResponse, IncomingRequest } from '../request-and-response.ts';
import { dropLargeHead } from '../request-head.ts';

/** Where requests come from: Node's own server, or a host's. */
export interface RequestOrigin {
  /** Reads the caller's credentials. Throws when they are malformed. */
  identityOf(request: IncomingRequest): CallerIdentity;
  /** Called with the caller of an operation that ran, when its response has closed. */
  onClose?(identity: CallerIdentity, request: IncomingRequest): void;
}

/** What all requests of an endpoint share. */
interface RequestEnvironment {
  readonly dependencies: HttpDependencies;
  readonly origin: RequestOrigin;
  readonly bodies: ReclaimingBudget;
  readonly files: LaneBudget;
  readonly sockets: Sockets;
  readonly eventStreams: Set<GraphQLResponse>;
  /** True near the end of a drain. */
  isRefusing: boolean;
}

export class GraphQLHttpRequest {
  readonly request: IncomingRequest;
  readonly response: GraphQLResponse;
  readonly requestId: string;
  readonly dependencies: HttpDependencies;
  /** Of a result without events. Undefined if `accept` names no type that is written. */
  readonly mediaType: ResponseMediaType | undefined;
  /** Headers of the response, names and values alternately: written together, since each `setHeader` costs as much as all. */
  readonly headers: string[];
  /** Whether a mutation has begun. */
  hasMutation = false;
  /** Resolves when no more of the body is dropped; undefined while none is. `rest-of-body.ts` sets it. */
  restDropped: Promise<void> | undefined;
  readonly #environment: RequestEnvironment;
  readonly #cancellation = new Cancellation();
  #identity: CallerIdentity | undefined;
  #hasRun = false;

  constructor(request: IncomingRequest, response: GraphQLResponse, environment: RequestEnvironment) {
    const { dependencies } = environment;
    this.request = request;
    this.response = response;
    this.requestId = requestIdOf(request);
    this.dependencies = dependencies;
    this.mediaType = mediaTypeFor(request.headers.accept);
    const cors = corsHeaders(request, dependencies.config.corsOrigins);
    this.headers = ['x-request-id', this.requestId, 'cache-control', 'no-store', ...cors];
    this.#environment = environment;
    response.on('close', () => this.#onClose());
  }

  /** Throws when the request's credentials are malformed. */
  get identity(): CallerIdentity {
    this.#identity ??= this.#environment.origin.identityOf(this.request);
    return this.#identity;
  }

  /** The caller of the operation, which begins: nothing else of a large head is kept. Throws like `identity`. */
  caller(type: OperationTypeNode): Caller {
    const { request, response, requestId } = this;
    const waitedMs = performance.now() - request.readAt;
    this.#hasRun = true;
    this.hasMutation = type === OperationTypeNode.MUTATION;
    const { credentials, lane, owner } = this.identity;
    const { traceparent, tracestate } = request.headers;
    const caller: Caller = {
      credentials,
      lane,
      owner,
      requestId,
      application: applicationFromRequest(request),
      signal: this.#cancellation,
      waitedMs,
      trace: traceparent
        ? { traceparent: String(traceparent), tracestate: tracestate?.toString() }
        : undefined,
      onResponse(sent) {
        if (response.closed) sent(response.statusCode);
        else response.once('close', () => sent(response.statusCode));
      },
    };
    dropLargeHead(request);
    return caller;
  }

  /** Counts bytes of the body while they are held. `drop` must stop that. `isSilent`: as for `ReclaimingBudget`. */
  holdBody(drop: (error: GatewayError) => void, isSilent = false): Holding {
    return this.#environment.bodies.open({ drop, holder: identityIfValid(() => this.identity), isSilent });
  }

  /** Counts an uploaded file, and returns a function that releases it, once. Throws when there are too many. */
  holdFile(): () => void {
    return this.#environment.files.hold(this.identity, 1, 503);
  }

  /** Call when the operation has arrived: resolves when the process has time for it; undefined if that is now. */
  waitForTurn(bytes?: number): Promise<void> | undefined {
    return this.dependencies.shares.scheduler.waitForTurn(this.identity, bytes);
  }

  /** Counts the response as an event stream until it ends. Throws when too many are open, or the gateway stops. */
  holdEventStream(): void {
    const { isRefusing, sockets, eventStreams } = this.#environment;
    const { response } = this;
    if (isRefusing) throw shuttingDown();
    if (response.closed) return;
    const release = sockets.holdStream(this.identity);
    eventStreams.add(response);
    response.on('close', () => {
      eventStreams.delete(response);
      release();
    });
  }

  #onClose(): void {
    if (this.#hasRun) this.#environment.origin.onClose?.(this.identity, this.request);
    try {
      // Also when the whole response is sent: nobody needs the reads that its operation did not wait for.
      this.#cancellation.abort();
    } catch (error) {
      this.dependencies.log.error({ err: error, requestId: this.requestId }, 'request');
    }
  }
}
