const limit = 100_000;

/** Creates a map that drops its oldest entry when a new one would exceed 100,000 entries. */
export function boundedMap<K, V>(): Pick<Map<K, V>, 'get' | 'set' | 'has' | 'values'> {
  const map = new Map<K, V>();
  const set = map.set.bind(map);
  map.set = (key, value) => {
    if (map.size >= limit && !map.has(key)) {
      for (const oldest of map.keys()) {
        map.delete(oldest);
        break;
      }
    }
    return set(key, value);
  };
  return map;
}
