/** Hooks for React: live statuses, writes with their progress and outcome, and the outbox of `@folio/client/outbox`. */
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Folio } from './folio.ts';
import type { ImportMalaysiaInvoiceInput } from './gql/graphql.ts';
import type { LiveStatus } from './live-statuses.ts';
import type { Outbox, OutboxAction } from './outbox.ts';
import type { Exported, Imported, Scanned, ScanOptions, Written } from './writes.ts';

const FolioContext = createContext<Folio | null>(null);

/** `<FolioProvider value={createFolio(url, session)}>`: another session needs another value. */
export const FolioProvider: typeof FolioContext.Provider = FolioContext.Provider;

export function useFolio(): Folio {
  const folio = useContext(FolioContext);
  if (folio === null) throw new Error('The hook needs a <FolioProvider> above it.');
  return folio;
}

/** The current status of each document by its id, of any number of documents; one without an entry is not known yet. */
export function useLiveStatuses(documentIds: readonly string[]): ReadonlyMap<string, LiveStatus> {
  const folio = useFolio();
  const [live, setLive] = useState(() => ({ folio, store: folio.liveStatuses() }));
  if (live.folio !== folio) setLive({ folio, store: folio.liveStatuses() });
  const { store } = live;
  const ids = JSON.stringify(documentIds);
  useEffect(() => store.set(JSON.parse(ids)), [store, ids]);
  useEffect(() => () => store.set([]), [store]);
  return useSyncExternalStore(store.onChange, store.current, store.current);
}

export interface Write<Parameters extends unknown[], Outcome> {
  /** Sends it. Resolves with what `outcome` is from then on. Rejects when the input cannot be sent, such as one with a BigInt. */
  readonly run: (...parameters: Parameters) => Promise<Outcome>;
  readonly isRunning: boolean;
  /** Of the last run; undefined before, and while it runs. */
  readonly outcome: Outcome | undefined;
}

export interface ScanWrite extends Write<[file: File, options: ScanOptions], Written<Scanned>> {
  /** The part of the file of the last run that was sent, from 0 to 1. */
  readonly sent: number;
}

export function useScan(): ScanWrite {
  const folio = useFolio();
  const [progress, setProgress] = useState({ of: folio, sent: 0 });
  const last = useRef<object>(undefined);
  const scan = useCallback(
    (file: File, options: ScanOptions) => {
      const own = {};
      last.current = own;
      setProgress({ of: folio, sent: 0 });
      const onProgress = (sentBytes: number, totalBytes: number) => {
        if (last.current === own) setProgress({ of: folio, sent: sentBytes / totalBytes });
        options.onProgress?.(sentBytes, totalBytes);
      };
      return folio.scan(file, { ...options, onProgress });
    },
    [folio],
  );
  // That of another session must not be shown to the user of this one.
  return { ...useWrite(scan), sent: progress.of === folio ? progress.sent : 0 };
}

export function useImport(): Write<[inputs: readonly ImportMalaysiaInvoiceInput[]], Written<Imported>[]> {
  return useWrite(useFolio().importInvoices);
}

export function useExport(): Write<[documentIds?: readonly string[]], Written<Exported>> {
  return useWrite(useFolio().exportDocuments);
}

function useWrite<Parameters extends unknown[], Outcome>(
  send: (...parameters: Parameters) => Promise<Outcome>,
): Write<Parameters, Outcome> {
  const [state, setState] = useState<{ of: typeof send; isRunning: boolean; outcome?: Outcome }>({
    of: send,
    isRunning: false,
  });
  // What another session has written must not be shown to the user of this one.
  if (state.of !== send) setState({ of: send, isRunning: false });
  const last = useRef<object>(undefined);
  const run = useCallback(
    async (...parameters: Parameters) => {
      const own = {};
      last.current = own;
      setState({ of: send, isRunning: true });
      const end = (written?: { readonly outcome: Outcome }) => {
        if (last.current === own)
          setState((before) => (before.of === send ? { of: send, isRunning: false, ...written } : before));
      };
      try {
        const outcome = await send(...parameters);
        end({ outcome });
        return outcome;
      } catch (error) {
        end();
        throw error;
      }
    },
    [send],
  );
  return { run, isRunning: state.isRunning, outcome: state.outcome };
}

const OutboxContext = createContext<Outbox | null>(null);

/** `<OutboxProvider value={createOutbox(url, session, { user })}>`. Pass another outbox for another session. */
export const OutboxProvider: typeof OutboxContext.Provider = OutboxContext.Provider;

export interface UsedOutbox extends Outbox {
  /** The actions in the order in which they were added; the component is rendered again after each change in any tab. */
  readonly actions: readonly OutboxAction[];
}

export function useOutbox(): UsedOutbox {
  const outbox = useContext(OutboxContext);
  if (outbox === null) throw new Error('The hook needs an <OutboxProvider> above it.');
  const actions = useSyncExternalStore(outbox.onChange, outbox.current, outbox.current);
  return { ...outbox, actions };
}
