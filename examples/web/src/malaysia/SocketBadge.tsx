import type { SocketWord } from '../gateway/socket-state.ts';
import { Badge, type Tone } from '../shared/Badge.tsx';

const words: Readonly<Record<SocketWord, readonly [Tone, string]>> = {
  closed: ['neutral', 'All documents are final'],
  connecting: ['active', 'Connecting …'],
  open: ['good', 'Live'],
  lost: ['warning', 'Reconnecting …'],
};

interface SocketBadgeProps {
  readonly word: SocketWord;
  /** Whether a document is not final yet. */
  readonly isNeeded: boolean;
}

export function SocketBadge({ word, isNeeded }: SocketBadgeProps) {
  const [tone, text] = words[isNeeded && word === 'closed' ? 'connecting' : word];
  return (
    <span role="status">
      <Badge tone={tone}>{text}</Badge>
    </span>
  );
}
