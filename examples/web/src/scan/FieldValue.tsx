import type { CardFieldFragment } from '../graphql/graphql.ts';
import { t } from '../language/language.ts';
import { localDate } from '../shared/dates.ts';
import { words } from './words.ts';

/** A date in the reader's locale above the printed text; any other value as text. */
export function FieldValue({ field: { type, text, date } }: { readonly field: CardFieldFragment }) {
  if (text === null) return <span className="card-field-missing">{t(words.notFound)}</span>;
  if (date !== null) {
    return (
      <span className="card-field-value">
        <time dateTime={date}>{localDate(date)}</time>
        <span className="hint">{t(words.printed, { text })}</span>
      </span>
    );
  }
  return (
    <span className="card-field-value">
      {text}
      {type === 'Date' && <span className="hint">{t(words.notCertainlyDate)}</span>}
    </span>
  );
}
