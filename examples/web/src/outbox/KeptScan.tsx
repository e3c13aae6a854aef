import { messageOf } from '@folio/client';
import type { ActionState, OutboxAction } from '@folio/client/outbox';
import { useOutbox } from '@folio/client/react';
import { Badge, type Tone } from '../shared/Badge.tsx';
import { Button } from '../shared/Button.tsx';
import { ProblemList } from '../shared/ProblemList.tsx';

const words: Readonly<Record<ActionState, readonly [tone: Tone, word: string]>> = {
  waiting: ['neutral', 'Waiting'],
  sent: ['active', 'Sent'],
  done: ['good', 'Scanned'],
  refused: ['bad', 'Refused'],
  unknown: ['warning', 'Not known'],
};

export function KeptScan({ action }: { readonly action: OutboxAction }) {
  const { sendAgain, remove } = useOutbox();
  const { id, title, state, result, problems, errors } = action;
  const [tone, word] = words[state];
  const isStopped = state === 'refused' || state === 'unknown';
  return (
    <li>
      <span className="outbox-title">{title}</span>
      <Badge tone={tone}>{word}</Badge>
      <div className="outbox-detail">
        {result?.documentId && <span className="hint">Document {result.documentId}</span>}
        {problems.length > 0 && <ProblemList problems={problems} />}
        {(errors.length > 0 || state === 'unknown') && <span className="hint">{messageOf(errors)}</span>}
      </div>
      <div className="outbox-actions">
        {isStopped && <Button onClick={() => void sendAgain(id)}>Send again</Button>}
        {state !== 'sent' && (
          <Button tone="quiet" aria-label={`Delete ${title}`} onClick={() => void remove(id)}>
            Delete
          </Button>
        )}
      </div>
    </li>
  );
}
