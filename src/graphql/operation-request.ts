import type { GraphQLError } from 'graphql';
import { badRequest } from '../errors.ts';

/** What a transport received: nothing in it is trusted. */
export interface OperationRequest {
  readonly query?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
  readonly extensions?: unknown;
}

/** The operation is not executed: its errors are ready to be sent. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
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

/** The request's members, each of its type. Throws BAD_REQUEST. */
export function checkedRequest({ query, operationName, variables, extensions }: OperationRequest) {
  if (typeof query !== 'string' || query === '')
    throw badRequest('`query` must be the text of an operation.');
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw badRequest('`operationName` must be a text.');
  }
  if (!isOptionalObject(variables)) throw badRequest('`variables` must be an object.');
  if (!isOptionalObject(extensions)) throw badRequest('`extensions` must be an object.');
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} };
}

function isOptionalObject(value: unknown): value is Record<string, unknown> | null | undefined {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
}
