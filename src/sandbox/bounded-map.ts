/** Most characters of all texts that a map keeps (8 Mi): callers decide how long a text is. */
const maxCharacters = 8 * 1024 * 1024;

/**
 * A map that drops its oldest entries when there are more than the limit (100,000), or their texts have more than 8 Mi
 * characters. The newest is kept.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #limit: number;
  /** The characters of each entry. */
  readonly #sizes = new Map<K, number>();
  #characters = 0;

  constructor(limit = 100_000) {
    super();
    this.#limit = limit;
  }

  /** Also counts an entry again whose texts have changed. */
  override set(key: K, value: V): this {
    const size = charactersIn([key, value]);
    this.#characters += size - (this.#sizes.get(key) ?? 0);
    this.#sizes.set(key, size);
    super.set(key, value);
    for (const oldest of this.keys()) {
      if (this.size <= this.#limit && (this.#characters <= maxCharacters || this.size === 1)) break;
      this.delete(oldest);
    }
    return this;
  }

  override delete(key: K): boolean {
    this.#characters -= this.#sizes.get(key) ?? 0;
    this.#sizes.delete(key);
    return super.delete(key);
  }

  override clear(): void {
    this.#characters = 0;
    this.#sizes.clear();
    super.clear();
  }
}

/** The characters of all texts in a value. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum, member) => sum + charactersIn(member), 0);
}
