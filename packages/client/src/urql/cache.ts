/** The normalised cache, configured so that it returns no null that the gateway did not send. */
import type { CombinedError, Exchange, OperationResult } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { map, onPush, pipe } from 'wonka';
import { embeddedTypes } from '../entities.ts';
import { introspection } from '../schema.ts';
import { isUnreadState } from '../unread-state.ts';

const { types, ...roots } = introspection.__schema;

/**
 * For a nullable field that it does not hold, the cache returns null. But null has a separate meaning, such as
 * "never validated". With every field declared as always present, the cache requests the field from the gateway.
 */
const alwaysThere = { kind: 'NON_NULL', ofType: { kind: 'SCALAR', name: 'Any' } };
const strictTypes = types.map((type) =>
  type.kind === 'OBJECT'
    ? { ...type, fields: type.fields.map((field) => ({ ...field, type: alwaysThere })) }
    : type,
);

const normalisedCache = cacheExchange({
  schema: { __schema: { ...roots, types: strictTypes } },
  keys: {
    ...Object.fromEntries(embeddedTypes.map((name) => [name, () => null])),
    MalaysiaStatus: (status) => (isUnreadState(status) || !status.id ? null : String(status.id)),
  },
});

/** The cache drops a list when one member failed; its other members are read from the response. */
export const strictCacheExchange: Exchange = (input) => {
  const sentBeside = new WeakMap<CombinedError, OperationResult['data']>();
  const remember = ({ data, error }: OperationResult) => {
    if (error && data) sentBeside.set(error, data);
  };
  const restore = (result: OperationResult): OperationResult =>
    result.error && !result.data ? { ...result, data: sentBeside.get(result.error) } : result;
  const cache = normalisedCache({
    ...input,
    forward: (operations$) => pipe(input.forward(operations$), onPush(remember)),
  });
  return (operations$) => pipe(cache(operations$), map(restore));
};
