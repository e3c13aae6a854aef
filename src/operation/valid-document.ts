/** From the text of an operation to its document, which is parsed and checked: limits, then validation. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoFragmentCyclesRule,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  Source,
  specifiedRules,
  UniqueFragmentNamesRule,
  validate,
} from 'graphql';
import { maxPlansPerOperation } from './executor/plan.ts';
import { checkLimits, type DocumentSize, operationLimits, tooExpensive } from './limits.ts';
import { OperationRefusedError } from './operation-request.ts';

const { maxLength, maxSubscriptionTokens, maxTokens } = operationLimits;
const maxErrors = 20;

export interface ValidDocument {
  readonly document: DocumentNode;
  /** SHA-256 of its text, in hexadecimal digits. */
  readonly hash: string;
  /** Heap that it holds, with its execution plans, estimated (bytes). */
  readonly bytes: number;
  /** Heap that an execution holds for the values in its arguments, estimated (bytes). */
  readonly literalBytes: number;
}

/** A valid operation of one or several manifests. */
export interface PersistedOperation {
  readonly name: string;
  readonly document: string;
  /** The applications whose manifests have it, e.g. `folio-ios@2.3.1`. */
  readonly manifests: readonly string[];
}

/** An operation that has been parsed and validated, and can be executed or subscribed to. */
export interface PreparedOperation extends ValidDocument {
  /** The operation as a manifest has it; undefined when none has it. */
  readonly persisted: PersistedOperation | undefined;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Memory that the variables hold, estimated (bytes). */
  readonly variableBytes: number;
}

/**
 * Returns a function that parses a text and checks the document. `introspection`: whether introspection, and with it
 * suggestions in messages, is allowed. That function and the checks below throw an `OperationRefusedError`.
 */
export function createDocumentParser(
  schema: GraphQLSchema,
  introspection: boolean,
  { hideSuggestions = !introspection } = {},
) {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  return (query: string, hash: string): ValidDocument => {
    const document = parseText(query);
    const size = checkLimits(document);
    // With cycles the comparison of overlapping fields would exceed the stack. Of fragments with one name only the last is within
    // the limits; the rule of cycles checks the first.
    const applied = size.hasInvalidFragments ? [NoFragmentCyclesRule, UniqueFragmentNamesRule] : rules;
    const errors = validate(schema, document, applied, { maxErrors, hideSuggestions });
    if (errors.length > 0) throw new OperationRefusedError('GRAPHQL_VALIDATION_FAILED', errors);
    unlinkTokens(document);
    const literalBytes = size.literals * readLiteralBytes;
    return { document, hash, bytes: bytesOf(query, document, size), literalBytes };
  };
}

export function checkLength(query: string): void {
  if (query.length <= maxLength) return;
  throw tooExpensive(`The text of the operation has more than ${maxLength} characters.`);
}

export function checkSubscriptionTokens({ tokenCount = 0 }: DocumentNode): void {
  if (tokenCount <= maxSubscriptionTokens) return;
  throw tooExpensive(`The document of a subscription has more than ${maxSubscriptionTokens} tokens.`);
}

/** Heap of a field in an execution plan, measured (bytes). */
const plannedFieldBytes = 300;

/** Heap of a value that was read from the text of an operation, 44 to 69 were measured (bytes). */
const readLiteralBytes = 64;

/**
 * Estimates the heap of a document: 230 to 410 bytes a token were measured, and V8 uses at most 2 a character. Its plans
 * repeat the fields of each fragment that is spread, so they can be far larger than its text.
 */
function bytesOf(
  query: string,
  { tokenCount = maxTokens }: DocumentNode,
  { fields, isConditional }: DocumentSize,
): number {
  const plans = isConditional ? maxPlansPerOperation : 1;
  return 400 * tokenCount + 2 * query.length + plans * fields * plannedFieldBytes;
}

/** Unlinks the tokens, which are not needed after parsing: each node refers to its own, and through it to all others. */
function unlinkTokens({ loc }: DocumentNode): void {
  let token = loc?.startToken as { prev: unknown; next: unknown } | null | undefined;
  while (token) {
    const { next } = token;
    token.prev = null;
    token.next = null;
    token = next as typeof token;
  }
}

function parseText(query: string): DocumentNode {
  try {
    const source = new Source(query);
    // `checkLimits` bounds the fields of spread fragments, of which an empty selection has none: the 2^40 spreads that 40
    // fragments can have would be counted one by one.
    const document = parse(source, { maxTokens, allowEmptySelectionSets: false });
    // With each error graphql-js would search the text for its lines. `maskError` reads them from the tokens.
    source.body = '';
    return document;
  } catch (error) {
    // graphql-js gives no code to the error of its token limit.
    const isTooLong =
      error instanceof GraphQLError && error.message.includes(`more than ${maxTokens} tokens`);
    const code = isTooLong ? 'OPERATION_TOO_EXPENSIVE' : 'GRAPHQL_PARSE_FAILED';
    throw new OperationRefusedError(code, [error as Error]);
  }
}
