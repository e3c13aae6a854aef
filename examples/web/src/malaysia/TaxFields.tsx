import { sharedText, t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { SelectField } from '../shared/SelectField.tsx';
import { TextField } from '../shared/TextField.tsx';
import { type TaxDraft, taxTypes } from './draft.ts';
import { useProblemsAt } from './problems.ts';
import { words } from './words.ts';

interface TaxFieldsProps {
  readonly tax: TaxDraft;
  readonly path: readonly string[];
  /** Label of the button that removes the tax. */
  readonly removeLabel: string;
  onChange(tax: TaxDraft): void;
  onRemove(): void;
}

const taxNames = { SALES_TAX: words.salesTax, SERVICE_TAX: words.serviceTax };

export function TaxFields({ tax, path, removeLabel, onChange, onRemove }: TaxFieldsProps) {
  const problems = useProblemsAt([...path, 'amount']);
  return (
    <div className="tax">
      <SelectField
        label={sharedText('field.type')}
        value={tax.type}
        options={taxTypes.map((type) => [type, t(taxNames[type])])}
        onChange={(type) => onChange({ ...tax, type })}
      />
      <TextField
        label={sharedText('field.amount')}
        value={tax.amount}
        placeholder="0.00"
        inputMode="decimal"
        problems={problems}
        onChange={(amount) => onChange({ ...tax, amount })}
      />
      <div className="line-actions">
        <Button tone="quiet" aria-label={removeLabel} onClick={onRemove}>
          {t(words.remove)}
        </Button>
      </div>
    </div>
  );
}
