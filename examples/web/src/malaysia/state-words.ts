import type { Tone } from '../shared/Badge.tsx';
import type { MalaysiaState } from './use-live-statuses.ts';

export const stateWords: Readonly<Record<MalaysiaState, readonly [Tone, string]>> = {
  QUEUED: ['neutral', 'Queued'],
  SUBMITTED: ['active', 'Submitted'],
  VALIDATED: ['good', 'Validated'],
  REJECTED: ['bad', 'Rejected'],
  FAILED: ['bad', 'Failed'],
  CANCELLED: ['bad', 'Cancelled'],
  UNKNOWN: ['warning', 'Not known'],
};
