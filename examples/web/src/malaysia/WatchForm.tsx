import { useState } from 'react';
import { Button } from '../shared/Button.tsx';
import { TextField } from '../shared/TextField.tsx';

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
      <TextField label="Watch another document" value={typed} placeholder="5002" onChange={setTyped} />
      <Button type="submit">Watch</Button>
    </form>
  );
}
