/** The results of writes that take an idempotency key. Each feature registers its type when its schema file is imported. */
import { builder } from './builder.ts';

type ResultRef = ReturnType<ReturnType<typeof builder.objectRef<object>>['implement']>;

const types: ResultRef[] = [];

/** Makes a type a member of the union `WriteResult`. */
export function registerWriteResult(type: ResultRef): void {
  types.push(type);
}

/** A value that the ledger kept, with the name of its type. */
export type StoredResult = object & { readonly __typename: string };

export const WriteResult = builder.unionType('WriteResult', {
  description:
    'The result of a write, as its mutation returned it. `warnings` has only what the service reported here: the others belong to an input, which is not kept.',
  types: () => types,
  resolveType: (value) => (value as StoredResult).__typename,
});
