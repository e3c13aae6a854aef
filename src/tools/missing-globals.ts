/**
 * What the gateway uses and Node 22 or 24 does not have, for gateways inside of another program: `getOrInsertComputed` of
 * maps, `RegExp.escape`, and the stacks that close parts. They do what their specifications say; nothing is replaced.
 */

function define(target: object, name: string, value: unknown): void {
  if (!(name in target)) Object.defineProperty(target, name, { value, configurable: true, writable: true });
}

function getOrInsertComputed<K, V>(this: Map<K, V>, key: K, create: (key: K) => V): V {
  if (!this.has(key)) this.set(key, create(key));
  return this.get(key) as V;
}

for (const { prototype } of [Map, WeakMap]) define(prototype, 'getOrInsertComputed', getOrInsertComputed);

/** Spells some characters in another way than the specification does, and matches the same text. */
define(RegExp, 'escape', (text: string) =>
  text.replaceAll(/\W|^\w/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
);

type Close = () => unknown;

/** The closes of a stack, the last one first; closing twice does nothing. */
class Closes {
  #closes: Close[] = [];
  #failure: { readonly error: unknown } | undefined;

  defer(close: Close): void {
    this.#closes.push(close);
  }

  protected take(): Close[] {
    return this.#closes.splice(0).reverse();
  }

  protected failed(error: unknown): void {
    this.#failure = { error: this.#failure ? new SuppressedError(error, this.#failure.error) : error };
  }

  protected throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }
}

/** The part of `DisposableStack` that the gateway uses. */
class Stack extends Closes {
  dispose(): void {
    for (const close of this.take()) {
      try {
        close();
      } catch (error) {
        this.failed(error);
      }
    }
    this.throwFailure();
  }
}

/** The part of `AsyncDisposableStack` that the gateway uses. */
class AsyncStack extends Closes {
  async disposeAsync(): Promise<void> {
    for (const close of this.take()) {
      try {
        await close();
      } catch (error) {
        this.failed(error);
      }
    }
    this.throwFailure();
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

define(globalThis, 'DisposableStack', Stack);
define(globalThis, 'AsyncDisposableStack', AsyncStack);
define(globalThis, 'SuppressedError', Suppressed);
