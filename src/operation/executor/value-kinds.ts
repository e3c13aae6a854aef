/** Kinds of values that resolvers return. */

/** Whether the value is an array that is iterated by its indices. */
export function isPlainArray(value: unknown): value is unknown[] {
  return Array.isArray(value) && value[Symbol.iterator] === Array.prototype.values;
}

/** Whether properties can be read from the value: also those of a function. */
export function hasProperties(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Whether a value is present and is not a function, a promise or an error. */
export function isPlain(value: unknown): boolean {
  if (typeof value !== 'object') return value !== undefined && typeof value !== 'function';
  return value !== null && !(value instanceof Error) && !isPromiseLike(value);
}

export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}
