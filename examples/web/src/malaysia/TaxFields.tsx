import { Button } from '../shared/Button.tsx';
import { SelectField } from '../shared/SelectField.tsx';
import { TextField } from '../shared/TextField.tsx';
import { type TaxDraft, taxTypes } from './draft.ts';
import { useProblemsAt } from './problems.ts';

interface TaxFieldsProps {
  readonly tax: TaxDraft;
  readonly path: readonly string[];
  /** Label of the button that removes the tax. */
  readonly name: string;
  onChange(tax: TaxDraft): void;
  onRemove(): void;
}

export function TaxFields({ tax, path, name, onChange, onRemove }: TaxFieldsProps) {
  const problems = useProblemsAt([...path, 'amount']);
  return (
    <div className="tax">
      <SelectField
        label="Tax"
        value={tax.type}
        options={taxTypes}
        onChange={(type) => onChange({ ...tax, type })}
      />
      <TextField
        label="Tax amount"
        value={tax.amount}
        placeholder="0.00"
        inputMode="decimal"
        problems={problems}
        onChange={(amount) => onChange({ ...tax, amount })}
      />
      <div className="line-actions">
        <Button tone="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </div>
  );
}
