/** Replaces errors by what callers may see: a closed set of codes and extensions. */
import { GraphQLError, OperationTypeNode } from 'graphql';
import { codeWith, type ErrorCode, GatewayError, type SideEffect } from '../errors.ts';
import { shortened } from '../tools/shortened.ts';
import { ResultTooLargeError } from './result-limit.ts';

export interface MaskContext {
  readonly requestId: string;
  /** The code of an error of graphql-js. Default: BAD_USER_INPUT of one about a variable or an argument. */
  readonly code?: ErrorCode;
  readonly operationType?: OperationTypeNode | undefined;
  /** The side effect of the operation's writes so far. */
  readonly sideEffect?: SideEffect;
  /** Called with each error that is a bug. The caller does not see it. */
  readonly onBug?: (error: unknown) => void;
}

type ErrorExtensions = Pick<GatewayError, 'code' | 'retryable' | 'sideEffect'> &
  Partial<Pick<GatewayError, 'bound' | 'retryAfterMs' | 'upstream'>>;

const maxMessageLength = 400;

/** The end of a message that is about one call only: below a mutation that was done it would contradict the beginning. */
const nothingDone = /[;.] nothing was (?:done|sent)\.(?: Try again later\.)?$/i;

/** Returns an error with exactly the extensions of the error catalogue. */
export function maskError(error: unknown, context: MaskContext): GraphQLError {
  const located = error instanceof GraphQLError ? error : undefined;
  const gatewayError = gatewayErrorIn(error);
  if (gatewayError) {
    if (gatewayError.code === 'INTERNAL_SERVER_ERROR') context.onBug?.(gatewayError.cause);
    const isTooLarge = gatewayError instanceof ResultTooLargeError;
    const ofOperation = isTooLarge && !gatewayError.isOfRefusal ? context.sideEffect : undefined;
    const sideEffect = ofOperation ?? gatewayError.sideEffect;
    return masked(gatewayError.message, { ...gatewayError, sideEffect }, located, context, gatewayError);
  }
  if (located && (context.code || isAboutInput(located))) {
    const code = codeWith(context.code ?? 'BAD_USER_INPUT', 'operation');
    const refusal = { ...code, retryable: false, sideEffect: 'NONE' } as const;
    return masked(located.message, refusal, located, context);
  }
  context.onBug?.(error);
  // It may have come after the effect of a write.
  const sideEffect = (context.sideEffect ?? 'NONE') === 'NONE' ? 'NONE' : 'POSSIBLE';
  const failure = { code: 'INTERNAL_SERVER_ERROR', retryable: false, sideEffect } as const;
  return masked('The gateway failed.', failure, located, context);
}

function masked(
  message: string,
  error: ErrorExtensions,
  located: GraphQLError | undefined,
  context: MaskContext,
  originalError?: GatewayError,
): GraphQLError {
  const isOfResult = isBelowMutation(located, context);
  // Without an id of what was made the mutation is not known to be done.
  const { sideEffect: done = 'APPLIED' } = context;
  const { code, bound, retryable, retryAfterMs, sideEffect, upstream } = isOfResult
    ? { ...error, retryable: false, retryAfterMs: undefined, sideEffect: done }
    : error;
  const text =
    isOfResult && done === 'APPLIED'
      ? `The mutation was done, but this field of its result failed: ${message.replace(nothingDone, '.')}`
      : message;
  const result = new GraphQLError(shortened(text, maxMessageLength), {
    path: located?.path,
    // For the HTTP status, as `originalError`, whose stack graphql-js would write. It is not sent: `GraphQLError.toJSON` omits it.
    cause: originalError,
    extensions: {
      code,
      retryable,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      sideEffect,
      ...(bound && { bound }),
      requestId: context.requestId,
      ...(upstream && { upstream }),
    },
  });
  // The stacks, which nobody reads, keep what has run until the result is written.
  for (const error of [result, originalError]) if (error) error.stack = '';
  // From nodes and positions graphql-js would search the text for its lines again.
  return Object.assign(result, { locations: located && locationsOf(located) });
}

/** Where the nodes of an error begin; of one without nodes, such as a syntax error, where it was found. */
function locationsOf({ nodes, locations }: GraphQLError) {
  const known = nodes?.flatMap(({ loc }) => (loc ? [loc.startToken] : []));
  // The value of a variable inside of a literal has no location, and the specification permits no empty list.
  return known?.length ? known.map(({ line, column }) => ({ line, column })) : locations;
}

/**
 * Whether the failed field is part of a mutation's result. The write itself has a result then, and sending the operation
 * again would repeat it, even if the field's own error is retryable.
 */
function isBelowMutation(located: GraphQLError | undefined, { operationType }: MaskContext): boolean {
  const names = located?.path?.filter((step) => typeof step === 'string') ?? [];
  return operationType === OperationTypeNode.MUTATION && names.length > 1;
}

export function gatewayErrorIn(error: unknown): GatewayError | undefined {
  if (error instanceof GatewayError) return error;
  return error instanceof GraphQLError ? gatewayErrorIn(error.originalError) : undefined;
}

/** Whether it is an error of graphql-js about a variable or an argument. */
function isAboutInput(error: GraphQLError): boolean {
  // Variables are coerced before execution, so these errors have no path.
  if (!error.path) return true;
  // Arguments are coerced when their field is reached; graphql-js marks such errors by their message only, and wraps them.
  const { message, originalError = error } = error;
  return message.startsWith('Argument "') && originalError instanceof GraphQLError;
}
