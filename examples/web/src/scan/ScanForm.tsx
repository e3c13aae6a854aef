import { Button } from '../shared/Button.tsx';
import { TextField } from '../shared/TextField.tsx';
import type { ScanSettings } from './use-scan.ts';

interface ScanFormProps {
  readonly settings: ScanSettings;
  readonly isScanning: boolean;
  /** Whether the picture was scanned already. */
  readonly isAgain: boolean;
  onChange(settings: ScanSettings): void;
  onScan(): void;
}

export function ScanForm({ settings, isScanning, isAgain, onChange, onScan }: ScanFormProps) {
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
        Handwritten
      </label>
      <Button type="submit" tone="primary" isBusy={isScanning}>
        {isAgain ? 'Scan again' : 'Scan'}
      </Button>
      {isAgain && <p className="hint">Scanning again creates another document.</p>}
    </form>
  );
}
