import { useSyncExternalStore } from 'react';

/** Whether the browser has a network. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

function subscribe(onChange: () => void): () => void {
  const stop = new AbortController();
  for (const event of ['online', 'offline'])
    window.addEventListener(event, onChange, { signal: stop.signal });
  return () => stop.abort();
}
