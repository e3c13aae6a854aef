/** Which types a normalised cache stores by their `id`. */
import { introspection } from './schema.ts';

/** A type without a non-null `id` is part of the object that contains it. */
export const embeddedTypes: readonly string[] = introspection.__schema.types.flatMap((type) =>
  type.kind === 'OBJECT' && !type.fields.some(({ name, type }) => name === 'id' && type.kind === 'NON_NULL')
    ? [type.name]
    : [],
);
