import { t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { TextField } from '../shared/TextField.tsx';
import { words as shared } from '../shared/words.ts';
import type { ScanSettings } from './use-scan.ts';
import { words } from './words.ts';

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
        label={t(shared.queue)}
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
        {t(words.handwritten)}
      </label>
      <Button type="submit" tone="primary" isBusy={isScanning}>
        {t(isAgain ? words.scanAgain : words.scan)}
      </Button>
      {isAgain && <p className="hint">{t(words.againCreates)}</p>}
    </form>
  );
}
