/** The actions of one user in IndexedDB. What is sent of an action, with its files, is stored apart from what is shown. */
import type { OperationBody } from '../multipart.ts';
import { type OutboxAction, OutboxFullError } from './action.ts';

/** What is sent of an action. Its `input` has the idempotency key. */
export interface ActionInput {
  readonly body: Pick<OperationBody, 'query' | 'extensions'>;
  readonly variables: { readonly input: object };
}

/** Changes within one transaction. */
export interface Changes {
  add(action: Omit<OutboxAction, 'id'>): void;
  put(action: OutboxAction): void;
  remove(action: OutboxAction): void;
  putInput(idempotencyKey: string, input: ActionInput): void;
  removeInput(idempotencyKey: string): void;
}

type Edit = (actions: readonly OutboxAction[], changes: Changes) => void;

export interface ActionStore {
  /** In the order in which they were added. */
  list(): Promise<readonly OutboxAction[]>;
  /**
   * Reads and changes the actions in one transaction; one runs at a time in all tabs. Resolves with the new list. When
   * `edit` throws, nothing is changed.
   */
  change(edit: Edit): Promise<readonly OutboxAction[]>;
  input(idempotencyKey: string): Promise<ActionInput | undefined>;
}

interface Work<T> {
  readonly actions: IDBObjectStore;
  readonly inputs: IDBObjectStore;
  resolve(value: T): void;
  /** Undoes the transaction. */
  reject(error: unknown): void;
}

export function createStore(name: string): ActionStore {
  /** Opens a connection for each transaction: browsers close those of pages in the background. */
  async function transact<T>(mode: IDBTransactionMode, work: (work: Work<T>) => void): Promise<T> {
    const database = await open(name);
    try {
      return await new Promise<T>((resolve, reject) => {
        // An action that was added survives a loss of power.
        const transaction = database.transaction(['actions', 'inputs'], mode, { durability: 'strict' });
        let value: T;
        let failure: unknown;
        transaction.oncomplete = () => resolve(value);
        transaction.onabort = () => reject(failure ?? errorOf(transaction.error));
        work({
          actions: transaction.objectStore('actions'),
          inputs: transaction.objectStore('inputs'),
          resolve(found) {
            value = found;
          },
          reject(error) {
            failure = error;
            transaction.abort();
          },
        });
      });
    } finally {
      database.close();
    }
  }

  return {
    list: () => transact('readonly', ({ actions, resolve }) => whenRead(actions.getAll(), resolve)),
    change: (edit) =>
      transact('readwrite', ({ actions, inputs, resolve, reject }) => {
        const changes: Changes = {
          add: (action) => void actions.add(action),
          put: (action) => void actions.put(action),
          remove({ id, idempotencyKey }) {
            actions.delete(id);
            inputs.delete(idempotencyKey);
          },
          putInput: (idempotencyKey, input) => void inputs.put(input, idempotencyKey),
          removeInput: (idempotencyKey) => void inputs.delete(idempotencyKey),
        };
        whenRead<OutboxAction[]>(actions.getAll(), (before) => {
          try {
            edit(before, changes);
            whenRead(actions.getAll(), resolve);
          } catch (error) {
            reject(error);
          }
        });
      }),
    input: (idempotencyKey) =>
      transact('readonly', ({ inputs, resolve }) => whenRead(inputs.get(idempotencyKey), resolve)),
  };
}

function whenRead<T>(request: IDBRequest<T>, found: (value: T) => void): void {
  request.onsuccess = () => found(request.result);
}

function open(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('actions', { keyPath: 'id', autoIncrement: true });
      request.result.createObjectStore('inputs');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(errorOf(request.error));
  });
}

function errorOf(error: DOMException | null): Error | null {
  return error?.name === 'QuotaExceededError' ? new OutboxFullError('storage') : error;
}
