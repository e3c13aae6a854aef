import { type ReactNode, useId, useState } from 'react';

interface FileDropProps {
  readonly label: string;
  /** Value of the `accept` attribute: a filter of the file dialog, not a check. */
  readonly accept: string;
  /** Whether several files can be dropped or chosen at once. Default false. */
  readonly isMultiple?: boolean;
  readonly children: ReactNode;
  onFile(file: File): void;
}

/** An area to drop or choose files. */
export function FileDrop({ label, accept, isMultiple = false, children, onFile }: FileDropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);

  function take(files: FileList | null) {
    for (const file of [...(files ?? [])].slice(0, isMultiple ? undefined : 1)) onFile(file);
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
        multiple={isMultiple}
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
