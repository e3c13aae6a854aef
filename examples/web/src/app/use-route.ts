import { useSyncExternalStore } from 'react';
import { type ViewName, viewOfHash } from './views.ts';

export function useRoute(): ViewName {
  return useSyncExternalStore(subscribe, () => viewOfHash(window.location.hash));
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}
