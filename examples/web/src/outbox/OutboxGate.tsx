import { createOutbox, hasOutbox, type Outbox } from '@folio/client/outbox';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { useCredentials } from '../credentials/credentials.ts';
import { gatewayUrl, sessionOf } from '../gateway/gateway.ts';

interface OutboxState {
  /** null: the user has not asked for one on this device. */
  readonly outbox: Outbox | null;
  /** Stores scans on this device from now on. */
  open(): void;
}

const OutboxContext = createContext<OutboxState | null>(null);

/** The outbox of the caller, above the views: it also sends while another view is shown. */
export function OutboxGate({ children }: { readonly children: ReactNode }) {
  const { credentials } = useCredentials();
  const { apiKey } = credentials;
  /** The API key of the caller who has asked for it. */
  const [wantedBy, setWantedBy] = useState('');
  const isWanted = wantedBy === apiKey;
  const [outbox, setOutbox] = useState<Outbox | null>(null);

  useEffect(() => {
    if (credentials.apiKey === '') return;
    let close = () => {};
    let isOver = false;
    void userOf(credentials.apiKey).then(async (user) => {
      if (!(isWanted || (await hasOutbox(user))) || isOver) return;
      const opened = createOutbox(gatewayUrl(), sessionOf(credentials), { user, persisted: true });
      setOutbox(opened);
      close = opened.close;
    });
    return () => {
      isOver = true;
      close();
      setOutbox(null);
    };
  }, [credentials, isWanted]);

  const state = useMemo(() => ({ outbox, open: () => setWantedBy(apiKey) }), [outbox, apiKey]);
  return <OutboxContext value={state}>{children}</OutboxContext>;
}

export function useOutboxState(): OutboxState {
  const state = use(OutboxContext);
  if (state === null) throw new Error('OutboxGate is missing above this component.');
  return state;
}

/** A name for the user: this example has no login, so it is derived from the key. With a login, it is the id of the account. */
async function userOf(apiKey: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`outbox of ${apiKey}`));
  return [...new Uint8Array(digest, 0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
