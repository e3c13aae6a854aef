import type { Socket } from '@folio/client';

/** `closed`: no subscription needs a socket; `lost`: one does, and the client is reconnecting. */
export type SocketWord = 'closed' | 'connecting' | 'open' | 'lost';

/** State of the WebSocket, for `useSyncExternalStore`. */
export interface SocketState {
  readonly current: () => SocketWord;
  readonly subscribe: (onChange: () => void) => () => void;
}

const normalClosure = 1000;

export function createSocketState(socket: Socket): SocketState {
  let current: SocketWord = 'closed';
  const observers = new Set<() => void>();
  const become = (next: SocketWord) => {
    current = next;
    for (const observer of observers) observer();
  };
  socket.on('connecting', (isRetry) => become(isRetry === true ? 'lost' : 'connecting'));
  socket.on('connected', () => become('open'));
  socket.on('closed', (event) => become((event as CloseEvent).code === normalClosure ? 'closed' : 'lost'));
  return {
    current: () => current,
    subscribe(onChange) {
      observers.add(onChange);
      return () => observers.delete(onChange);
    },
  };
}
