import { sharedText, t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { TextField } from '../shared/TextField.tsx';
import { type LineDraft, newTax } from './draft.ts';
import { useProblemsAt } from './problems.ts';
import { TaxFields } from './TaxFields.tsx';
import { words } from './words.ts';

interface LineFieldsProps {
  readonly line: LineDraft;
  readonly index: number;
  onChange(line: LineDraft): void;
  onRemove(): void;
}

export function LineFields({ line, index, onChange, onRemove }: LineFieldsProps) {
  const { amountExclTax, taxes } = line;
  const problems = useProblemsAt(['invoice', 'lines', String(index), 'amountExclTax']);
  const number = index + 1;
  return (
    <fieldset className="line">
      <legend>{t(words.line, { number })}</legend>
      <div className="line-amount">
        <TextField
          label={sharedText('field.amountExclTax')}
          value={amountExclTax}
          placeholder="0.00"
          inputMode="decimal"
          problems={problems}
          onChange={(amount) => onChange({ ...line, amountExclTax: amount })}
        />
        <div className="line-actions">
          <Button onClick={() => onChange({ ...line, taxes: [...taxes, newTax()] })}>
            {t(words.addTax)}
          </Button>
          <Button tone="quiet" aria-label={t(words.removeLine, { number })} onClick={onRemove}>
            {t(words.remove)}
          </Button>
        </div>
      </div>
      {taxes.map((tax, taxIndex) => (
        <TaxFields
          key={tax.id}
          tax={tax}
          path={['invoice', 'lines', String(index), 'taxes', String(taxIndex)]}
          removeLabel={t(words.removeTax, { tax: taxIndex + 1, line: number })}
          onChange={(changed) => onChange({ ...line, taxes: taxes.with(taxIndex, changed) })}
          onRemove={() => onChange({ ...line, taxes: taxes.toSpliced(taxIndex, 1) })}
        />
      ))}
    </fieldset>
  );
}
