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
import { checkLimits } from './limits.ts';
import { maskError } from './mask.ts';
import { OperationRefused } from './operation-request.ts';

const maxTokens = 2_000;
const maxErrors = 20;
const maxCachedDocuments = 1_000;
const maxCachedLength = 16_384;

/** The document of a query's text: parsed, within the limits, valid. Throws an `OperationRefused`. */
export type ValidDocuments = (query: string, requestId: string) => DocumentNode;

/** Valid documents are kept by their text. `introspection`: whether it is allowed, and suggestions with it. */
export function createValidDocuments(schema: GraphQLSchema, introspection: boolean): ValidDocuments {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const known = new Map<string, DocumentNode>();

  function keep(query: string, document: DocumentNode): void {
    if (query.length > maxCachedLength) return;
    // A Map keeps the order of insertion: the first is the oldest.
    const [oldest] = known.keys();
    if (known.size >= maxCachedDocuments && oldest !== undefined) known.delete(oldest);
    known.set(query, document);
  }

  return (query, requestId) => {
    const cached = known.get(query);
    if (cached) return cached;
    const document = parsed(query, requestId);
    limited(document, requestId);
    const errors = validate(schema, document, rules, { maxErrors, hideSuggestions: !introspection });
    if (errors.length > 0) throw refused(errors, 'GRAPHQL_VALIDATION_FAILED', requestId);
    keep(query, document);
    return document;
  };
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

/** The document is refused with these errors of graphql-js, all under one code. */
export function refused(
  errors: readonly GraphQLError[],
  code: ErrorCode,
  requestId: string,
): OperationRefused {
  const masked = errors.map(({ message, nodes, source, positions }) =>
    maskError(new GraphQLError(message, { nodes, source, positions, extensions: { code } }), { requestId }),
  );
  return new OperationRefused(masked, 400, code !== 'OPERATION_TOO_EXPENSIVE');
}
