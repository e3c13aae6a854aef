import type { Text } from '../language/text.ts';
import type { Tone } from '../shared/Badge.tsx';
import { words as shared } from '../shared/words.ts';
import type { MalaysiaState } from './use-live-statuses.ts';
import { words } from './words.ts';

export const stateWords: Readonly<Record<MalaysiaState, readonly [Tone, Text]>> = {
  QUEUED: ['neutral', words.queued],
  SUBMITTED: ['active', words.submitted],
  VALIDATED: ['good', words.validated],
  REJECTED: ['bad', words.rejected],
  FAILED: ['bad', words.failed],
  CANCELLED: ['bad', words.cancelled],
  UNKNOWN: ['warning', shared.notKnown],
};
