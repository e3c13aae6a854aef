/** The results of mutations: each is its own type or `InvalidInput`. */
import { InvalidInputError } from '../errors.ts';
import { builder } from './builder.ts';

type ResultRef<Shape> = ReturnType<ReturnType<typeof builder.objectRef<Shape>>['implement']>;

export function mutationResultOf<Shape extends object>(
  name: string,
  type: ResultRef<Shape>,
  description: string,
) {
  return builder.errorUnion(name, {
    description,
    types: [type, InvalidInputError],
    resolveType: () => type,
  });
}

/** The results of writes that take an idempotency key. Each feature adds its type when its schema file is imported. */
const types: ResultRef<object>[] = [];

/** As `mutationResultOf`, for a write that takes an idempotency key: its result is also one of `WriteResult`. */
export function writeResultOf<Shape extends object>(
  name: string,
  type: ResultRef<Shape>,
  description: string,
) {
  types.push(type as ResultRef<object>);
  return mutationResultOf(name, type, description);
}

/** GraphQL knows the type of a value by its `__typename`. */
export const WriteResult = builder.unionType('WriteResult', {
  description:
    'The result of a write, as its mutation returned it. `warnings` has only what the service reported here: the others belong to an input, which is not kept.',
  types: () => types,
});
