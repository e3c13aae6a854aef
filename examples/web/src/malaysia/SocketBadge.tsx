import type { SocketWord } from '../gateway/socket-state.ts';
import { t } from '../language/language.ts';
import type { Text } from '../language/text.ts';
import { Badge, type Tone } from '../shared/Badge.tsx';
import { words } from './words.ts';

const states: Readonly<Record<SocketWord, readonly [Tone, Text]>> = {
  closed: ['neutral', words.allFinal],
  connecting: ['active', words.connecting],
  open: ['good', words.live],
  lost: ['warning', words.reconnecting],
};

interface SocketBadgeProps {
  readonly word: SocketWord;
  /** Whether a document is not final yet. */
  readonly isNeeded: boolean;
}

export function SocketBadge({ word, isNeeded }: SocketBadgeProps) {
  const [tone, text] = states[isNeeded && word === 'closed' ? 'connecting' : word];
  return (
    <span role="status">
      <Badge tone={tone}>{t(text)}</Badge>
    </span>
  );
}
