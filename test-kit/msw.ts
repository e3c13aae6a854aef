/** Handlers of Mock Service Worker for unit tests: they execute operations against the schema with the values of a test. */
import {
  buildSchema,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  graphql,
  parse,
  subscribe,
} from 'graphql';
import { type HttpHandler, HttpResponse, http, type WebSocketHandler, ws } from 'msw';
import { schemaText } from './schema-text.ts';
import type { ErrorCode, Handlers } from './schema-types.ts';

export type * from './schema-types.ts';

export interface FolioErrorOptions {
  /** Default: the code. */
  readonly message?: string;
  /** Default false. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  /** Default NONE. */
  readonly sideEffect?: 'NONE' | 'POSSIBLE' | 'APPLIED';
  /** The bound that refuses, for the codes that have one. Default: none. */
  readonly bound?: string;
}

/** Thrown by a handler: the field fails with the extensions that the gateway sends. */
export class FolioError extends Error {
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, options: FolioErrorOptions = {}) {
    const { message = code, retryable = false, retryAfterMs, sideEffect = 'NONE', bound } = options;
    super(message);
    this.name = 'FolioError';
    const delay = retryAfterMs === undefined ? {} : { retryAfterMs };
    const refusal = bound === undefined ? {} : { bound };
    this.extensions = { code, retryable, ...delay, sideEffect, ...refusal, requestId: 'folio-test-kit' };
  }
}

/**
 * Handlers for a GraphQL endpoint at `url`: queries and mutations as JSON or with a file, subscriptions as server-sent
 * events and over WebSocket. A member of `handlers` returns the value of a root field from its arguments, or the events of
 * a subscription; fields that the operation does not select can be left out. A root field without a handler fails, and an
 * operation that is invalid for the schema is refused.
 */
export function folioHandlers(url: string, handlers: Handlers): (HttpHandler | WebSocketHandler)[] {
  const socket = ws.link(url.replace(/^http/, 'ws'));
  return [
    http.post(url, async ({ request }) => {
      const operation = await operationOf(request);
      const isStream =
        request.headers.get('accept')?.includes('text/event-stream') && isSubscription(operation);
      if (!isStream) return HttpResponse.json({ ...(await resultOf(operation, handlers)) });
      const events = streamOf(eventsOf(operation, handlers));
      return new HttpResponse(events, { headers: { 'content-type': 'text/event-stream' } });
    }),
    socket.addEventListener('connection', ({ client }) => {
      const running = new Map<string, AsyncGenerator<ExecutionResult>>();
      const send = (message: object) => client.send(JSON.stringify(message));
      client.addEventListener('message', async ({ data }) => {
        const { type, id = '', payload } = JSON.parse(String(data)) as SocketMessage;
        if (type === 'connection_init') send({ type: 'connection_ack' });
        if (type === 'ping') send({ type: 'pong' });
        if (type === 'complete') {
          void running.get(id)?.return(undefined);
          running.delete(id);
        }
        if (type !== 'subscribe' || payload === undefined) return;
        const results = resultsOf(payload, handlers);
        running.set(id, results);
        for await (const result of results) {
          if (running.get(id) !== results) return;
          send({ type: 'next', id, payload: result });
        }
        if (running.get(id) === results && running.delete(id)) send({ type: 'complete', id });
      });
      client.addEventListener('close', () => running.clear());
    }),
  ];
}

/** A message of graphql-transport-ws. */
interface SocketMessage {
  readonly type: string;
  readonly id?: string;
  readonly payload?: Operation;
}

interface Operation {
  readonly query?: unknown;
  readonly variables?: Record<string, unknown> | null;
  readonly operationName?: string | null;
}

let schema: GraphQLSchema | undefined;

function argumentsOf({ query, variables, operationName }: Operation, handlers: Handlers) {
  schema ??= buildSchema(schemaText, { assumeValidSDL: true });
  if (typeof query !== 'string') throw new Error('folioHandlers needs the text of the operation in "query".');
  const rootValue = rootOf(schema, handlers);
  return { schema, source: query, rootValue, variableValues: variables, operationName };
}

async function resultOf(operation: Operation, handlers: Handlers): Promise<ExecutionResult> {
  return await graphql(argumentsOf(operation, handlers));
}

/** Not what cannot be parsed: its errors are the result. */
function isSubscription({ query, operationName }: Operation): boolean {
  try {
    return getOperationAST(parse(String(query)), operationName)?.operation === 'subscription';
  } catch {
    return false;
  }
}

/** The result of a query or mutation, or the results of a subscription. */
async function* resultsOf(operation: Operation, handlers: Handlers): AsyncGenerator<ExecutionResult> {
  if (!isSubscription(operation)) {
    yield await resultOf(operation, handlers);
    return;
  }
  const { source, ...given } = argumentsOf(operation, handlers);
  const results = await subscribe({ ...given, document: parse(source) });
  if (Symbol.asyncIterator in results) yield* results;
  else yield results;
}

async function* eventsOf(operation: Operation, handlers: Handlers): AsyncGenerator<string> {
  for await (const result of resultsOf(operation, handlers))
    yield `event: next\ndata: ${JSON.stringify(result)}\n\n`;
  yield 'event: complete\ndata:\n\n';
}

/** Not `ReadableStream.from`, which some browsers do not have. */
function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => void texts.return(undefined),
  });
}

/** The operation of a JSON body, or of a GraphQL multipart request with its files in the variables. */
async function operationOf(request: Request): Promise<Operation> {
  if (!request.headers.get('content-type')?.startsWith('multipart/form-data')) return await request.json();
  const form = await request.formData();
  const operation = JSON.parse(String(form.get('operations')));
  const map: Record<string, string[]> = JSON.parse(String(form.get('map')));
  for (const [part, paths] of Object.entries(map)) {
    for (const path of paths) setAt(operation, path.split('.'), form.get(part));
  }
  return operation;
}

function setAt(target: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) target[name] = value;
  else setAt(target[name] as Record<string, unknown>, rest, value);
}

type Handler = (variables: unknown) => unknown;

function rootOf(schema: GraphQLSchema, handlers: Handlers): Record<string, Handler> {
  const given = handlers as Readonly<Record<string, Handler | undefined>>;
  const namesOf = (type: { getFields(): object } | null | undefined) => Object.keys(type?.getFields() ?? {});
  const failing = (name: string) => () => {
    throw new Error(`folioHandlers has no handler for the field "${name}".`);
  };
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap(namesOf);
  const fields = roots.map((name): [string, Handler] => [name, given[name] ?? failing(name)]);
  const events = namesOf(schema.getSubscriptionType()).map((name): [string, Handler] => {
    const handler = given[name] ?? failing(name);
    return [name, (variables) => valuesOf(name, handler(variables) as Iterable<unknown>)];
  });
  return Object.fromEntries([...fields, ...events]);
}

/** Each event as the value of its field. What is thrown instead of one becomes the error of the last one. */
async function* valuesOf(name: string, values: Iterable<unknown> | AsyncIterable<unknown>) {
  try {
    for await (const value of values) yield { [name]: value };
  } catch (error) {
    yield { [name]: error instanceof Error ? error : new Error(String(error)) };
  }
}
