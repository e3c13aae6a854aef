import { apiKeyHeader } from '@folio/client';
import { useEffect, useState } from 'react';
import { activeFaults } from '../sandbox/controls.ts';
import { Button } from '../shared/Button.tsx';
import { CredentialInput } from './CredentialInput.tsx';
import { type Credentials, isSendable, sandboxCredentials, useCredentials } from './credentials.ts';
import './credentials.css';
import { t } from '../language/language.ts';
import { words } from './words.ts';

/** Credentials take effect when the field loses the focus, so that no half-typed key is sent. */
export function CredentialsBar() {
  const { credentials, setCredentials } = useCredentials();
  const [typed, setTyped] = useState(credentials);
  const [isShown, setShown] = useState(false);

  // With the embedded sandbox nothing has to be typed.
  useEffect(() => {
    const fillIn = (typed: Credentials) =>
      typed.apiKey === '' && typed.authorization === '' ? sandboxCredentials : typed;
    activeFaults().then(
      (faults) => faults && setTyped(fillIn),
      () => {},
    );
  }, []);
  useEffect(() => {
    if (typed === sandboxCredentials) setCredentials(sandboxCredentials);
  }, [typed, setCredentials]);

  function use(next: Credentials) {
    setTyped(next);
    const isChanged = next.apiKey !== credentials.apiKey || next.authorization !== credentials.authorization;
    if (isChanged && isSendable(next.apiKey) && isSendable(next.authorization)) setCredentials(next);
  }

  return (
    <form
      className="credentials"
      aria-label={t(words.credentials)}
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        use(typed);
      }}
    >
      <CredentialInput
        id="api-key"
        label={apiKeyHeader}
        placeholder={sandboxCredentials.apiKey}
        value={typed.apiKey}
        isShown={isShown}
        onChange={(apiKey) => setTyped({ ...typed, apiKey })}
        onLeave={() => use(typed)}
      />
      <CredentialInput
        id="authorization"
        label="Authorization"
        placeholder={sandboxCredentials.authorization}
        value={typed.authorization}
        isShown={isShown}
        onChange={(authorization) => setTyped({ ...typed, authorization })}
        onLeave={() => use(typed)}
      />
      <div className="credentials-actions">
        <Button tone="quiet" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {t(isShown ? words.hide : words.show)}
        </Button>
        <Button onClick={() => use(sandboxCredentials)}>{t(words.useSandbox)}</Button>
      </div>
    </form>
  );
}
