import { messageOf } from '@folio/client';
import type { ActionState, OutboxAction } from '@folio/client/outbox';
import { useOutbox } from '@folio/client/react';
import { locale, t } from '../language/language.ts';
import type { Text } from '../language/text.ts';
import { Badge, type Tone } from '../shared/Badge.tsx';
import { Button } from '../shared/Button.tsx';
import { ProblemList } from '../shared/ProblemList.tsx';
import { words as shared } from '../shared/words.ts';
import { words } from './words.ts';

const states: Readonly<Record<ActionState, readonly [tone: Tone, word: Text]>> = {
  waiting: ['neutral', words.waiting],
  sent: ['active', words.sent],
  done: ['good', words.scanned],
  refused: ['bad', words.refused],
  unknown: ['warning', shared.notKnown],
};

export function KeptScan({ action }: { readonly action: OutboxAction }) {
  const { sendAgain, remove } = useOutbox();
  const { id, title, state, result, problems, errors } = action;
  const [tone, word] = states[state];
  const isStopped = state === 'refused' || state === 'unknown';
  return (
    <li>
      <span className="outbox-title">{title}</span>
      <Badge tone={tone}>{t(word)}</Badge>
      <div className="outbox-detail">
        {result?.documentId && <span className="hint">{t(shared.document, { id: result.documentId })}</span>}
        {problems.length > 0 && <ProblemList problems={problems} />}
        {(errors.length > 0 || state === 'unknown') && (
          <span className="hint">{messageOf(errors, locale())}</span>
        )}
      </div>
      <div className="outbox-actions">
        {isStopped && <Button onClick={() => void sendAgain(id)}>{t(words.sendAgain)}</Button>}
        {state !== 'sent' && (
          <Button tone="quiet" aria-label={t(words.deleteOne, { title })} onClick={() => void remove(id)}>
            {t(words.delete)}
          </Button>
        )}
      </div>
    </li>
  );
}
