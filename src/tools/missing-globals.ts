/**
 * `getOrInsertComputed` of maps, which Node 22 and 24 do not have, for gateways inside of another program. It does what its
 * specification says; nothing is replaced.
 */

const name = 'getOrInsertComputed';

function getOrInsertComputed<K, V>(this: Map<K, V>, key: K, create: (key: K) => V): V {
  if (!this.has(key)) this.set(key, create(key));
  return this.get(key) as V;
}

for (const { prototype } of [Map, WeakMap]) {
  if (name in prototype) continue;
  Object.defineProperty(prototype, name, { value: getOrInsertComputed, configurable: true, writable: true });
}
