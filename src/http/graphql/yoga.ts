/** HTTP as Yoga speaks it: GET, POST, multipart and server-sent events, each handed to the pipeline. */

import type { ServerResponse } from 'node:http';
import { useCSRFPrevention } from '@graphql-yoga/plugin-csrf-prevention';
import { type ExecutionResult, GraphQLError, type GraphQLErrorExtensions, OperationTypeNode } from 'graphql';
import { createYoga, type GraphQLParams, type Plugin } from 'graphql-yoga';
import type { Config } from '../../config/config.ts';
import { badRequest } from '../../errors.ts';
import type { Pipeline } from '../../operation/pipeline.ts';
import type { OperationRequest } from '../../operation/request.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { mediaTypeOf } from '../media-type.ts';
import type { GraphQLHttpRequest } from './http-request.ts';
import { readMultipart } from './multipart-request.ts';
import { checkJsonHeaders, readJsonBody, readQueryString } from './request-body.ts';
import { errorOfResult, errorsOfRequest } from './response-status.ts';
import { textOfResult } from './result-text.ts';

/** What Yoga is told of every operation: it would refuse those named by their hash. */
const somethingAsked: GraphQLParams = { query: '{ __typename }' };

export interface YogaOptions {
  readonly config: Config;
  readonly pipeline: Pipeline;
  readonly log: Log;
  readonly metrics: Metrics;
}

export type YogaHandler = ReturnType<typeof createYogaHandler>;

/** Headers that a browser cannot send without asking first: proof that no foreign page made the request. */
const csrfHeaders = ['x-graphql-yoga-csrf', 'apollo-require-preflight'];

export function createYogaHandler({ config, pipeline, log, metrics }: YogaOptions) {
  return createYoga<GraphQLHttpRequest>({
    graphqlEndpoint: '/graphql',
    // What Yoga would do and the gateway does itself: each is bounded, masked and logged in one place.
    multipart: false,
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    maskedErrors: false,
    graphiql: false,
    landingPage: false,
    batching: false,
    healthCheckEndpoint: '/graphql/health',
    logging: {
      debug() {},
      info() {},
      warn: (...what) => log.warn(what),
      error: (...what) => log.error(what),
    },
    cors: false,
    plugins: [
      useCSRFPrevention({ requestHeaders: csrfHeaders }) as Plugin,
      useBoundedRequestParser(config, metrics),
      usePipeline(pipeline),
      useMaskedResult(pipeline),
      useNoStore(),
    ] as Plugin[],
  });
}

/** Reads each kind of request from Node's own stream, within its limits. */
function useBoundedRequestParser({ limits }: Config, metrics: Metrics): Plugin<object, GraphQLHttpRequest> {
  async function operationIn(http: GraphQLHttpRequest, method: string): Promise<OperationRequest> {
    const { request } = http;
    if (method === 'GET') return readQueryString(request);
    const { type } = mediaTypeOf(request.headers['content-type']);
    if (type === 'multipart/form-data') return await readMultipart(http, limits, metrics);
    checkJsonHeaders(request);
    return await readJsonBody(http, limits.maxRequestBytes);
  }

  return {
    onRequestParse({ request: { method }, serverContext, setRequestParser }) {
      const http = serverContext as GraphQLHttpRequest;
      setRequestParser(async () => {
        http.operation ??= await operationIn(http, method);
        return somethingAsked;
      });
    },
  };
}

/** Runs the operation in the gateway's pipeline instead of Yoga's. */
function usePipeline(pipeline: Pipeline): Plugin<object, GraphQLHttpRequest> {
  return {
    onParams({ request, context, setParamsHandler }) {
      const http = context as GraphQLHttpRequest;
      setParamsHandler(async () => {
        const readOnly = request.method === 'GET';
        const operation = pipeline.prepare(http.operation ?? {}, http.requestId, { readOnly });
        const { operation: type } = operation.operation;
        if (type !== OperationTypeNode.SUBSCRIPTION) {
          const result = (await pipeline.execute(operation, http.caller())) as ExecutionResult;
          const stringify = (written: ExecutionResult) => textOfResult(written, type, pipeline, http);
          return { ...result, stringify };
        }
        if (!request.headers.get('accept')?.includes('text/event-stream')) {
          throw badRequest('A subscription needs `accept: text/event-stream`, or a WebSocket.', 406);
        }
        http.onEventStream();
        const events = await pipeline.subscribe(operation, http.caller());
        if ('return' in events) endWith(http.response, events);
        return events as ExecutionResult;
      });
    },
  };
}

/** Ends the events with their connection: Yoga ends them only when it reads the next one, and it may never do that. */
function endWith(response: ServerResponse, events: AsyncGenerator): void {
  const end = () => void events.return(undefined);
  if (response.closed) end();
  else response.once('close', end);
}

/** Gives every error the extensions of the catalogue, and the answer the status that goes with it. */
function useMaskedResult(pipeline: Pipeline): Plugin<object, GraphQLHttpRequest> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result || !result.errors) return;
      const { requestId } = serverContext as unknown as GraphQLHttpRequest;
      const errors = result.errors.flatMap((error) =>
        answered(error, !('data' in result), pipeline, requestId),
      );
      setResult({ ...result, errors });
    },
  };
}

function answered(error: GraphQLError, isRequestError: boolean, pipeline: Pipeline, requestId: string) {
  const http = error.extensions.http as { status?: number } | undefined;
  if (http && !error.extensions.requestId) {
    // Yoga's own refusals (method, CSRF header) bring their status and no code of ours.
    const refusal = badRequest(error.message, http.status);
    return [withHttp(pipeline.mask(refusal, requestId), { ...http, spec: false })];
  }
  const told = error.extensions.requestId
    ? [errorOfResult(error, isRequestError)]
    : errorsOfRequest(error.originalError ?? error, pipeline, requestId);
  return told.map(({ error, http }) => (http ? withHttp(error, http) : error));
}

/** Yoga takes status and headers from `extensions.http` and leaves it out of the answer. */
function withHttp(error: GraphQLError, http: object): GraphQLError {
  const extensions: GraphQLErrorExtensions = { ...error.extensions, http };
  return new GraphQLError(error.message, {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    extensions,
  });
}

/** Answers hold personal data: no cache may keep one. */
function useNoStore(): Plugin {
  return {
    onResponse({ response }) {
      response.headers.set('cache-control', 'no-store');
    },
  };
}
