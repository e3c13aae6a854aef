import { createContext, type ReactNode, use, useMemo, useSyncExternalStore } from 'react';
import { Provider } from 'urql';
import { useCredentials } from '../credentials/credentials.ts';
import { createGateway, type Gateway } from './gateway.ts';
import type { SocketWord } from './socket-state.ts';

const GatewayContext = createContext<Gateway | null>(null);

export function GatewayProvider({ children }: { readonly children: ReactNode }) {
  const { credentials } = useCredentials();
  const gateway = useMemo(() => createGateway(credentials), [credentials]);
  return (
    <GatewayContext value={gateway}>
      <Provider value={gateway.client}>{children}</Provider>
    </GatewayContext>
  );
}

export function useGateway(): Gateway {
  const gateway = use(GatewayContext);
  if (gateway === null) throw new Error('GatewayProvider is missing above this component.');
  return gateway;
}

export function useSocketWord(): SocketWord {
  const { socketState } = useGateway();
  return useSyncExternalStore(socketState.subscribe, socketState.current);
}
