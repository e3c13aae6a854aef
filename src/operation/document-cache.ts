import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { ErrorCode } from '../errors.ts';
import { maskError } from './error-masking.ts';
import { checkLimits } from './limits.ts';
import { hashOf } from './persisted-operations.ts';
import { OperationRefusedError } from './request.ts';

const maxTokens = 2_000;
const maxErrors = 20;
/** Longest text of an operation, in characters: comments and blanks are no tokens, and cost all the same. */
const maxLength = 65_536;

export interface ValidDocument {
  readonly document: DocumentNode;
  /** SHA-256 of its text. */
  readonly hash: string;
  /** What it holds of the heap, estimated. */
  readonly bytes: number;
}

/** The document of a query's text: parsed, within the limits, valid. Throws an `OperationRefusedError`. */
export type DocumentCache = (query: string, requestId: string) => ValidDocument;

/**
 * Valid documents are kept by their text. `introspection`: whether it is allowed, and suggestions with it.
 * `maxKeptBytes`: what all kept documents may hold, estimated; default 8 MiB.
 * `held`: finds a document by its hash that is in use though it is not kept any more.
 */
export function createDocumentCache(
  schema: GraphQLSchema,
  introspection: boolean,
  maxKeptBytes = 8 * 1_024 * 1_024,
  held: (hash: string) => ValidDocument | undefined = () => undefined,
): DocumentCache {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const known = new Map<string, ValidDocument>();
  let keptBytes = 0;

  function keep(query: string, valid: ValidDocument): void {
    known.set(query, valid);
    keptBytes += valid.bytes;
    // A Map keeps the order of insertion: the first is the oldest.
    for (const [oldest, { bytes }] of known) {
      if (keptBytes <= maxKeptBytes) return;
      known.delete(oldest);
      keptBytes -= bytes;
    }
  }

  return (query, requestId) => {
    const cached = known.get(query);
    if (cached) return cached;
    if (query.length > maxLength) throw refused([tooLong()], 'OPERATION_TOO_EXPENSIVE', requestId);
    const hash = hashOf(query);
    const inUse = held(hash);
    if (inUse) {
      keep(query, inUse);
      return inUse;
    }
    const document = parsed(query, requestId);
    limited(document, requestId);
    const errors = validate(schema, document, rules, { maxErrors, hideSuggestions: !introspection });
    if (errors.length > 0) throw refused(errors, 'GRAPHQL_VALIDATION_FAILED', requestId);
    unlinkTokens(document);
    const valid = { document, hash, bytes: bytesOf(query, document) };
    keep(query, valid);
    return valid;
  };
}

/**
 * Most tokens of a subscription's document: its tree is held as long as the subscription lasts. The largest sensible
 * one, with every field of a status and 100 ids written out, has half as many.
 */
const maxSubscriptionTokens = 400;

/** Throws an `OperationRefusedError`. */
export function checkSubscriptionTokens({ tokenCount = 0 }: DocumentNode, requestId: string): void {
  if (tokenCount <= maxSubscriptionTokens) return;
  const message = `The document of a subscription has more than ${maxSubscriptionTokens} tokens.`;
  throw refused([new GraphQLError(message)], 'OPERATION_TOO_EXPENSIVE', requestId);
}

/** Of the heap, estimated: 230 to 410 bytes a token were measured, and V8 takes at most two for a character. */
function bytesOf(query: string, { tokenCount = maxTokens }: DocumentNode): number {
  return 400 * tokenCount + 2 * query.length;
}

function tooLong(): GraphQLError {
  return new GraphQLError(`The operation's text has more than ${maxLength} characters.`);
}

/** Every node holds on to its tokens, and they to all others, comments included: none is needed any more. */
function unlinkTokens({ loc }: DocumentNode): void {
  let token = loc?.startToken as { prev: unknown; next: unknown } | null | undefined;
  while (token) {
    const { next } = token;
    token.prev = null;
    token.next = null;
    token = next as typeof token;
  }
}

function parsed(query: string, requestId: string): DocumentNode {
  try {
    return parse(query, { maxTokens });
  } catch (error) {
    // graphql-js gives its token limit no code of its own.
    const isTooLong =
      error instanceof GraphQLError && error.message.includes(`more than ${maxTokens} tokens`);
    throw refused(
      [error as GraphQLError],
      isTooLong ? 'OPERATION_TOO_EXPENSIVE' : 'GRAPHQL_PARSE_FAILED',
      requestId,
    );
  }
}

function limited(document: DocumentNode, requestId: string): void {
  try {
    checkLimits(document);
  } catch (error) {
    throw refused([error as GraphQLError], 'OPERATION_TOO_EXPENSIVE', requestId);
  }
}

/** The document is refused with these errors, all under one code. */
export function refused(
  errors: readonly GraphQLError[],
  code: ErrorCode,
  requestId: string,
): OperationRefusedError {
  const masked = errors.map(({ message, nodes, source, positions }) =>
    maskError(new GraphQLError(message, { nodes, source, positions, extensions: { code } }), { requestId }),
  );
  return new OperationRefusedError(masked, 400, code !== 'OPERATION_TOO_EXPENSIVE');
}
