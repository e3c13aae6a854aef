/** Cache keys for urql's normalised cache. */
import { cacheExchange } from '@urql/exchange-graphcache';
import { embeddedTypes, entityKeys, possibleTypes } from '../entities.ts';

type KeyOf = (data: Readonly<Record<string, unknown>>) => string | null;

/** `null`: part of its parent; so is an entity of which the identifier was not selected. */
const keyFrom =
  (field: string): KeyOf =>
  (data) =>
    typeof data[field] === 'string' ? data[field] : null;

const keys: Record<string, KeyOf> = Object.fromEntries([
  ...Object.entries(entityKeys).map(([type, field]) => [type, keyFrom(field)] as const),
  ...embeddedTypes.map((type) => [type, () => null] as const),
]);

export const keyedCacheExchange = cacheExchange({ keys, possibleTypes });
