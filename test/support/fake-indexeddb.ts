/** The part of IndexedDB that the outbox uses. Databases outlive pages; a transaction of a page that is killed is undone. */
import { setImmediate as turn } from 'node:timers/promises';
import { isProxy } from 'node:util/types';

interface Page {
  readonly isKilled: boolean;
  run(task: () => void): void;
}

interface Store {
  nextKey: number;
  readonly keyPath: string | undefined;
  readonly records: Map<unknown, any>;
}

type Stores = ReadonlyMap<string, Store>;

/** A request, a transaction or a request to open a database: its handlers are set by the page. */
type Target = Record<string, any>;

export class FakeDatabases {
  readonly #databases = new Map<string, FakeDatabase>();
  /** Whether the device has no space left: nothing can be stored. */
  isFull = () => false;

  /** `indexedDB` of a page. */
  of(page: Page): { open(name: string): Target; databases(): Promise<{ name: string }[]> } {
    return {
      databases: async () => [...this.#databases.keys()].map((name) => ({ name })),
      open: (name) => {
        const request: Target = {};
        void turn().then(() => {
          if (page.isKilled) return;
          const isNew = !this.#databases.has(name);
          const database = this.#databases.get(name) ?? new FakeDatabase(() => this.isFull());
          this.#databases.set(name, database);
          request['result'] = database.connect(page);
          page.run(() => {
            if (isNew) request['onupgradeneeded']?.();
            request['onsuccess']?.();
          });
        });
        return request;
      },
    };
  }

  /** All that is stored, without the content of files. */
  text(): string {
    const all = [...this.#databases].map(([name, { stores }]) => [
      name,
      [...stores.values()].map(({ records }) => [...records]),
    ]);
    return JSON.stringify(all);
  }
}

class FakeDatabase {
  stores: Stores = new Map();
  /** Transactions run one after the other. */
  #last: Promise<void> = Promise.resolve();
  readonly #isFull: () => boolean;

  constructor(isFull: () => boolean) {
    this.#isFull = isFull;
  }

  connect(page: Page): Target {
    return {
      createObjectStore: (name: string, { keyPath }: { keyPath?: string } = {}) => {
        this.stores = new Map(this.stores).set(name, { keyPath, nextKey: 1, records: new Map() });
      },
      transaction: () => this.#begin(page),
      close() {},
    };
  }

  #begin(page: Page): Target {
    const requests: ((stores: Stores) => void)[] = [];
    const transaction: Target = { error: null };
    let isAborted = false;
    transaction['objectStore'] = (name: string) =>
      objectStore(name, requests, () => {
        if (this.#isFull())
          transaction['error'] = new DOMException('No space is left.', 'QuotaExceededError');
      });
    transaction['abort'] = () => {
      isAborted = true;
    };
    this.#last = this.#last.then(async () => {
      const draft = new Map([...this.stores].map(([name, store]) => [name, copyOf(store)]));
      for (;;) {
        await turn();
        const request = requests.shift();
        if (page.isKilled || isAborted || !request) break;
        page.run(() => request(draft));
      }
      if (transaction['error']) isAborted = true;
      if (page.isKilled) return;
      if (!isAborted) this.stores = draft;
      page.run(() => transaction[isAborted ? 'onabort' : 'oncomplete']?.());
    });
    return transaction;
  }
}

function copyOf(store: Store): Store {
  return { ...store, records: new Map(store.records) };
}

function objectStore(name: string, requests: ((stores: Stores) => void)[], onPut: () => void): Target {
  const request = (work: (store: Store) => unknown) => {
    const target: Target = {};
    requests.push((stores) => {
      target['result'] = clone(work(stores.get(name) as Store));
      target['onsuccess']?.();
    });
    return target;
  };
  const put = (value: any, key?: unknown) => {
    const kept = clone(value);
    onPut();
    return request((store) => {
      const { keyPath, records } = store;
      if (keyPath !== undefined) kept[keyPath] ??= store.nextKey++;
      records.set(key ?? kept[keyPath as string], kept);
    });
  };
  return {
    getAll: () => request(({ records }) => [...records.values()]),
    get: (key: unknown) => request(({ records }) => records.get(key)),
    delete: (key: unknown) => request(({ records }) => void records.delete(key)),
    add: put,
    put,
  };
}

/** A structured clone, which proxies have not; a file is never changed, and stays the same object. */
function clone(value: any): any {
  if (isProxy(value)) throw new DOMException('It could not be cloned.', 'DataCloneError');
  if (typeof value !== 'object' || value === null || value instanceof Blob) return value;
  if (Array.isArray(value)) return value.map(clone);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, clone(member)]));
}
