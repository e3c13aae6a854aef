import { sharedText } from '../language/language.ts';
import { FieldProblems } from '../shared/FieldProblems.tsx';
import { type PartyDraft, partyFields } from './draft.ts';
import { PartyTextField } from './PartyTextField.tsx';
import { useProblemsAt } from './problems.ts';

interface PartyFieldsProps {
  readonly side: 'supplier' | 'buyer';
  readonly party: PartyDraft;
  onChange(party: PartyDraft): void;
}

export function PartyFields({ side, party, onChange }: PartyFieldsProps) {
  const problems = useProblemsAt(['invoice', side, 'address']);
  return (
    <fieldset className="party">
      <legend>{sharedText(`field.${side}`)}</legend>
      {partyFields.map((field) => (
        <PartyTextField
          key={field}
          side={side}
          field={field}
          value={party[field]}
          onChange={(value) => onChange({ ...party, [field]: value })}
        />
      ))}
      <FieldProblems id={`${side}-address-problems`} problems={problems} />
    </fieldset>
  );
}
