/**
 * What the gateway uses and Node 22 and 24 do not have: `getOrInsertComputed` of maps, and in Node 22 the stack that
 * closes the parts of the gateway. Defined as their specifications say; nothing is replaced.
 */

function getOrInsertComputed<K, V>(this: Map<K, V>, key: K, create: (key: K) => V): V {
  if (!this.has(key)) this.set(key, create(key));
  return this.get(key) as V;
}

for (const { prototype } of [Map, WeakMap]) {
  if ('getOrInsertComputed' in prototype) continue;
  Object.defineProperty(prototype, 'getOrInsertComputed', {
    value: getOrInsertComputed,
    configurable: true,
    writable: true,
  });
}

type Close = () => unknown;

/** The part of `AsyncDisposableStack` that the gateway uses. */
class Stack {
  #closes: Close[] = [];

  defer(close: Close): void {
    this.#closes.push(close);
  }

  async disposeAsync(): Promise<void> {
    const closes = this.#closes.reverse();
    this.#closes = [];
    let failure: { readonly error: unknown } | undefined;
    for (const close of closes) {
      try {
        await close();
      } catch (error) {
        failure = { error: failure ? new SuppressedError(error, failure.error) : error };
      }
    }
    if (failure) throw failure.error;
  }
}

class Suppressed extends Error {
  readonly error: unknown;
  readonly suppressed: unknown;

  constructor(error: unknown, suppressed: unknown) {
    super();
    this.error = error;
    this.suppressed = suppressed;
  }
}

for (const [name, value] of Object.entries({ AsyncDisposableStack: Stack, SuppressedError: Suppressed })) {
  if (name in globalThis) continue;
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
