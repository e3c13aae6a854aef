import { Activity, useEffect, useRef, useState } from 'react';
import { CredentialsBar } from '../credentials/CredentialsBar.tsx';
import { SandboxDrawer } from '../sandbox/SandboxDrawer.tsx';
import { Navigation } from './Navigation.tsx';
import { useRoute } from './use-route.ts';
import { type ViewName, views } from './views.ts';
import './shell.css';
import { LanguageChoice } from '../language/LanguageChoice.tsx';
import { languageTag, t } from '../language/language.ts';
import { words } from './words.ts';

interface ShellProps {
  /** Changes with the caller: each view is then mounted again. */
  readonly caller: number;
}

/** An opened view stays mounted when another one is shown, and keeps its input. */
export function Shell({ caller }: ShellProps) {
  const current = useRoute();
  const language = languageTag();
  const [opened, setOpened] = useState<ReadonlySet<ViewName>>(() => new Set([current]));
  if (!opened.has(current)) setOpened(new Set([...opened, current]));

  const main = useRef<HTMLElement>(null);
  const previous = useRef(current);
  useEffect(() => {
    document.title = `${t(words[current])} · Folio`;
    document.documentElement.lang = language;
    if (previous.current === current) return;
    previous.current = current;
    window.scrollTo({ top: 0 });
    main.current?.querySelector<HTMLElement>(`[data-view="${current}"] h1`)?.focus({ preventScroll: true });
  }, [current, language]);

  return (
    <div className="shell">
      <button type="button" className="skip-link" onClick={() => main.current?.focus()}>
        {t(words.skip)}
      </button>
      <Navigation current={current} />
      <div className="shell-page">
        <header className="shell-bar">
          <CredentialsBar />
          <div className="shell-tools">
            <SandboxDrawer />
            <LanguageChoice />
          </div>
        </header>
        <main ref={main} id="main" tabIndex={-1}>
          {views
            .filter(({ name }) => opened.has(name))
            .map(({ name, View }) => (
              <Activity key={name} mode={name === current ? 'visible' : 'hidden'}>
                <div className="view" data-view={name}>
                  <View key={caller} />
                </div>
              </Activity>
            ))}
        </main>
      </div>
    </div>
  );
}
