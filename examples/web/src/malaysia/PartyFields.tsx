import { type PartyDraft, partyFields } from './draft.ts';
import { PartyTextField } from './PartyTextField.tsx';

interface PartyFieldsProps {
  readonly side: 'supplier' | 'buyer';
  readonly party: PartyDraft;
  onChange(party: PartyDraft): void;
}

export function PartyFields({ side, party, onChange }: PartyFieldsProps) {
  return (
    <fieldset className="party">
      <legend>{side === 'supplier' ? 'Supplier' : 'Buyer'}</legend>
      {partyFields.map((field) => (
        <PartyTextField
          key={field}
          side={side}
          field={field}
          value={party[field]}
          onChange={(value) => onChange({ ...party, [field]: value })}
        />
      ))}
    </fieldset>
  );
}
