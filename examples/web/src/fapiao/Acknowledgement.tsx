interface AcknowledgementProps {
  readonly requestId: string;
  readonly message: string;
}

export function Acknowledgement({ requestId, message }: AcknowledgementProps) {
  return (
    <div className="notice notice-good" role="status">
      <p className="notice-title">Accepted, not finished</p>
      {message !== '' && <p>{message}</p>}
      <dl className="facts">
        <div>
          <dt>Request</dt>
          <dd className="mono">{requestId}</dd>
        </div>
      </dl>
      <p className="hint">
        The service offers no call that tells the outcome: keep this number to ask for it.
      </p>
    </div>
  );
}
