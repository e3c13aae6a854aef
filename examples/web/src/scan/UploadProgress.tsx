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
      <progress value={percent} max={100} aria-label="Upload" />
      <p className="hint" aria-live="polite">
        {sent < 1 ? `Sending ${percent} % of ${spokenSize(size)}` : 'Sent. The service is reading the card …'}
      </p>
    </div>
  );
}

function spokenSize(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
