import type { GraphQLError } from 'graphql';
import { badRequest, badUserInput } from '../errors.ts';

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
  checkMembers(variables);
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} };
}

function isOptionalObject(value: unknown): value is Record<string, unknown> | null | undefined {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
}

/** Most members of one object in the variables: more than any input has, or any JSON should. */
const maxMembers = 1_000;

/** graphql-js writes an object out for each of its members that it does not know. */
function checkMembers(variables: unknown): void {
  const open = [variables];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.values(value);
    if (!Array.isArray(value) && members.length > maxMembers) {
      throw badUserInput(`An object in \`variables\` has more than ${maxMembers} members.`);
    }
    for (const member of members) if (typeof member === 'object') open.push(member);
  }
}
