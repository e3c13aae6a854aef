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
  readonly text: string;
}

/** What happens next to a document in this state. */
const nextWords: Readonly<Record<string, string>> = { QUEUED: 'submitted', SUBMITTED: 'decided' };

/**
 * Null while the gateway has seen too few documents, while the service does not respond, and in a final state. `receivedMs`:
 * time since the status was received. Only times of the gateway are compared, because the clock of the device may be wrong.
 */
export function waitOf(status: Status, receivedMs: number): Wait | null {
  const { state, observedAt, isDelayed, since, expected } = status;
  const word = nextWords[state];
  if (!word || !since || !expected || isDelayed) return null;
  const [seenMs, likelyMs, atLatestMs] = [observedAt, expected.likelyBy, expected.atLatestBy].map((time) =>
    Math.max(0, Date.parse(time) - Date.parse(since)),
  ) as [number, number, number];
  const waitedMs = seenMs + receivedMs;
  const latest = spokenDuration(atLatestMs);
  if (waitedMs > atLatestMs) {
    const text = `Takes longer than usual: 19 of 20 documents are ${word} within ${latest}`;
    return { percent: 95, isLate: true, text };
  }
  if (waitedMs > likelyMs) {
    const percent = 50 + (45 * (waitedMs - likelyMs)) / (atLatestMs - likelyMs);
    return { percent: Math.floor(percent), isLate: false, text: `Usually ${word} within ${latest}` };
  }
  const percent = likelyMs === 0 ? 50 : (50 * waitedMs) / likelyMs;
  return {
    percent: Math.floor(percent),
    isLate: false,
    text: `Usually ${word} in ${spokenDuration(likelyMs)}`,
  };
}

/** Rounded up: to seconds, from 20 of them to five, from two minutes to minutes, and from two hours to hours. */
function spokenDuration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds <= 20) return counted(seconds, 'second');
  if (seconds <= 115) return counted(5 * Math.ceil(seconds / 5), 'second');
  if (seconds <= 7_140) return counted(Math.ceil(seconds / 60), 'minute');
  return counted(Math.ceil(seconds / 3_600), 'hour');
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
