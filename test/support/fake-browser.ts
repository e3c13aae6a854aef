/**
 * Pages of a browser in this process: each has its own `fetch`, `indexedDB`, locks, channels, timers and clock, found by the
 * asynchronous context of the code that uses them. A page that is killed stops at its next use of one of them.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { FakeDatabases } from './fake-indexeddb.ts';

const current = new AsyncLocalStorage<FakePage>();
const real = {
  fetch,
  setTimeout,
  now: Date.now,
  elapsed: performance.now.bind(performance),
  timeout: AbortSignal.timeout,
  BroadcastChannel,
  locks: navigator.locks,
};

export class FakeBrowser {
  readonly databases = new FakeDatabases();
  readonly pages = new Set<FakePage>();
  isOnline = true;
  /** Most requests of all its pages at the same time. */
  mostFetches = 0;
  fetches = 0;
  /** How much faster than real its timers and clocks run. */
  readonly speed: number;

  constructor(speed: number) {
    this.speed = speed;
  }

  open(): FakePage {
    const page = new FakePage(this);
    this.pages.add(page);
    return page;
  }

  setOnline(isOnline: boolean): void {
    this.isOnline = isOnline;
    for (const page of this.pages)
      page.run(() => page.events.dispatchEvent(new Event(isOnline ? 'online' : 'offline')));
  }
}

export class FakePage {
  readonly browser: FakeBrowser;
  readonly events = new EventTarget();
  readonly indexedDB: object;
  readonly #channels = new Set<BroadcastChannel>();
  readonly #killed = new AbortController();
  readonly #begunAt = real.now();

  constructor(browser: FakeBrowser) {
    this.browser = browser;
    this.indexedDB = browser.databases.of(this);
  }

  get isKilled(): boolean {
    return this.#killed.signal.aborted;
  }

  run<T>(task: () => T): T {
    return current.run(this, task);
  }

  /** Ends it without a warning: its requests are cut off and its locks are released. */
  kill(): void {
    this.#killed.abort();
    this.browser.pages.delete(this);
    for (const channel of this.#channels) channel.close();
  }

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { browser } = this;
    await this.#alive(Promise.resolve());
    browser.fetches += 1;
    browser.mostFetches = Math.max(browser.mostFetches, browser.fetches);
    const signal = AbortSignal.any([this.#killed.signal, ...(init.signal ? [init.signal] : [])]);
    // Node's `fetch` uses timers, which must not be those of the page, and throws when it is aborted while it reads a form.
    const sent = current.exit(async () => real.fetch(url, { ...init, ...(await bytesOf(init)), signal }));
    const response = sent.finally(() => {
      browser.fetches -= 1;
    });
    return await this.#alive(response);
  }

  setTimeout(task: () => void, ms = 0) {
    return real.setTimeout(() => this.isKilled || this.run(task), ms / this.browser.speed);
  }

  now(): number {
    return this.#begunAt + (real.now() - this.#begunAt) * this.browser.speed;
  }

  get locks() {
    const request = (name: string, ...rest: any[]) => {
      const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest;
      const held = async (lock: unknown) => {
        // The lock of a page that is killed is released; what waits for it in the page waits for ever.
        if (!this.isKilled) return await Promise.race([this.run(() => work(lock)), this.#end()]);
      };
      return this.#alive(real.locks.request(name, options, held));
    };
    return { request };
  }

  channel(name: string): BroadcastChannel {
    const channel = new real.BroadcastChannel(name);
    this.#channels.add(channel);
    return channel;
  }

  #end(): Promise<void> {
    return new Promise((resolve) => this.#killed.signal.addEventListener('abort', () => resolve()));
  }

  /** Settles only while the page is alive. */
  #alive<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      promise.then(
        (value) => this.isKilled || resolve(value),
        (error) => this.isKilled || reject(error),
      );
    });
  }
}

async function bytesOf({ body, headers }: RequestInit): Promise<RequestInit> {
  if (!(body instanceof FormData)) return {};
  const form = new Response(body);
  const type = form.headers.get('content-type') as string;
  return {
    body: await form.bytes(),
    headers: { ...(headers as Record<string, string>), 'content-type': type },
  };
}

/** Replaces the globals for the code of pages, in this process until its end. */
export function installFakeBrowser(): void {
  const page = () => current.getStore();
  const define = (target: object, name: string, get: () => unknown) =>
    Object.defineProperty(target, name, { get, configurable: true });
  const listen =
    (method: 'addEventListener' | 'removeEventListener') =>
    (...parameters: Parameters<EventTarget['addEventListener']>) =>
      page()?.events[method](...parameters);
  const setTimer = (task: () => void, ms?: number, ...rest: unknown[]) =>
    page()?.setTimeout(task, ms) ?? real.setTimeout(task, ms, ...rest);

  define(navigator, 'onLine', () => page()?.browser.isOnline);
  define(navigator, 'locks', () => page()?.locks ?? real.locks);
  define(globalThis, 'indexedDB', () => page()?.indexedDB);
  // Node refuses a fraction, which browsers cut off: tests of a page may run there too.
  AbortSignal.timeout = (ms) =>
    real.timeout(Number.isInteger(ms) ? Math.ceil(ms / (page()?.browser.speed ?? 1)) : ms);
  Date.now = () => page()?.now() ?? real.now();
  performance.now = () => page()?.now() ?? real.elapsed();
  Object.assign(globalThis, {
    addEventListener: listen('addEventListener'),
    removeEventListener: listen('removeEventListener'),
    fetch: (url: string, init?: RequestInit) => page()?.fetch(url, init) ?? real.fetch(url, init),
    setTimeout: Object.assign(setTimer, real.setTimeout),
    BroadcastChannel: function BroadcastChannel(name: string) {
      return page()?.channel(name) ?? new real.BroadcastChannel(name);
    },
  });
}
