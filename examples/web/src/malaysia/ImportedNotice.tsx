interface ImportedNoticeProps {
  readonly documentId: string;
  readonly message: string;
}

export function ImportedNotice({ documentId, message }: ImportedNoticeProps) {
  return (
    <div className="notice notice-good" role="status">
      <p className="notice-title">Imported as document {documentId}</p>
      {message !== '' && <p>{message}</p>}
      <p className="hint">
        It goes on at the service: see the live list. Pressing again sends the same key, and is answered with
        this same import.
      </p>
    </div>
  );
}
