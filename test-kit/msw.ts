/** Handlers of Mock Service Worker for unit tests: they execute operations against the schema with the values of a test. */
import { buildSchema, type ExecutionResult, type GraphQLSchema, graphql } from 'graphql';
import { type HttpHandler, HttpResponse, http } from 'msw';
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
 * Handlers for the queries and mutations of a GraphQL endpoint at `url`, sent as JSON or with a file. A member of
 * `handlers` returns the value of a root field from its arguments; fields that the operation does not select can be left
 * out. A root field without a handler fails, and an operation that is invalid for the schema is refused.
 */
export function folioHandlers(url: string, handlers: Handlers): HttpHandler[] {
  return [
    http.post(url, async ({ request }) => HttpResponse.json({ ...(await resultOf(request, handlers)) })),
  ];
}

interface Operation {
  readonly query?: unknown;
  readonly variables?: Record<string, unknown> | null;
  readonly operationName?: string | null;
}

let schema: GraphQLSchema | undefined;

async function resultOf(request: Request, handlers: Handlers): Promise<ExecutionResult> {
  schema ??= buildSchema(schemaText, { assumeValidSDL: true });
  const { query, variables, operationName } = await operationOf(request);
  if (typeof query !== 'string') throw new Error('folioHandlers needs the text of the operation in "query".');
  const rootValue = rootOf(schema, handlers);
  return await graphql({ schema, source: query, rootValue, variableValues: variables, operationName });
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
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const names = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));
  const failing = (name: string) => () => {
    throw new Error(`folioHandlers has no handler for the field "${name}".`);
  };
  return Object.fromEntries(names.map((name) => [name, given[name] ?? failing(name)]));
}
