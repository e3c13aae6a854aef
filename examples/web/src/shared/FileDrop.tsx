import { type ReactNode, useId, useState } from 'react';

interface FileDropProps {
  readonly label: string;
  /** As an `accept` attribute has it; a help in choosing, no check. */
  readonly accept: string;
  readonly children: ReactNode;
  onFile(file: File): void;
}

/** A place to drop one file or to choose it. */
export function FileDrop({ label, accept, children, onFile }: FileDropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);

  function take(files: FileList | null) {
    const file = files?.[0];
    if (file) onFile(file);
  }

  return (
    <label
      className={isOver ? 'drop drop-over' : 'drop'}
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <input
        id={id}
        className="visually-hidden"
        type="file"
        accept={accept}
        onChange={(event) => {
          take(event.target.files);
          // The same file may be chosen again.
          event.target.value = '';
        }}
      />
      <span className="drop-label">{label}</span>
      <span className="hint">{children}</span>
    </label>
  );
}
