/** The GraphQL endpoint over HTTP: admits and reads each request, and responds to it, on Node's own server and in a host's. */
import { type ExecutionResult, OperationTypeNode } from 'graphql';
import { badRequest, GatewayError, gatewayFailed, mutationCutShort, shuttingDown } from '../../errors.ts';
import { type OperationRequest, takenFrom } from '../../operation/operation-request.ts';
import { SubscriptionResults } from '../../operation/subscription-results.ts';
import { createAdmission } from '../../shares/admission.ts';
import { LaneBudget } from '../../shares/lane-budget.ts';
import { ReclaimingBudget } from '../../shares/reclaiming-budget.ts';
import { createSockets } from '../../shares/sockets-and-streams.ts';
import type { MaybePromise } from '../../tools/maybe-promise.ts';
import { eventTypeFor } from '../accept.ts';
import { bufferedBytes } from '../connection/pipelining.ts';
import { isPreflight } from '../cors.ts';
import type { HttpDependencies } from '../http-dependencies.ts';
import { sendFault } from '../json-response.ts';
import { mediaTypeOf } from '../media-type.ts';
import type { GraphQLResponse, IncomingRequest } from '../request-and-response.ts';
import { checkHost, hasTooManyHeaders, maxHeaders } from '../request-head.ts';
import { createUnreadResults } from '../unread-results.ts';
import { checkCsrfHeader } from './csrf.ts';
import { GraphQLHttpRequest, type RequestOrigin } from './graphql-request.ts';
import { readMultipart } from './multipart-request.ts';
import { readQueryString } from './query-string.ts';
import { readJsonBody } from './request-body.ts';
import { errorResult, operationResult, responseOf, sendResult } from './response.ts';

export type GraphQLEndpoint = ReturnType<typeof createGraphQLEndpoint>;

export function createGraphQLEndpoint(dependencies: HttpDependencies, origin: RequestOrigin) {
  const { pipeline, shares, responses, log } = dependencies;
  /** Bodies that are being read, and requests that wait for their connection. */
  const bodies = new ReclaimingBudget(shares.of.bodies, shares, 'costliest');
  const files = new LaneBudget(shares.of.files, shares);
  const admission = createAdmission(shares);
  const sockets = createSockets(shares);
  const unreadResults = createUnreadResults(shares, responses);
  const eventStreams = new Set<GraphQLResponse>();
  const environment = { dependencies, origin, bodies, files, sockets, eventStreams, isRefusing: false };

  /** Throws the reason why the request is refused before its body is read. Adds headers to its response. */
  function checkHead(http: GraphQLHttpRequest): void {
    const { request, mediaType } = http;
    if (request.method !== 'GET' && request.method !== 'POST')
      throw badRequest('GraphQL only supports GET and POST requests.', 405);
    if (environment.isRefusing) throw shuttingDown();
    if (hasTooManyHeaders(request))
      throw badRequest(`The request has more than ${maxHeaders} headers; nothing was done.`, 431);
    if (mediaType === undefined) {
      const types = 'application/graphql-response+json, application/json or text/event-stream';
      throw badRequest(`\`accept\` must allow ${types}, in at most 1,024 characters; nothing was done.`, 406);
    }
    // Most requests are not checked: nothing depends on their `Host`, and it takes longer than all that is checked before.
    const isJsonPost = request.method === 'POST' && mediaType.startsWith('application/');
    if (!isJsonPost) checkHost(request);
  }

  /** Does a step of a request. What it throws is the result of the request. */
  function step(http: GraphQLHttpRequest, work: () => void): void {
    try {
      work();
    } catch (error) {
      fail(http, error);
    }
  }

  /** Does the next step of a request with what is known now or later. */
  function after<T>(http: GraphQLHttpRequest, before: MaybePromise<T>, next: (value: T) => void): void {
    if (before instanceof Promise)
      before.then(
        (value) => step(http, () => next(value)),
        (error) => fail(http, error),
      );
    else next(before);
  }

  /** Responds to a request that is refused, or with a bug, which is logged. */
  function fail(http: GraphQLHttpRequest, error: unknown): void {
    const { request, response, hasMutation, requestId, headers } = http;
    try {
      // A mutation that has begun may have been done. `execute` rejects only for a bug.
      const failure = hasMutation ? gatewayFailed(error, 'POSSIBLE') : error;
      // RFC 9110, section 15.5.6. Of GET only a mutation is refused.
      if (failure instanceof GatewayError && failure.httpStatus === 405)
        headers.push('allow', request.method === 'GET' ? 'POST' : 'GET, POST');
      const result = errorResult(pipeline.refuse(failure, requestId));
      // An event stream has begun.
      if (response.headersSent) response.destroy();
      else sendResult(http, result);
    } catch (fault) {
      sendFault(response, log, fault, requestId);
    }
  }

  function read(http: GraphQLHttpRequest): void {
    const { request } = http;
    const { method, headers } = request;
    const run = (asked: OperationRequest) => start(asked, http);
    if (method === 'GET') {
      after(http, http.waitForTurn(), () => run(readQueryString(request)));
    } else if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) {
      // RFC 9110, section 15.5.16: which encodings are read.
      http.headers.push('accept-encoding', 'identity');
      throw badRequest('The body must not be compressed.', 415);
    } else if (mediaTypeOf(headers['content-type'])?.essence === 'multipart/form-data') {
      after(http, readMultipart(http), run);
    } else {
      readJsonBody(http, (parse) => step(http, () => run(parse())));
    }
  }

  /** Starts the operation that was asked for. Its text and variables are not kept by the request: a subscription may take hours. */
  function start(asked: OperationRequest, http: GraphQLHttpRequest): void {
    const { request, requestId } = http;
    const prepared = pipeline.prepare(takenFrom(asked), requestId, { readOnly: request.method === 'GET' });
    const type = prepared.operation.operation;
    const send = (result: ExecutionResult) => sendResult(http, operationResult(result));
    if (type !== OperationTypeNode.SUBSCRIPTION) {
      after(http, pipeline.execute(prepared, http.caller(type)), send);
      return;
    }
    checkAcceptsEvents(http);
    checkHost(request);
    http.holdEventStream();
    after(http, pipeline.subscribe(prepared, http.caller(type)), (results) => {
      if (!(results instanceof SubscriptionResults)) send(results);
      else respondWithEvents(results, http).catch((error) => fail(http, error));
    });
  }

  async function respondWithEvents(results: SubscriptionResults, http: GraphQLHttpRequest): Promise<void> {
    const { response } = http;
    response.once('close', () => results.stop());
    if (response.closed) {
      results.stop();
      return;
    }
    // Half of the code, which no first response needs: main.ts loads it later.
    const { sendEvents } = await import('./event-stream.ts');
    await http.waitForTurn();
    await sendEvents(results, http);
  }

  return {
    /** Decides when requests and messages start. */
    admission,
    bodies,
    sockets,
    unreadResults,
    eventStreams: eventStreams as ReadonlySet<GraphQLResponse>,
    open: (request: IncomingRequest, response: GraphQLResponse) =>
      new GraphQLHttpRequest(request, response, environment),

    /** Responds to the request, now or later. */
    respond(http: GraphQLHttpRequest): void {
      const { request, response } = http;
      step(http, () => {
        if (isPreflight(request, dependencies.config.corsOrigins)) {
          response.writeHead(204, http.headers).end();
          return;
        }
        checkHead(http);
        // Until the process has time for the request.
        const turn = admission.enter(http.identity, bufferedBytes(request), () => response.closed);
        after(http, turn, () => {
          if (response.closed) return;
          checkCsrfHeader(request);
          read(http);
        });
      });
    },

    /** Responds at the end of a shutdown. The body of the request may still be arriving: its rest is not read. */
    cutShort(http: GraphQLHttpRequest): void {
      const { hasMutation, requestId, response } = http;
      const errors = pipeline.refuse(hasMutation ? mutationCutShort() : shuttingDown(), requestId);
      // A mutation that has begun may have been done.
      const result = hasMutation
        ? { json: JSON.stringify({ errors, data: null }), errors, isRequestError: false }
        : errorResult(errors);
      const { status, headers, body } = responseOf(result, http);
      response.writeHead(status, headers).end(body);
    },
    /** From now on every request is refused, because the gateway stops. */
    refuseAll() {
      environment.isRefusing = true;
    },
    isRefusing: () => environment.isRefusing,
  };
}

function checkAcceptsEvents(http: GraphQLHttpRequest): void {
  if (eventTypeFor(http.request.headers.accept) !== undefined) return;
  const types = '`accept: text/event-stream`, or `multipart/mixed;subscriptionSpec=1.0`';
  throw badRequest(`A subscription needs ${types}, or a WebSocket.`, 406);
}
