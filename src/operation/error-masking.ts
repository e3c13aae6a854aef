/** Errors as callers see them: a closed set of codes and extensions, and nothing else of what went wrong. */
import { GraphQLError, OperationTypeNode } from 'graphql';
import { type ErrorCode, GatewayError, type SideEffect, type UpstreamFailure } from '../errors.ts';
import { ResultTooLargeError } from './result-limit.ts';

export interface MaskContext {
  readonly requestId: string;
  readonly operationType?: OperationTypeNode | undefined;
  /** Whether the operation has sent a write: then an unforeseen error may have come after it. */
  readonly hasWritten?: () => boolean;
  /** What the operation's writes have done so far. */
  readonly sideEffect?: () => SideEffect;
  /** PublicError of errors that are bugs: the caller does not see them. */
  readonly onBug?: (error: unknown) => void;
}

interface PublicError {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly sideEffect: SideEffect;
  readonly upstream?: UpstreamFailure | undefined;
}

const maxMessageLength = 400;

/** An error with exactly the extensions of the error catalogue. */
export function maskError(error: unknown, context: MaskContext): GraphQLError {
  const located = error instanceof GraphQLError ? error : undefined;
  const gatewayError = gatewayErrorIn(error);
  const code = requestErrorCode(located);
  if (gatewayError) {
    const isTooLarge = gatewayError instanceof ResultTooLargeError;
    const sideEffect = (isTooLarge && context.sideEffect?.()) || gatewayError.sideEffect;
    const told = masked(gatewayError.message, { ...gatewayError, sideEffect }, located, context);
    if (gatewayError.httpStatus !== undefined) httpStatuses.set(told, gatewayError.httpStatus);
    return told;
  }
  if (located && code) return masked(located.message, { ...harmless, code }, located, context);
  context.onBug?.(error);
  const sideEffect = context.hasWritten?.() ? 'POSSIBLE' : 'NONE';
  return masked(
    'The gateway failed.',
    { ...harmless, code: 'INTERNAL_SERVER_ERROR', sideEffect },
    located,
    context,
  );
}

const httpStatuses = new WeakMap<GraphQLError, number>();

/** The status that a masked error gives to its HTTP answer; undefined where it concerns the field alone. */
export function httpStatusOf(error: GraphQLError): number | undefined {
  return httpStatuses.get(error);
}

const harmless = { retryable: false, sideEffect: 'NONE' } as const;

function masked(
  message: string,
  told: PublicError,
  located: GraphQLError | undefined,
  context: MaskContext,
): GraphQLError {
  const { code, retryable, retryAfterMs, sideEffect, upstream } = belowAnsweredWrite(located, context)
    ? { ...told, retryable: false, sideEffect: 'APPLIED' as const }
    : told;
  return new GraphQLError(
    message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message,
    {
      nodes: located?.nodes,
      source: located?.source,
      positions: located?.positions,
      path: located?.path,
      extensions: {
        code,
        retryable,
        ...(retryAfterMs !== undefined && { retryAfterMs }),
        sideEffect,
        requestId: context.requestId,
        ...(upstream && { upstream }),
      },
    },
  );
}

/**
 * A field below a mutation's outcome failed: the write itself was done, and sending the operation again
 * would do it twice, whatever the failed field says of itself.
 */
function belowAnsweredWrite(located: GraphQLError | undefined, { operationType }: MaskContext): boolean {
  const names = located?.path?.filter((step) => typeof step === 'string') ?? [];
  return operationType === OperationTypeNode.MUTATION && names.length > 1;
}

function gatewayErrorIn(error: unknown): GatewayError | undefined {
  if (error instanceof GatewayError) return error;
  return error instanceof GraphQLError ? gatewayErrorIn(error.originalError) : undefined;
}

/** The code of an error that graphql-js itself makes about the request; undefined for any other error. */
function requestErrorCode(error: GraphQLError | undefined): ErrorCode | undefined {
  if (!error) return undefined;
  const { code } = error.extensions;
  if (typeof code === 'string') return code as ErrorCode;
  // Variables are coerced before there is a path.
  if (!error.path) return 'BAD_USER_INPUT';
  // Arguments are coerced as their field is reached, and graphql-js marks such errors by their text alone.
  return error.message.startsWith('Argument "') && !error.originalError ? 'BAD_USER_INPUT' : undefined;
}
