import { sharedText } from '../language/language.ts';
import { TextField } from '../shared/TextField.tsx';
import type { PartyField } from './draft.ts';
import { useProblemsAt } from './problems.ts';

const placeholders: Readonly<Record<PartyField, string>> = {
  line1: '1 Jalan Contoh',
  city: 'Kuala Lumpur',
  stateCode: '14',
  postcode: '50000',
  country: 'MYS',
  telephone: '+60300000000',
};

interface PartyTextFieldProps {
  readonly side: 'supplier' | 'buyer';
  readonly field: PartyField;
  readonly value: string;
  onChange(value: string): void;
}

export function PartyTextField({ side, field, value, onChange }: PartyTextFieldProps) {
  const problems = useProblemsAt(['invoice', side, field === 'telephone' ? 'contact' : 'address', field]);
  return (
    <TextField
      label={sharedText(`field.${field}`)}
      value={value}
      placeholder={placeholders[field]}
      problems={problems}
      onChange={onChange}
    />
  );
}
