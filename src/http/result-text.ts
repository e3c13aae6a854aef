import { type ExecutionResult, OperationTypeNode } from 'graphql';
import { GatewayError } from '../errors.ts';
import type { Pipeline } from '../graphql/pipeline.ts';

/**
 * A result as JSON. A result that cannot be written (longer than V8's longest string) becomes an error, which
 * reports that a mutation may have been done.
 */
export function textOfResult(
  result: ExecutionResult,
  type: OperationTypeNode | undefined,
  pipeline: Pipeline,
  requestId: string,
): string {
  try {
    return JSON.stringify(result);
  } catch (cause) {
    const error = new GatewayError({
      code: 'OPERATION_TOO_EXPENSIVE',
      message: 'The result is too large to be written as JSON: select less.',
      sideEffect: type === OperationTypeNode.MUTATION ? 'POSSIBLE' : 'NONE',
      cause,
    });
    return JSON.stringify({ errors: [pipeline.mask(error, requestId)], data: null });
  }
}
