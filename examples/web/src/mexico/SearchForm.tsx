import { useState } from 'react';
import { Button } from '../shared/Button.tsx';
import { localError, type Problem } from '../shared/problem.ts';
import { TextField } from '../shared/TextField.tsx';
import { referenceOf } from './reference.ts';

/** Documents of the sandbox, with their results. */
const samples = [
  ['1001', 'valid'],
  ['1002', 'cancelled'],
  ['1003', 'valid in the second run'],
  ['1004', 'schema'],
  ['1005', 'issuer on list 69-B'],
  ['1999', 'never validated'],
] as const;

const neither = localError(
  'reference',
  [],
  'This is neither a document id (digits) nor a Folio Fiscal (8-4-4-4-12 hexadecimal digits).',
);

interface SearchFormProps {
  /** The reference that is shown. */
  readonly initial: string;
  /** Called with a document id or a Folio Fiscal. */
  onSearch(reference: string): void;
}

export function SearchForm({ initial, onSearch }: SearchFormProps) {
  const [typed, setTyped] = useState(initial);
  const [problems, setProblems] = useState<readonly Problem[]>([]);

  function search(text: string) {
    const by = referenceOf(text);
    setTyped(text);
    setProblems(by === null ? [neither] : []);
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
          label="Document id or Folio Fiscal"
          value={typed}
          placeholder="1002 or 8D27E6B4-19C0-0F3B-E5A8-4C5D6E7F1002"
          problems={problems}
          onChange={setTyped}
        />
        <Button type="submit" tone="primary">
          Search
        </Button>
      </div>
      <div className="row">
        <span className="hint">In the sandbox:</span>
        {samples.map(([documentId, fate]) => (
          <Button key={documentId} onClick={() => search(documentId)}>
            {documentId} <span className="muted">{fate}</span>
          </Button>
        ))}
      </div>
    </form>
  );
}
