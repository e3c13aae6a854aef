const limit = 100_000;

/** Most characters of all texts that a map or the log of calls keeps (8 Mi): callers decide how long a text is. */
export const maxCharacters = 8 * 1024 * 1024;

/** The characters of all texts in a value. */
export function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum, member) => sum + charactersIn(member), 0);
}

/**
 * Creates a map that drops its oldest entries when there are more than 100,000, or their texts have more than 8 Mi
 * characters. The newest is kept.
 */
export function boundedMap<K, V>(): Pick<Map<K, V>, 'get' | 'set' | 'has' | 'values'> {
  const map = new Map<K, V>();
  let characters = 0;
  const set = map.set.bind(map);
  map.set = (key, value) => {
    if (map.has(key)) characters -= charactersIn([key, map.get(key)]);
    characters += charactersIn([key, value]);
    set(key, value);
    for (const oldest of map) {
      if (map.size <= limit && (characters <= maxCharacters || map.size === 1)) break;
      characters -= charactersIn(oldest);
      map.delete(oldest[0]);
    }
    return map;
  };
  return map;
}
