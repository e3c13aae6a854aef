import { t } from '../language/language.ts';
import { words } from './words.ts';

interface Totals {
  readonly amountExclTax: string;
  readonly taxAmount: string;
  readonly amountInclTax: string;
}

/** The exact sums of the lines; null: not computed yet. */
export function ComputedTotals({ totals }: { readonly totals: Totals | null }) {
  return (
    <dl className="totals">
      <div>
        <dt>{t(words.withoutTax)}</dt>
        <dd>{totals?.amountExclTax ?? '–'}</dd>
      </div>
      <div>
        <dt>{t(words.tax)}</dt>
        <dd>{totals?.taxAmount ?? '–'}</dd>
      </div>
      <div className="totals-sum">
        <dt>{t(words.withTax)}</dt>
        <dd>{totals?.amountInclTax ?? '–'}</dd>
      </div>
    </dl>
  );
}
