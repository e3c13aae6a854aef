/** A service with a fixed capacity, whose documents change at given times. */
import { tryAgainLater } from '../../src/errors.ts';
import type { MalaysiaStatus } from '../../src/features/malaysia/malaysia.api.ts';
import type { Clock } from '../../src/watch/clock.ts';

export interface SimulatedDocument {
  readonly id: string;
  readonly caller: number;
  /** When it was QUEUED, SUBMITTED and VALIDATED (ms). */
  readonly changedAt: readonly [number, number, number];
}

export const states = ['QUEUED', 'SUBMITTED', 'VALIDATED'] as const;

/** Time between a call and its response (ms). */
export const latencyMs = 20;
/** What the service sends with a 429 (ms). */
const retryAfterMs = 1_000;
const observedAt = new Date(0);

export interface SimulatedService {
  poll(document: SimulatedDocument): Promise<MalaysiaStatus>;
  /** Calls so far, and those of them that were refused with 429. */
  counts(): { readonly polls: number; readonly refused: number };
}

/** `capacity`: calls per second; more than a tenth of a second's at once are refused with 429. */
export function createSimulatedService(clock: Clock, capacity: number): SimulatedService {
  const burst = Math.max(1, capacity / 10);
  let room = burst;
  let updatedAt = 0;
  let polls = 0;
  let refused = 0;

  function isRefused(): boolean {
    const now = clock.now();
    room = Math.min(burst, room + ((now - updatedAt) / 1_000) * capacity);
    updatedAt = now;
    if (room < 1) return true;
    room -= 1;
    return false;
  }

  return {
    counts: () => ({ polls, refused }),
    poll({ id, changedAt }) {
      polls += 1;
      const isFull = isRefused();
      if (isFull) refused += 1;
      const now = clock.now();
      const state = states[changedAt.findLastIndex((time) => time <= now)] ?? 'QUEUED';
      return new Promise((resolve, reject) => {
        clock.after(latencyMs, () => {
          if (isFull) {
            const message = 'The simulated service is full.';
            return reject(tryAgainLater('service', message, { retryAfterMs }));
          }
          resolve({
            documentId: id,
            state,
            rawState: state,
            message: null,
            govPortal: null,
            observedAt,
            isDelayed: false,
            askedAt: now,
          });
        });
      });
    },
  };
}
