/** How long imported e-invoices take to be submitted and decided. */
import { createHash } from 'node:crypto';
import { HttpError, type JsonObject } from './http.ts';

export interface Durations {
  /** Time in each state (ms). */
  readonly queuedMs: number;
  readonly submittedMs: number;
}

interface Settings extends Durations {
  /** How much the durations vary: the standard deviation of their logarithm. 0: all documents take the same time. */
  readonly spread: number;
}

export type Course = ReturnType<typeof createCourse>;

/**
 * Long enough to paste the next command of a tutorial while the document is queued, and for a client with growing poll
 * intervals to see each status.
 */
export const defaultDurations: Durations = { queuedMs: 8_000, submittedMs: 10_000 };

const limits: Readonly<Record<keyof Settings, number>> = {
  queuedMs: 86_400_000,
  submittedMs: 86_400_000,
  spread: 2,
};

export function createCourse() {
  let active: Settings = { ...defaultDurations, spread: 0 };
  return {
    get active() {
      return active;
    },
    /** Takes the body of `POST /sandbox/course`. Members that are absent get their defaults. */
    set(body: JsonObject) {
      const next = { ...defaultDurations, spread: 0, ...body };
      for (const [name, value] of Object.entries(next)) {
        const most = Object.hasOwn(limits, name) ? limits[name as keyof Settings] : undefined;
        if (most === undefined)
          throw new HttpError(400, `${name} must be one of: ${Object.keys(limits).join(', ')}.`);
        if (typeof value !== 'number' || !(value >= 0 && value <= most)) {
          throw new HttpError(400, `${name} must be a number from 0 to ${most}.`);
        }
      }
      active = next;
    },
    /** The durations of the next document, derived from the seed. */
    durationsOf(seed: string): Durations {
      const digest = createHash('sha256').update(`course ${seed}`).digest();
      const { queuedMs, submittedMs, spread } = active;
      return {
        queuedMs: queuedMs * Math.exp(spread * normalAt(digest, 0)),
        submittedMs: submittedMs * Math.exp(spread * normalAt(digest, 8)),
      };
    },
  };
}

/** A normally distributed number from two evenly distributed ones of 32 bits. */
function normalAt(digest: Buffer, offset: number): number {
  const [one, other] = [offset, offset + 4].map((at) => (digest.readUInt32LE(at) + 1) / 2 ** 32) as [
    number,
    number,
  ];
  return Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * other);
}
