import { t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { TextField } from '../shared/TextField.tsx';
import { words as shared } from '../shared/words.ts';
import { words } from './words.ts';

interface GroupFormProps {
  readonly name: string;
  readonly isCreating: boolean;
  onName(name: string): void;
  onCreate(): void;
}

export function GroupForm({ name, isCreating, onName, onCreate }: GroupFormProps) {
  return (
    <form
      className="group-form"
      onSubmit={(event) => {
        event.preventDefault();
        onCreate();
      }}
    >
      <TextField
        label={t(words.name)}
        value={name}
        placeholder={t(words.example)}
        hint={t(shared.optional)}
        onChange={onName}
      />
      <Button type="submit" tone="primary" isBusy={isCreating}>
        {t(words.create)}
      </Button>
    </form>
  );
}
