import { sharedText } from '../language/language.ts';
import { SelectField } from '../shared/SelectField.tsx';
import { TextField } from '../shared/TextField.tsx';
import { docTypeName, docTypes, type InvoiceDraft, isNote } from './draft.ts';
import { LineList } from './LineList.tsx';
import { PartyFields } from './PartyFields.tsx';
import { useProblemsAt } from './problems.ts';

interface InvoiceFormProps {
  readonly draft: InvoiceDraft;
  onChange(draft: InvoiceDraft): void;
}

export function InvoiceForm({ draft, onChange }: InvoiceFormProps) {
  const docNumberProblems = useProblemsAt(['invoice', 'docNumber']);
  const referenceProblems = useProblemsAt(['invoice', 'reference', 'originalInvoiceCodeNumber']);
  return (
    <div className="stack">
      <div className="invoice-head">
        <SelectField
          label={sharedText('field.docType')}
          value={draft.docType}
          options={docTypes.map((docType) => [docType, docTypeName(docType)])}
          onChange={(docType) => onChange({ ...draft, docType })}
        />
        <TextField
          label={sharedText('field.docNumber')}
          value={draft.docNumber}
          placeholder="INV-2026-001"
          problems={docNumberProblems}
          onChange={(docNumber) => onChange({ ...draft, docNumber })}
        />
        {isNote(draft.docType) && (
          <TextField
            label={sharedText('field.originalInvoiceCodeNumber')}
            value={draft.originalNumber}
            placeholder="INV-2026-000"
            problems={referenceProblems}
            onChange={(originalNumber) => onChange({ ...draft, originalNumber })}
          />
        )}
      </div>
      <div className="invoice-parties">
        <PartyFields
          side="supplier"
          party={draft.supplier}
          onChange={(supplier) => onChange({ ...draft, supplier })}
        />
        <PartyFields side="buyer" party={draft.buyer} onChange={(buyer) => onChange({ ...draft, buyer })} />
      </div>
      <LineList lines={draft.lines} onChange={(lines) => onChange({ ...draft, lines })} />
    </div>
  );
}
