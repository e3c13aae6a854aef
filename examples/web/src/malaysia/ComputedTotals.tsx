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
        <dt>Without tax</dt>
        <dd>{totals?.amountExclTax ?? '–'}</dd>
      </div>
      <div>
        <dt>Tax</dt>
        <dd>{totals?.taxAmount ?? '–'}</dd>
      </div>
      <div className="totals-sum">
        <dt>With tax</dt>
        <dd>{totals?.amountInclTax ?? '–'}</dd>
      </div>
    </dl>
  );
}
