/** Returns a function that calls `read` once for each object, and returns the same value again. */
export function remembered<Key extends object, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => values.getOrInsertComputed(key, read);
}
