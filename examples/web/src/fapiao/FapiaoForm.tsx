import { t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { TextField } from '../shared/TextField.tsx';
import { words as shared } from '../shared/words.ts';
import type { FapiaoDraft } from './use-fapiao.ts';
import { words } from './words.ts';

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
        label={t(words.name)}
        value={draft.name}
        placeholder={t(words.exampleName)}
        hint={t(words.anyScript)}
        onChange={(name) => onChange({ ...draft, name })}
      />
      <TextField
        label={t(shared.queue)}
        value={draft.queueId}
        placeholder="7"
        hint={t(shared.optional)}
        onChange={(queueId) => onChange({ ...draft, queueId })}
      />
      <div>
        <Button type="submit" tone="primary" isBusy={isSending}>
          {t(words.requestPdf)}
        </Button>
      </div>
    </form>
  );
}
