/** The outbox of `@folio/client/outbox` as a hook. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Outbox, OutboxAction } from '../outbox.ts';

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
