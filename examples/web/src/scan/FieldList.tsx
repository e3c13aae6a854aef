import { useState } from 'react';
import type { CardFieldFragment } from '../graphql/graphql.ts';
import { t } from '../language/language.ts';
import { inUsualOrder, shownPage } from './card.ts';
import { FieldValue } from './FieldValue.tsx';
import { words } from './words.ts';

interface FieldListProps {
  readonly fields: readonly CardFieldFragment[];
  /** Whether there is a picture to show boxes on. */
  readonly canLight: boolean;
  readonly litKey: string | null;
  onLight(key: string | null): void;
}

/** Hovering or focusing a field highlights its box; pressing the field keeps the box highlighted. */
export function FieldList({ fields, canLight, litKey, onLight }: FieldListProps) {
  const [keptKey, setKeptKey] = useState<string | null>(null);
  return (
    <ul className="card-fields">
      {inUsualOrder(fields).map((field) => {
        const { key, label, matches } = field;
        const page = matches[0]?.page ?? shownPage;
        const hasBox = canLight && matches[0]?.valueBox != null && page === shownPage;
        const content = (
          <>
            <span className="card-field-label">{label ?? key}</span>
            <FieldValue field={field} />
            {page !== shownPage && <span className="hint">{t(words.onPage, { page: page + 1 })}</span>}
          </>
        );
        return (
          <li key={key}>
            {hasBox ? (
              <button
                type="button"
                className={litKey === key ? 'card-field card-field-lit' : 'card-field'}
                aria-pressed={keptKey === key}
                onPointerEnter={() => onLight(key)}
                onPointerLeave={() => onLight(keptKey)}
                onFocus={() => onLight(key)}
                onBlur={() => onLight(keptKey)}
                onClick={() => {
                  const kept = keptKey === key ? null : key;
                  setKeptKey(kept);
                  onLight(kept ?? key);
                }}
              >
                {content}
              </button>
            ) : (
              <div className="card-field">{content}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
