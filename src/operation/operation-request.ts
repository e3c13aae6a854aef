/** The request for an operation as any transport receives it: the check of its members, and its refusal. */
import { GraphQLError } from 'graphql';
import { badRequest, type ErrorCode } from '../errors.ts';
import { isObject } from '../tools/is-object.ts';
import { hashForm, hashIn } from './persisted/operation-hash.ts';
import { boundedMemoryOf } from './variable-memory.ts';

/** A GraphQL request as a transport received it: no member has been checked. */
export interface OperationRequest {
  readonly query?: unknown;
  /** Identifies a persisted operation: `sha256:` and the hash of its text (GraphQL over HTTP, "Persisted Documents"). */
  readonly documentId?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
  readonly extensions?: unknown;
}

/**
 * A request with the members of GraphQL over HTTP only. Others are permitted, but would stay in memory as long as the
 * request does.
 */
export function operationRequestOf(value: Readonly<Record<string, unknown>>): OperationRequest {
  const { query, documentId, operationName, variables, extensions } = value;
  return { query, documentId, operationName, variables, extensions };
}

/** The members in a new object. The given one, which its reader keeps as long as the operation lasts, is emptied. */
export function takenFrom(request: OperationRequest): OperationRequest {
  const taken = { ...request };
  Object.assign(request, operationRequestOf({}));
  return taken;
}

/** The operation is not executed, for one or several reasons with the same code. */
export class OperationRefusedError extends Error {
  override readonly name = 'OperationRefusedError';
  readonly errors: readonly GraphQLError[];
  readonly code: ErrorCode;

  constructor(code: ErrorCode, reasons: readonly Error[]) {
    super('The operation is refused.');
    this.code = code;
    // Deep nesting exceeds the stack of graphql-js.
    this.errors = reasons.map((reason) =>
      reason instanceof GraphQLError ? reason : new GraphQLError(reason.message),
    );
  }
}

export function refused(code: ErrorCode, message: string): OperationRefusedError {
  return new OperationRefusedError(code, [new Error(message)]);
}

interface TypedRequest extends OperationRequest {
  readonly query?: string | null;
  readonly operationName?: string | null;
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly extensions?: Readonly<Record<string, unknown>> | null;
}

/** Checks the type of each member. Throws BAD_REQUEST. */
export function checkTypes(request: OperationRequest): asserts request is TypedRequest {
  for (const name of ['query', 'operationName'] as const)
    if (typeof (request[name] ?? '') !== 'string') throw badRequest(`"${name}" must be a string.`);
  for (const name of ['variables', 'extensions'] as const)
    if (!isObject(request[name] ?? {})) throw badRequest(`"${name}" must be an object.`);
}

/** Checks the members. Returns the operation's text, its hash, or both. Throws BAD_REQUEST. */
export function checkRequest(request: OperationRequest) {
  checkTypes(request);
  const { query, documentId, operationName, variables, extensions } = request;
  const hash = persistedHash(documentId, extensions);
  // Clients send an empty string where their protocol requires a text.
  const text = query || undefined;
  if (text === undefined && hash === undefined)
    throw badRequest('"query" is missing: send the text of an operation.');
  const variableBytes = variables ? boundedMemoryOf(variables) : 0;
  // GraphQL over HTTP: an empty name in a query string is none. Over the other transports it is the same.
  return { text, hash, operationName: operationName || undefined, variables: variables ?? {}, variableBytes };
}

/** The hash of a persisted operation, from `documentId` or from `extensions.persistedQuery`. */
function persistedHash(
  documentId: unknown,
  extensions: Readonly<Record<string, unknown>> | null | undefined,
): string | undefined {
  const persistedQuery = extensions?.['persistedQuery'] as { sha256Hash?: unknown } | null | undefined;
  if ((documentId ?? persistedQuery ?? null) === null) return undefined;
  const id = documentId ?? persistedQuery?.sha256Hash;
  const hash = typeof id === 'string' ? hashIn(id) : '';
  if (hashForm.test(hash)) return hash;
  throw badRequest('The hash of a persisted operation must be its SHA-256: 64 lowercase hexadecimal digits.');
}
