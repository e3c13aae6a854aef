import { useState } from 'react';
import { Panel } from '../shared/Panel.tsx';
import { useAddress } from '../shared/use-address.ts';
import { ViewHeader } from '../shared/ViewHeader.tsx';
import { referenceOf } from './reference.ts';
import { SearchForm } from './SearchForm.tsx';
import { ValidationResult } from './ValidationResult.tsx';
import './mexico.css';
import { t } from '../language/language.ts';
import { words } from './words.ts';

export function MexicoView() {
  const { shown, show } = useAddress('mexico');
  /** Searching for the same reference again is another search. */
  const [turn, setTurn] = useState(0);
  /** Kept while another view is shown. */
  const [last, setLast] = useState(shown);
  if (shown !== '' && shown !== last) setLast(shown);
  const by = referenceOf(last);
  return (
    <>
      <ViewHeader title={t(words.title)}>{t(words.about)}</ViewHeader>
      <div className="stack">
        <Panel title={t(words.document)}>
          <SearchForm
            shown={last}
            onSearch={(text) => {
              setTurn(turn + 1);
              setLast(text);
              show(text);
            }}
          />
        </Panel>
        {by && <ValidationResult key={`${turn} ${last}`} by={by} />}
      </div>
    </>
  );
}
