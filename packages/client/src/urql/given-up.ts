import type { Operation } from '@urql/core';
import { filter, pipe, type Source } from 'wonka';

/** Emits when nobody waits for the operation any more. `operations$`: those of the exchange. */
export function givenUp(operations$: Source<Operation>, key: number): Source<Operation> {
  return pipe(
    operations$,
    filter((operation) => operation.kind === 'teardown' && operation.key === key),
  );
}
