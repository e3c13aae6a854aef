import { t } from '../language/language.ts';
import { words } from './words.ts';

interface UploadProgressProps {
  /** 0 to 1. */
  readonly sent: number;
  /** Bytes. */
  readonly size: number;
}

export function UploadProgress({ sent, size }: UploadProgressProps) {
  const percent = Math.floor(sent * 100);
  return (
    <div className="upload">
      <progress value={percent} max={100} aria-label={t(words.upload)} />
      <p className="hint" aria-live="polite">
        {sent < 1 ? t(words.sending, { percent, size: spokenSize(size) }) : t(words.sent)}
      </p>
    </div>
  );
}

function spokenSize(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
