/** Cache keys for Apollo Client's normalised cache. */
import { InMemoryCache, type TypePolicy } from '@apollo/client';
import { embeddedTypes, entityKeys, possibleTypes } from '../entities.ts';

/** `false`: part of its parent; so is an entity of which the identifier was not selected. */
const keyedBy = (field: string): TypePolicy => ({
  keyFields: (object) => (typeof object[field] === 'string' ? [field] : false),
});

export function createKeyedCache(): InMemoryCache {
  return new InMemoryCache({
    possibleTypes,
    typePolicies: Object.fromEntries([
      ...Object.entries(entityKeys).map(([type, field]) => [type, keyedBy(field)] as const),
      ...embeddedTypes.map((type) => [type, { keyFields: false }] as const),
    ]),
  });
}
