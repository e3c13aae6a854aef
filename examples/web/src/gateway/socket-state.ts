import type { ClientOptions } from 'graphql-ws';

/** `closed`: no subscription needs a socket; `lost`: one does, and the client is reconnecting. */
export type SocketWord = 'closed' | 'connecting' | 'open' | 'lost';

/** State of the WebSocket, for `useSyncExternalStore`. */
export interface SocketState {
  readonly listeners: NonNullable<ClientOptions['on']>;
  readonly current: () => SocketWord;
  readonly subscribe: (onChange: () => void) => () => void;
}

const normalClosure = 1000;

export function createSocketState(): SocketState {
  let current: SocketWord = 'closed';
  const observers = new Set<() => void>();
  const become = (next: SocketWord) => {
    current = next;
    for (const observer of observers) observer();
  };
  return {
    listeners: {
      connecting: (isRetry) => become(isRetry ? 'lost' : 'connecting'),
      connected: () => become('open'),
      closed: (event) => become((event as CloseEvent).code === normalClosure ? 'closed' : 'lost'),
    },
    current: () => current,
    subscribe(onChange) {
      observers.add(onChange);
      return () => observers.delete(onChange);
    },
  };
}
