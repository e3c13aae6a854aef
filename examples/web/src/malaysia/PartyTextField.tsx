import { TextField } from '../shared/TextField.tsx';
import type { PartyField } from './draft.ts';
import { useProblemsAt } from './problems.ts';

const labels: Readonly<Record<PartyField, readonly [string, string]>> = {
  line1: ['Street and number', '1 Jalan Contoh'],
  city: ['City', 'Kuala Lumpur'],
  stateCode: ['State code', '14'],
  postcode: ['Postcode', '50000'],
  country: ['Country', 'MYS'],
  telephone: ['Telephone', '+60300000000'],
};

interface PartyTextFieldProps {
  readonly side: 'supplier' | 'buyer';
  readonly field: PartyField;
  readonly value: string;
  onChange(value: string): void;
}

export function PartyTextField({ side, field, value, onChange }: PartyTextFieldProps) {
  const problems = useProblemsAt(['invoice', side, field === 'telephone' ? 'contact' : 'address', field]);
  const [label, placeholder] = labels[field];
  return (
    <TextField
      label={label}
      value={value}
      placeholder={placeholder}
      problems={problems}
      onChange={onChange}
    />
  );
}
