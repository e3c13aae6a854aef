import type { GraphQLError } from 'graphql';
import { badRequest, badUserInput } from '../errors.ts';
import { isObject } from '../is-object.ts';

/** What a transport received: nothing in it is trusted. */
export interface OperationRequest {
  readonly query?: unknown;
  /** Names a persisted operation: `sha256:` and the hash of its text (GraphQL over HTTP, "Persisted Documents"). */
  readonly documentId?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
  readonly extensions?: unknown;
}

/** The operation is not executed: its errors are ready to be sent. */
export class OperationRefusedError extends Error {
  override readonly name = 'OperationRefusedError';
  readonly errors: readonly GraphQLError[];
  /** The status of the HTTP answer. */
  readonly httpStatus: number;
  /** GraphQL over HTTP: an `application/json` answer to a well-formed body has status 200 all the same. */
  readonly isWellFormed: boolean;

  constructor(errors: readonly GraphQLError[], httpStatus: number, isWellFormed: boolean) {
    super('the operation is refused');
    this.errors = errors;
    this.httpStatus = httpStatus;
    this.isWellFormed = isWellFormed;
  }
}

/** The request's members, each of its type; the operation as its text, its hash, or both. Throws BAD_REQUEST. */
export function checkedRequest({
  query,
  documentId,
  operationName,
  variables,
  extensions,
}: OperationRequest) {
  if (!isOptionalObject(extensions)) throw badRequest('`extensions` must be an object.');
  const hash = persistedHash(documentId, extensions);
  // Protocols that demand a text are given an empty one.
  const text = query === '' || query === null ? undefined : query;
  if (text !== undefined && typeof text !== 'string') throw badRequest('`query` must be a text.');
  if (text === undefined && hash === undefined) throw badRequest('`query` must be the text of an operation.');
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw badRequest('`operationName` must be a text.');
  }
  if (!isOptionalObject(variables)) throw badRequest('`variables` must be an object.');
  const variableBytes = checkMembers(variables);
  return { text, hash, operationName: operationName ?? undefined, variables: variables ?? {}, variableBytes };
}

const sha256 = /^[\da-f]{64}$/;

/** The hash that names a persisted operation, in either of the ways in which clients send it. */
function persistedHash(
  documentId: unknown,
  extensions: Readonly<Record<string, unknown>> | null | undefined,
): string | undefined {
  const { persistedQuery } = extensions ?? {};
  const isAbsent = (value: unknown) => value === undefined || value === null;
  if (isAbsent(documentId) && isAbsent(persistedQuery)) return undefined;
  const hash = isAbsent(documentId)
    ? (persistedQuery as { sha256Hash?: unknown }).sha256Hash
    : String(documentId).replace(/^sha256:/, '');
  if (typeof hash === 'string' && sha256.test(hash)) return hash;
  throw badRequest('A persisted operation is named by its SHA-256: 64 hexadecimal digits in lower case.');
}

function isOptionalObject(value: unknown): value is Record<string, unknown> | null | undefined {
  return value === undefined || value === null || isObject(value);
}

/** Most members of one object in the variables: more than any input has, or any JSON should. */
const maxMembers = 1_000;

/** What a value of the variables holds besides its text (bytes). */
const valueBytes = 16;

/**
 * Estimates the memory that the variables hold (bytes). Refuses objects of too many members: graphql-js writes an
 * object out for each of its members that it does not know.
 */
function checkMembers(variables: unknown): number {
  const open = [variables];
  let bytes = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.values(value);
    if (!Array.isArray(value) && members.length > maxMembers) {
      throw badUserInput(`An object in \`variables\` has more than ${maxMembers} members.`);
    }
    for (const member of members) {
      bytes += valueBytes;
      if (typeof member === 'string') bytes += member.length;
      else if (typeof member === 'object') open.push(member);
    }
  }
  return bytes;
}
