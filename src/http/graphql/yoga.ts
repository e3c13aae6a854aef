/** HTTP responses that are negotiated: GET requests and event streams. Yoga writes them; the pipeline runs the operation. */
import type { ServerResponse } from 'node:http';
import { useCSRFPrevention } from '@graphql-yoga/plugin-csrf-prevention';
import { type ExecutionResult, GraphQLError, type GraphQLErrorExtensions, OperationTypeNode } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Config } from '../../config/config.ts';
import { badRequest, type HttpErrorStatus } from '../../errors.ts';
import type { Pipeline } from '../../operation/pipeline.ts';
import type { PreparedOperation } from '../../operation/prepared.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { csrfHeaders } from './csrf.ts';
import type { GraphQLHttpRequest } from './http-request.ts';
import { needsEventStream } from './json.ts';
import { readOperation } from './read-operation.ts';
import { requestErrorsWithStatus, resultErrorWithStatus } from './response-status.ts';
import { textOfResult } from './result-text.ts';

export interface YogaOptions {
  readonly config: Config;
  readonly pipeline: Pipeline;
  readonly log: Log;
  readonly metrics: Metrics;
}

export type YogaHandler = ReturnType<typeof createYogaHandler>;

/** Yoga's server context: the request, and its operation once it is prepared. */
interface YogaRequest extends GraphQLHttpRequest {
  operation?: PreparedOperation | undefined;
}

export function createYogaHandler({ config, pipeline, log, metrics }: YogaOptions) {
  return createYoga<GraphQLHttpRequest>({
    // The gateway has its own: bounds of a body in bytes and time, masks, CORS headers and GraphiQL.
    maxRequestBodySize: false,
    maskedErrors: false,
    cors: false,
    graphiql: false,
    // Yoga's health check responds to every URL that ends so, a query string included. No URL contains a blank.
    healthCheckEndpoint: ' ',
    logging: {
      debug() {},
      info() {},
      warn: (...args) => log.warn(args),
      error: (...args) => log.error(args),
    },
    plugins: [
      useCSRFPrevention({ requestHeaders: csrfHeaders }) as Plugin,
      usePipeline(pipeline, config, metrics),
      useErrorStatus(pipeline),
      useNoStore(),
    ] as Plugin[],
  });
}

/** Reads the operation from Node's own request and runs it in the gateway's pipeline. */
function usePipeline(
  pipeline: Pipeline,
  { limits }: Config,
  metrics: Metrics,
): Plugin<object, GraphQLHttpRequest> {
  return {
    onRequestParse({ request, serverContext, setRequestParser }) {
      const http = serverContext as YogaRequest;
      setRequestParser(async () => {
        const asked = await readOperation(http, limits, metrics);
        const readOnly = request.method === 'GET';
        http.operation = pipeline.prepare(asked, http.requestId, { readOnly });
        // A persisted operation can come without a text, which Yoga requires.
        return { query: typeof asked.query === 'string' ? asked.query : '' };
      });
    },

    onParams({ request, context, setParamsHandler }) {
      const http = context as YogaRequest;
      const operation = http.operation as PreparedOperation;
      // Yoga keeps its context as long as an event stream is open.
      http.operation = undefined;
      setParamsHandler(async () => {
        const { operation: type } = operation.operation;
        if (type !== OperationTypeNode.SUBSCRIPTION) {
          const result = (await pipeline.execute(operation, http.caller())) as ExecutionResult;
          const stringify = (written: ExecutionResult) => textOfResult(written, type, pipeline, http);
          return { ...result, stringify };
        }
        if (!request.headers.get('accept')?.includes('text/event-stream')) throw needsEventStream();
        http.onEventStream();
        const events = await pipeline.subscribe(operation, http.caller());
        if ('return' in events) endWith(http.response, events);
        return events as ExecutionResult;
      });
    },
  };
}

/** Ends the events when their connection closes. Yoga would end them when the next event arrives, if one ever does. */
function endWith(response: ServerResponse, events: AsyncGenerator): void {
  const end = () => void events.return(undefined);
  if (response.closed) end();
  else response.once('close', end);
}

/** Gives every error its extensions and its HTTP status. */
function useErrorStatus(pipeline: Pipeline): Plugin<object, GraphQLHttpRequest> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result || !result.errors) return;
      const { requestId } = serverContext as unknown as GraphQLHttpRequest;
      const errors = result.errors.flatMap((error) =>
        withStatus(error, !('data' in result), pipeline, requestId),
      );
      setResult({ ...result, errors });
    },
  };
}

function withStatus(error: GraphQLError, isRequestError: boolean, pipeline: Pipeline, requestId: string) {
  const http = error.extensions.http as { status?: HttpErrorStatus } | undefined;
  if (http && !error.extensions.requestId) {
    // Yoga's own errors (method, CSRF header) have a status and no code of the gateway.
    const refusal = badRequest(error.message, http.status);
    return [withHttp(pipeline.mask(refusal, requestId), { ...http, spec: false })];
  }
  const errors = error.extensions.requestId
    ? [resultErrorWithStatus(error, isRequestError)]
    : requestErrorsWithStatus(error.originalError ?? error, pipeline, requestId);
  return errors.map(({ error, http }) => (http ? withHttp(error, http) : error));
}

/** Yoga reads status and headers from `extensions.http` and does not send that member. */
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

/** Results contain personal data: no cache may store them. Yoga's event streams would send `no-cache`. */
function useNoStore(): Plugin {
  return {
    onResponse({ response }) {
      response.headers.set('cache-control', 'no-store');
    },
  };
}
