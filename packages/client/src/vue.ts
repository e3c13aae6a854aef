/** Composables for Vue: live statuses, writes with their progress and outcome, and the outbox of `@folio/client/outbox`. */
import {
  type App,
  inject,
  type MaybeRefOrGetter,
  onScopeDispose,
  type Ref,
  ref,
  type ShallowRef,
  shallowRef,
  toValue,
  watchEffect,
} from 'vue';
import type { Folio } from './folio.ts';
import type { ImportMalaysiaInvoiceInput } from './gql/graphql.ts';
import type { LiveStatus } from './live-statuses.ts';
import type { Outbox, OutboxAction } from './outbox.ts';
import type { Exported, Imported, Scanned, ScanOptions, Written } from './writes.ts';

const folioKey = Symbol('folio');

/** `app.use(folioPlugin, createFolio(url, session))`, once: Vue ignores a second one, so another session needs another app. */
export const folioPlugin: { install(app: App, folio: Folio): void } = {
  install: (app, folio) => void app.provide(folioKey, folio),
};

export function useFolio(): Folio {
  const folio = inject<Folio>(folioKey);
  if (!folio) throw new Error('The composable needs app.use(folioPlugin, folio).');
  return folio;
}

/** The current status of each document by its id, of any number of documents; one without an entry is not known yet. */
export function useLiveStatuses(
  documentIds: MaybeRefOrGetter<readonly string[]>,
): Readonly<ShallowRef<ReadonlyMap<string, LiveStatus>>> {
  const store = useFolio().liveStatuses();
  const statuses = shallowRef(store.current());
  const stop = store.onChange(() => {
    statuses.value = store.current();
  });
  // After the component is mounted: a server that renders it mounts nothing, and would watch for ever.
  watchEffect(() => store.set(toValue(documentIds)), { flush: 'post' });
  onScopeDispose(() => {
    stop();
    store.set([]);
  });
  return statuses;
}

export interface Write<Parameters extends unknown[], Outcome> {
  /** Sends it. Resolves with what `outcome` is from then on. Rejects when the input cannot be sent, such as one with a BigInt. */
  readonly run: (...parameters: Parameters) => Promise<Outcome>;
  readonly isRunning: Readonly<Ref<boolean>>;
  /** Of the last run; undefined before, and while it runs. */
  readonly outcome: Readonly<ShallowRef<Outcome | undefined>>;
}

export interface ScanWrite extends Write<[file: File, options: ScanOptions], Written<Scanned>> {
  /** The part of the file of the last run that was sent, from 0 to 1. */
  readonly sent: Readonly<Ref<number>>;
}

export function useScan(): ScanWrite {
  const folio = useFolio();
  const sent = ref(0);
  let last = {};
  const write = writeOf((file: File, options: ScanOptions) => {
    const own = {};
    last = own;
    sent.value = 0;
    const onProgress = (sentBytes: number, totalBytes: number) => {
      if (last === own) sent.value = sentBytes / totalBytes;
      options.onProgress?.(sentBytes, totalBytes);
    };
    return folio.scan(file, { ...options, onProgress });
  });
  return { ...write, sent };
}

export function useImport(): Write<[inputs: readonly ImportMalaysiaInvoiceInput[]], Written<Imported>[]> {
  return writeOf(useFolio().importInvoices);
}

export function useExport(): Write<[documentIds?: readonly string[]], Written<Exported>> {
  return writeOf(useFolio().exportDocuments);
}

function writeOf<Parameters extends unknown[], Outcome>(
  send: (...parameters: Parameters) => Promise<Outcome>,
): Write<Parameters, Outcome> {
  const isRunning = ref(false);
  const outcome = shallowRef<Outcome>();
  let runs = 0;
  async function run(...parameters: Parameters): Promise<Outcome> {
    runs += 1;
    const number = runs;
    isRunning.value = true;
    outcome.value = undefined;
    try {
      const found = await send(...parameters);
      if (number === runs) outcome.value = found;
      return found;
    } finally {
      if (number === runs) isRunning.value = false;
    }
  }
  return { run, isRunning, outcome };
}

const outboxKey = Symbol('outbox');

/** `app.use(outboxPlugin, createOutbox(url, session, { user }))`, once: another session needs another app, as for `folioPlugin`. */
export const outboxPlugin: { install(app: App, outbox: Outbox): void } = {
  install: (app, outbox) => void app.provide(outboxKey, outbox),
};

export interface UsedOutbox extends Outbox {
  /** The actions in the order in which they were added, after each change in any tab. */
  readonly actions: Readonly<ShallowRef<readonly OutboxAction[]>>;
}

export function useOutbox(): UsedOutbox {
  const outbox = inject<Outbox>(outboxKey);
  if (!outbox) throw new Error('The composable needs app.use(outboxPlugin, outbox).');
  const actions = shallowRef(outbox.current());
  onScopeDispose(
    outbox.onChange(() => {
      actions.value = outbox.current();
    }),
  );
  return { ...outbox, actions };
}
