import { useState } from 'react';
import type { MexicoValidationReference } from '../graphql/graphql.ts';
import { Panel } from '../shared/Panel.tsx';
import { ViewHeader } from '../shared/ViewHeader.tsx';
import { SearchForm } from './SearchForm.tsx';
import { ValidationResult } from './ValidationResult.tsx';
import './mexico.css';

interface Search {
  readonly by: MexicoValidationReference;
  /** Searching for the same reference again is another search. */
  readonly turn: number;
}

export function MexicoView() {
  const [search, setSearch] = useState<Search | null>(null);
  return (
    <>
      <ViewHeader title="Mexico: validation of a CFDI">
        The latest stored validation of a document. Reading it does not start a new one.
      </ViewHeader>
      <div className="stack">
        <Panel title="Which document">
          <SearchForm onSearch={(by) => setSearch({ by, turn: (search?.turn ?? 0) + 1 })} />
        </Panel>
        {search && <ValidationResult key={search.turn} by={search.by} />}
      </div>
    </>
  );
}
