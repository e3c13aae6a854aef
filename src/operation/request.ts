import type { GraphQLError } from 'graphql';
import { badRequest, badUserInput } from '../errors.ts';
import { isObject } from '../tools/is-object.ts';

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
  return {
    query,
    documentId,
    operationName,
    variables,
    extensions: isObject(extensions) ? { persistedQuery: extensions['persistedQuery'] } : extensions,
  };
}

/** The operation is not executed. Its errors are masked and ready to be sent. */
export class OperationRefusedError extends Error {
  override readonly name = 'OperationRefusedError';
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super('The operation is refused.');
    this.errors = errors;
  }
}

/** Checks the type of each member. Returns the operation's text, its hash, or both. Throws BAD_REQUEST. */
export function checkRequest({ query, documentId, operationName, variables, extensions }: OperationRequest) {
  if (!isOptionalObject(extensions)) throw badRequest('"extensions" must be an object.');
  const hash = persistedHash(documentId, extensions);
  // Clients send an empty string where their protocol requires a text.
  const text = query === '' || query === null ? undefined : query;
  if (text !== undefined && typeof text !== 'string') throw badRequest('"query" must be a string.');
  if (text === undefined && hash === undefined)
    throw badRequest('"query" is missing: send the text of an operation.');
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw badRequest('"operationName" must be a string.');
  }
  if (!isOptionalObject(variables)) throw badRequest('"variables" must be an object.');
  const variableBytes = memoryOf(variables, checkSize);
  return { text, hash, operationName: operationName ?? undefined, variables: variables ?? {}, variableBytes };
}

const sha256 = /^[\da-f]{64}$/;

/** The hash of a persisted operation, from `documentId` or from `extensions.persistedQuery`. */
function persistedHash(
  documentId: unknown,
  extensions: Readonly<Record<string, unknown>> | null | undefined,
): string | undefined {
  const { persistedQuery } = extensions ?? {};
  const isAbsent = (value: unknown) => value === undefined || value === null;
  if (isAbsent(documentId) && isAbsent(persistedQuery)) return undefined;
  const id = isAbsent(documentId) ? (persistedQuery as { sha256Hash?: unknown }).sha256Hash : documentId;
  // graphql-codegen writes the prefix of "documentId" into hashes too.
  const hash = typeof id === 'string' ? id.replace(/^sha256:/, '') : '';
  if (sha256.test(hash)) return hash;
  throw badRequest('The hash of a persisted operation must be its SHA-256: 64 lowercase hexadecimal digits.');
}

function isOptionalObject(value: unknown): value is Record<string, unknown> | null | undefined {
  return value === undefined || value === null || isObject(value);
}

/** Most members of one object in the variables. No input type has as many. */
const maxMembers = 1_000;

/** Most members of one list in the variables: coercing a list of objects costs several microseconds each. */
const maxListLength = 10_000;

/** Estimated memory of one value, an empty list, an empty object, and a member's name without its text (bytes). */
const valueBytes = 16;
const listBytes = 48;
const objectBytes = 96;
const nameBytes = 32;

/** Estimates the memory of a value from JSON (bytes). `check` is called with each list and object in it. */
export function memoryOf(value: unknown, check: (value: object) => void = () => {}): number {
  const open = [value];
  let bytes = typeof value === 'string' ? value.length : 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    check(value);
    if (Array.isArray(value)) {
      bytes += listBytes;
    } else {
      bytes += objectBytes;
      for (const name of Object.keys(value)) bytes += nameBytes + name.length;
    }
    for (const member of Object.values(value)) {
      bytes += valueBytes;
      if (typeof member === 'string') bytes += member.length;
      else if (typeof member === 'object') open.push(member);
    }
  }
  return bytes;
}

/**
 * Throws BAD_USER_INPUT for a list or an object with too many members: graphql-js prints the whole object for each
 * member that its type does not have.
 */
function checkSize(value: object): void {
  if (Array.isArray(value) && value.length > maxListLength) {
    throw badUserInput(`A list in "variables" has more than ${maxListLength} members.`);
  }
  if (!Array.isArray(value) && Object.keys(value).length > maxMembers) {
    throw badUserInput(`An object in "variables" has more than ${maxMembers} members.`);
  }
}
