import { Button } from '../shared/Button.tsx';
import { TextField } from '../shared/TextField.tsx';
import type { ScanSettings } from './use-scan.ts';

interface ScanFormProps {
  readonly settings: ScanSettings;
  readonly isScanning: boolean;
  onChange(settings: ScanSettings): void;
  onScan(): void;
}

export function ScanForm({ settings, isScanning, onChange, onScan }: ScanFormProps) {
  return (
    <form
      className="scan-form"
      onSubmit={(event) => {
        event.preventDefault();
        onScan();
      }}
    >
      <TextField
        label="Queue"
        value={settings.queueId}
        isRequired
        onChange={(queueId) => onChange({ ...settings, queueId })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={settings.handwritten}
          onChange={() => onChange({ ...settings, handwritten: !settings.handwritten })}
        />
        Filled in by hand
      </label>
      <Button type="submit" tone="primary" isBusy={isScanning}>
        Scan
      </Button>
    </form>
  );
}
