import { SelectField } from '../shared/SelectField.tsx';
import { TextField } from '../shared/TextField.tsx';
import { docTypes, type InvoiceDraft, isNote } from './draft.ts';
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
          label="Type"
          value={draft.docType}
          options={docTypes}
          onChange={(docType) => onChange({ ...draft, docType })}
        />
        <TextField
          label="Document number"
          value={draft.docNumber}
          placeholder="INV-2026-001"
          problems={docNumberProblems}
          onChange={(docNumber) => onChange({ ...draft, docNumber })}
        />
        {isNote(draft.docType) && (
          <TextField
            label="Original document number"
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
