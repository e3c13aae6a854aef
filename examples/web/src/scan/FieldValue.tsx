import type { CardFieldFragment } from '../graphql/graphql.ts';
import { localDate } from '../shared/dates.ts';

/** A date in the reader's locale above the printed text; any other value as text. */
export function FieldValue({ field: { type, text, date } }: { readonly field: CardFieldFragment }) {
  if (text === null) return <span className="card-field-missing">Not found</span>;
  if (date !== null) {
    return (
      <span className="card-field-value">
        <time dateTime={date}>{localDate(date)}</time>
        <span className="hint"> printed {text}</span>
      </span>
    );
  }
  return (
    <span className="card-field-value">
      {text}
      {type === 'Date' && <span className="hint"> not certainly a date</span>}
    </span>
  );
}
