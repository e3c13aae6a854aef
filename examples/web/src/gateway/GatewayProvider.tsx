import { createContext, type ReactNode, use, useMemo, useSyncExternalStore } from 'react';
import { Provider } from 'urql';
import { useCredentials } from '../credentials/credentials.ts';
import { createGateway } from './gateway.ts';
import type { SocketState, SocketWord } from './socket-state.ts';

const SocketStateContext = createContext<SocketState | null>(null);

export function GatewayProvider({ children }: { readonly children: ReactNode }) {
  const { credentials } = useCredentials();
  const gateway = useMemo(() => createGateway(credentials), [credentials]);
  return (
    <SocketStateContext value={gateway.socketState}>
      <Provider value={gateway.client}>{children}</Provider>
    </SocketStateContext>
  );
}

export function useSocketWord(): SocketWord {
  const state = use(SocketStateContext);
  if (state === null) throw new Error('GatewayProvider is missing above this component.');
  return useSyncExternalStore(state.subscribe, state.current);
}
