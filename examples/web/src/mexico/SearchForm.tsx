import { useState } from 'react';
import { t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { localError } from '../shared/problem.ts';
import { TextField } from '../shared/TextField.tsx';
import { referenceOf } from './reference.ts';
import { words } from './words.ts';

/** Documents of the sandbox, with their results. */
const samples = [
  ['1001', words.sampleValid],
  ['1002', words.sampleCancelled],
  ['1003', words.sampleSecondRun],
  ['1004', words.sampleSchema],
  ['1005', words.sampleListed],
  ['1999', words.sampleNever],
] as const;

interface SearchFormProps {
  /** The reference that is shown below; the field follows it. */
  readonly shown: string;
  /** Called with a document id or a Folio Fiscal. */
  onSearch(reference: string): void;
}

export function SearchForm({ shown, onSearch }: SearchFormProps) {
  const [typed, setTyped] = useState(shown);
  const [isNeither, setNeither] = useState(false);
  const [followed, setFollowed] = useState(shown);
  // Not with a key: its new field would not have the focus.
  if (followed !== shown) {
    setFollowed(shown);
    setTyped(shown);
    setNeither(false);
  }

  function search(text: string) {
    const by = referenceOf(text);
    setTyped(text);
    setNeither(by === null);
    if (by !== null) onSearch(text.trim());
  }

  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        search(typed);
      }}
    >
      <div className="mexico-search">
        <TextField
          label={t(words.reference)}
          value={typed}
          placeholder={t(words.or, { one: '1002', other: '8D27E6B4-19C0-0F3B-E5A8-4C5D6E7F1002' })}
          problems={isNeither ? [localError('reference', [], t(words.neither))] : []}
          onChange={setTyped}
        />
        <Button type="submit" tone="primary">
          {t(words.search)}
        </Button>
      </div>
      <div className="row">
        <span className="hint">{t(words.inSandbox)}</span>
        {samples.map(([documentId, fate]) => (
          <Button key={documentId} onClick={() => search(documentId)}>
            {documentId} <span className="muted">{t(fate)}</span>
          </Button>
        ))}
      </div>
    </form>
  );
}
