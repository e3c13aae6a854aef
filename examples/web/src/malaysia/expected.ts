import type { Text } from '../language/text.ts';
import { words } from './words.ts';

/** The members of a status that say how long it lasts. */
interface Status {
  readonly state: string;
  readonly observedAt: string;
  readonly isDelayed: boolean;
  readonly since: string | null;
  readonly expected: { readonly likelyBy: string; readonly atLatestBy: string } | null;
}

/** How long a document usually waits for its next state. */
export interface Wait {
  /** Of 100 documents, those that have changed after this time: 95 at most, because this one has not. */
  readonly percent: number;
  readonly isLate: boolean;
  /** Its parameter `time` is the duration. */
  readonly text: Text;
  readonly time: Duration;
}

export interface Duration {
  readonly count: number;
  readonly unit: 'second' | 'minute' | 'hour';
}

/** What happens next to a document in this state. */
const nextWords: Readonly<
  Record<string, { readonly soon: Text; readonly within: Text; readonly late: Text }>
> = {
  QUEUED: {
    soon: words.usuallySubmittedIn,
    within: words.usuallySubmittedWithin,
    late: words.lateSubmitted,
  },
  SUBMITTED: { soon: words.usuallyDecidedIn, within: words.usuallyDecidedWithin, late: words.lateDecided },
};

/**
 * Null while the gateway has seen too few documents, while the service does not respond, and in a final state. `receivedMs`:
 * time since the status was received. Only times of the gateway are compared, because the clock of the device may be wrong.
 */
export function waitOf(status: Status, receivedMs: number): Wait | null {
  const { state, observedAt, isDelayed, since, expected } = status;
  const next = nextWords[state];
  if (!next || !since || !expected || isDelayed) return null;
  const [seenMs, likelyMs, atLatestMs] = [observedAt, expected.likelyBy, expected.atLatestBy].map((time) =>
    Math.max(0, Date.parse(time) - Date.parse(since)),
  ) as [number, number, number];
  const waitedMs = seenMs + receivedMs;
  const latest = roundedUp(atLatestMs);
  if (waitedMs > atLatestMs) {
    return { percent: 95, isLate: true, text: next.late, time: latest };
  }
  if (waitedMs > likelyMs) {
    const percent = 50 + (45 * (waitedMs - likelyMs)) / (atLatestMs - likelyMs);
    return { percent: Math.floor(percent), isLate: false, text: next.within, time: latest };
  }
  const percent = likelyMs === 0 ? 50 : (50 * waitedMs) / likelyMs;
  return { percent: Math.floor(percent), isLate: false, text: next.soon, time: roundedUp(likelyMs) };
}

/** Rounded up: to seconds, from 20 of them to five, from two minutes to minutes, and from two hours to hours. */
function roundedUp(ms: number): Duration {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds <= 20) return { count: seconds, unit: 'second' };
  if (seconds <= 115) return { count: 5 * Math.ceil(seconds / 5), unit: 'second' };
  if (seconds <= 7_140) return { count: Math.ceil(seconds / 60), unit: 'minute' };
  return { count: Math.ceil(seconds / 3_600), unit: 'hour' };
}
