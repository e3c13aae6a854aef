import { type ExecutionResult, OperationTypeNode } from 'graphql';
import { GatewayError } from '../../errors.ts';
import type { Pipeline } from '../../operation/pipeline.ts';
import { largeResultLength } from '../unsent-results.ts';
import type { GraphQLHttpRequest } from './http-request.ts';

/**
 * Returns a result as JSON. A result longer than V8's longest string is replaced by an error, which reports that a
 * mutation may have been done. Any other failure is a bug and is thrown.
 */
export function textOfResult(
  result: ExecutionResult,
  type: OperationTypeNode | undefined,
  pipeline: Pipeline,
  { requestId, onLargeResult }: GraphQLHttpRequest,
): string {
  try {
    const text = JSON.stringify(result);
    if (text.length >= largeResultLength) onLargeResult();
    return text;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const error = new GatewayError({
      code: 'OPERATION_TOO_EXPENSIVE',
      message: 'The result is too large to be written as JSON: select less.',
      sideEffect: type === OperationTypeNode.MUTATION ? 'POSSIBLE' : 'NONE',
      cause,
    });
    return JSON.stringify({ errors: [pipeline.mask(error, requestId)], data: null });
  }
}
