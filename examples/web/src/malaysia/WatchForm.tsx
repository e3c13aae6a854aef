import { useState } from 'react';
import { t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { TextField } from '../shared/TextField.tsx';
import { words } from './words.ts';

/** Adds a document that was imported elsewhere. */
export function WatchForm({ onWatch }: { onWatch(documentId: string): void }) {
  const [typed, setTyped] = useState('');
  return (
    <form
      className="watch-form"
      onSubmit={(event) => {
        event.preventDefault();
        const documentId = typed.trim();
        if (documentId === '') return;
        onWatch(documentId);
        setTyped('');
      }}
    >
      <TextField label={t(words.watchAnother)} value={typed} placeholder="5002" onChange={setTyped} />
      <Button type="submit">{t(words.watch)}</Button>
    </form>
  );
}
