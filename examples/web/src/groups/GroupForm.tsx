import { Button } from '../shared/Button.tsx';
import { TextField } from '../shared/TextField.tsx';

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
        label="Name"
        value={name}
        placeholder="Accounts payable"
        hint="Optional."
        onChange={onName}
      />
      <Button type="submit" tone="primary" isBusy={isCreating}>
        Create group
      </Button>
    </form>
  );
}
