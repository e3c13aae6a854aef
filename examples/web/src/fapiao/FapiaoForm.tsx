import { Button } from '../shared/Button.tsx';
import { TextField } from '../shared/TextField.tsx';
import type { FapiaoDraft } from './use-fapiao.ts';

interface FapiaoFormProps {
  readonly draft: FapiaoDraft;
  readonly isSending: boolean;
  onChange(draft: FapiaoDraft): void;
  onCreate(): void;
}

export function FapiaoForm({ draft, isSending, onChange, onCreate }: FapiaoFormProps) {
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onCreate();
      }}
    >
      <TextField
        label="Name of the document"
        value={draft.name}
        placeholder="Invoice 2026-03"
        hint="Optional; any script."
        onChange={(name) => onChange({ ...draft, name })}
      />
      <TextField
        label="Queue"
        value={draft.queueId}
        placeholder="7"
        hint="Optional."
        onChange={(queueId) => onChange({ ...draft, queueId })}
      />
      <div>
        <Button type="submit" tone="primary" isBusy={isSending}>
          Request the PDF
        </Button>
      </div>
    </form>
  );
}
