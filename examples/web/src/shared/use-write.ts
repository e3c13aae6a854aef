import type { AnyVariables, CombinedError, OperationContext, TypedDocumentNode } from '@urql/core';
import { useRef, useState } from 'react';
import { useClient } from 'urql';

interface WriteState<Data> {
  readonly fetching: boolean;
  readonly data: Data | undefined;
  readonly error: CombinedError | undefined;
}

/**
 * Like `useMutation` of urql, which drops a result that arrives while its view is hidden, and shows that of the call which
 * ends last. This one shows the result of the call that was made last.
 */
export function useWrite<Data, Variables extends AnyVariables>(document: TypedDocumentNode<Data, Variables>) {
  const client = useClient();
  const [state, setState] = useState<WriteState<Data>>({
    fetching: false,
    data: undefined,
    error: undefined,
  });
  const last = useRef<object>(undefined);
  async function send(variables: Variables, context?: Partial<OperationContext>) {
    const own = {};
    last.current = own;
    setState({ fetching: true, data: undefined, error: undefined });
    const result = await client.mutation(document, variables, context).toPromise();
    if (last.current === own) setState({ fetching: false, data: result.data, error: result.error });
    return result;
  }
  return [state, send] as const;
}
