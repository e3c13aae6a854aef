/** Writes that are stored on the device before they are sent: nothing is lost without a network, and nothing is done twice. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, getOperationAST } from 'graphql';
import { callAll } from './call-back.ts';
import { writesOf } from './idempotency-keys.ts';
import { asSent } from './multipart.ts';
import { nextOf, type OutboxAction, OutboxFullError } from './outbox/action.ts';
import { createSender } from './outbox/sender.ts';
import { type ActionInput, createStore } from './outbox/store.ts';
import { hashOfDocuments, type PersistedOption } from './persisted.ts';
import { operationOf } from './request.ts';
import type { Session } from './session.ts';
import { newKey } from './writes.ts';

export { type ActionResult, type ActionState, type OutboxAction, OutboxFullError } from './outbox/action.ts';

export interface OutboxOptions extends PersistedOption {
  /** Whose actions these are: an id of the user with this API key, and never a credential. Each user has a separate outbox. */
  readonly user: string;
  /** Most actions that are not done. Default 100. */
  readonly maxActions?: number;
  /** Most bytes of the actions that are not done. Default 100 MiB. */
  readonly maxBytes?: number;
  /** IDEMPOTENCY_TTL_MS of the gateway: an action that was sent before is not sent again after this time (ms). Default 1 day. */
  readonly keyLifetimeMs?: number;
}

export interface AddOptions {
  /** What the user sees of the action. Default: the name of the operation. */
  readonly title?: string;
  /**
   * Actions with the same word depend on each other: one that was refused, or is unknown, holds back the later ones until
   * it is removed or sent again. Default: such an action holds back no other.
   */
  readonly sequence?: string;
}

export interface Outbox {
  /**
   * Stores a mutation of one write, and sends it when there is a network. Resolves when it is stored. An
   * `input.idempotencyKey` is added if there is none. Rejects with an `OutboxFullError` when a bound is reached.
   */
  add<Data, Variables extends { readonly input: object }>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    options?: AddOptions,
  ): Promise<OutboxAction>;
  /**
   * Sends an action that was refused, or is unknown, as a new one with a new key, in its old place. Call it for an unknown one
   * only when the user has seen at the service that it was not done. Resolves with false when it is in another state.
   */
  sendAgain(id: number): Promise<boolean>;
  /** Removes an action. Resolves with false when it is being sent. */
  remove(id: number): Promise<boolean>;
  /** Removes all actions of this user from the device, also those that are being sent: for example when the user signs out. */
  clear(): Promise<void>;
  /** Reads the actions, in the order in which they were added. */
  list(): Promise<readonly OutboxAction[]>;
  /** The actions as they were last read; none at first. Returns a new list after each change in any tab, the same one until then. */
  current(): readonly OutboxAction[];
  /** Calls back after each change; returns a function that stops it. */
  onChange(listener: () => void): () => void;
  /** Sends nothing more from this page. The actions stay on the device. */
  close(): void;
}

const defaults = {
  persisted: false,
  maxActions: 100,
  maxBytes: 100 * 1024 ** 2,
  keyLifetimeMs: 24 * 3_600_000,
};

const unsent: Omit<
  OutboxAction,
  'id' | 'idempotencyKey' | 'title' | 'operation' | 'sequence' | 'bytes' | 'addedAt'
> = {
  state: 'waiting',
  sentAt: undefined,
  refusedUntil: undefined,
  lostAttempts: 0,
  result: undefined,
  problems: [],
  errors: [],
};

/** Creates the outbox of a session. `url`: the gateway's address. Needs IndexedDB and Web Locks: a page with HTTPS, or of localhost. */
export function createOutbox(url: string, session: Session, options: OutboxOptions): Outbox {
  if (!globalThis.navigator?.locks || !globalThis.indexedDB)
    throw new Error('The outbox needs IndexedDB and Web Locks: a page with HTTPS, or of localhost.');
  const { user, persisted, maxActions, maxBytes, keyLifetimeMs } = { ...defaults, ...options };
  // Such as that of an account that is not loaded yet: all users would share one outbox.
  if (!user) throw new TypeError('"user" must be the id of a user.');
  const name = databaseOf(user);
  const store = createStore(name);
  const channel = new BroadcastChannel(name);
  const hashOf = hashOfDocuments(persisted);
  const listeners = new Set<() => void>();
  const closed = new AbortController();
  let current: readonly OutboxAction[] = [];
  const sender = createSender({
    url,
    session,
    persisted,
    store,
    lockName: name,
    keyLifetimeMs,
    onRead: show,
    onChange: publish,
  });

  function show(actions: readonly OutboxAction[]): void {
    if (closed.signal.aborted) return;
    current = actions;
    callAll(listeners);
  }

  /** After a change by this tab. */
  function publish(actions: readonly OutboxAction[]): void {
    if (!closed.signal.aborted) channel.postMessage(null);
    show(actions);
  }

  /** After a change by another tab, which may have been closed before it has sent. */
  function refresh(): void {
    void store.list().then(
      (actions) => {
        show(actions);
        sender.interruptUnlessIn(actions);
        if (nextOf(actions) && !sender.isAwake()) sender.wake();
      },
      // Without a database there is nothing to send, and `add` rejects.
      () => {},
    );
  }

  const { signal } = closed;
  channel.onmessage = refresh;
  globalThis.addEventListener('online', sender.wake, { signal });
  globalThis.addEventListener('offline', sender.interrupt, { signal });
  globalThis.document?.addEventListener('visibilitychange', refresh, { signal });
  refresh();

  return {
    async add(document, variables, { title, sequence } = {}) {
      const { key, keyed } = withKey(document, variables);
      const operation = getOperationAST(document)?.name?.value;
      const bytes = bytesOf(keyed);
      const actions = await store.change((before, changes) => {
        if (before.some(({ idempotencyKey }) => idempotencyKey === key)) return;
        const open = before.filter(({ state }) => state !== 'done');
        const openBytes = open.reduce((sum, action) => sum + action.bytes, bytes);
        if (open.length >= maxActions) throw new OutboxFullError('actions', maxActions);
        if (openBytes > maxBytes) throw new OutboxFullError('bytes', maxBytes);
        changes.putInput(key, { body: operationOf(document, hashOf), variables: keyed });
        changes.add({
          idempotencyKey: key,
          title: title ?? operation ?? '',
          operation,
          sequence,
          bytes,
          addedAt: Date.now(),
          ...unsent,
        });
      });
      publish(actions);
      sender.wake();
      return actions.find(({ idempotencyKey }) => idempotencyKey === key) as OutboxAction;
    },

    async sendAgain(id) {
      const earlier = (await store.list()).find((action) => action.id === id);
      const input = earlier && (await store.input(earlier.idempotencyKey));
      let isSent = false;
      const actions = await store.change((before, changes) => {
        const action = before.find((one) => one.id === id);
        if (!input || !action || (action.state !== 'refused' && action.state !== 'unknown')) return;
        isSent = true;
        const { key, variables } = renewed(input);
        changes.removeInput(action.idempotencyKey);
        changes.putInput(key, { ...input, variables });
        changes.put({ ...action, ...unsent, idempotencyKey: key });
      });
      publish(actions);
      sender.wake();
      return isSent;
    },

    async remove(id) {
      let isRemoved = false;
      const actions = await store.change((before, changes) => {
        const action = before.find((one) => one.id === id);
        if (!action || action.state === 'sent') return;
        isRemoved = true;
        changes.remove(action);
      });
      publish(actions);
      // The removed action may have held others back.
      sender.wake();
      return isRemoved;
    },

    async clear() {
      publish(await store.change((before, changes) => before.forEach(changes.remove)));
      sender.interrupt();
    },

    list: store.list,

    current: () => current,

    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    close() {
      closed.abort();
      channel.close();
      sender.close();
    },
  };
}

/** Whether this user has had an outbox on this device: it may have actions of an earlier visit. */
export async function hasOutbox(user: string): Promise<boolean> {
  const databases = await indexedDB.databases();
  return databases.some(({ name }) => name === databaseOf(user));
}

function databaseOf(user: string): string {
  return `folio-outbox:${user}`;
}

/** The variables with an idempotency key, after a check that the gateway can be asked about the action by this key alone. */
function withKey<Variables extends { readonly input: object }>(document: DocumentNode, variables: Variables) {
  const { input } = variables;
  const { idempotencyKey = newKey() } = (input ?? {}) as { readonly idempotencyKey?: string };
  // No database stores the proxies of reactive forms, and none the `toJSON` of a class.
  const plain = asSent({ ...variables, input: { ...input, idempotencyKey } }, (file) => file);
  const keyed = plain as ActionInput['variables'];
  const [write, ...others] = writesOf(document, keyed);
  const isOne = write?.keys.length === 1 && others.length === 0 && !Array.isArray(input);
  if (getOperationAST(document)?.operation !== 'mutation' || !isOne || write.keys[0] !== idempotencyKey)
    throw new TypeError(
      'An action must be a mutation with one field, whose "input" is the variable $input and not a list.',
    );
  if (write.name === 'exportDocuments')
    throw new TypeError(
      'An action must have an idempotency key, and exportDocuments takes none: send it directly.',
    );
  if (!/^[\w.:-]{8,128}$/.test(idempotencyKey))
    throw new TypeError('An idempotency key must be 8 to 128 letters, digits, "_", ".", ":" or "-".');
  if (!write.hasTypename) throw new TypeError('An action must select "__typename" of its result.');
  return { key: idempotencyKey, keyed };
}

function renewed({ variables }: ActionInput) {
  const key = newKey();
  return { key, variables: { ...variables, input: { ...variables.input, idempotencyKey: key } } };
}

function bytesOf(variables: object): number {
  let ofFiles = 0;
  const text = JSON.stringify(variables, (_name, value) => {
    if (!(value instanceof Blob)) return value;
    ofFiles += value.size;
    return null;
  });
  return new TextEncoder().encode(text).length + ofFiles;
}
