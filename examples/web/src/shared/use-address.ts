import { useCallback, useSyncExternalStore } from 'react';

/**
 * What a view shows, in the address behind its name (`#/mexico/1002`), so that it survives a reload and can be sent to
 * others. Ids are not secret. `show` adds an entry to the history, `replace` does not.
 */
export function useAddress(view: string) {
  const shown = useSyncExternalStore(subscribe, () => shownAt(view));
  const show = useCallback(
    (what: string) => {
      if (what !== shownAt(view)) window.location.hash = hashFor(view, what);
    },
    [view],
  );
  const replace = useCallback((what: string) => history.replaceState(null, '', hashFor(view, what)), [view]);
  return { shown, show, replace };
}

function hashFor(view: string, what: string): string {
  return what === '' ? `#/${view}` : `#/${view}/${encodeURIComponent(what)}`;
}

function shownAt(view: string): string {
  const [, name, what = ''] = window.location.hash.split('/');
  return name === view ? decoded(what) : '';
}

/** An address that was typed may be malformed. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}
