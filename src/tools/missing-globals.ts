/**
 * What the gateway uses and Node 22 or 24 does not have, for gateways inside of another program: `getOrInsertComputed` of
 * maps, and the stack that closes parts. They do what their specifications say; nothing is replaced.
 */

function define(target: object, name: string, value: unknown): void {
  if (!(name in target)) Object.defineProperty(target, name, { value, configurable: true, writable: true });
}

function getOrInsertComputed<K, V>(this: Map<K, V>, key: K, create: (key: K) => V): V {
  if (!this.has(key)) this.set(key, create(key));
  return this.get(key) as V;
}

for (const { prototype } of [Map, WeakMap]) define(prototype, 'getOrInsertComputed', getOrInsertComputed);

type Close = () => unknown;

/** The part of `AsyncDisposableStack` that the gateway uses: closes the last one first; closing twice does nothing. */
class AsyncStack {
  #closes: Close[] = [];

  defer(close: Close): void {
    this.#closes.push(close);
  }

  async disposeAsync(): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    for (const close of this.#closes.splice(0).reverse()) {
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

define(globalThis, 'AsyncDisposableStack', AsyncStack);
define(globalThis, 'SuppressedError', Suppressed);
