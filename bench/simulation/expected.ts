/** Whether documents change by the time that the gateway expects: `MalaysiaStatus.expected`. */
import type { Clock } from '../../src/watch/clock.ts';
import type { UsualStay } from '../../src/watch/life-table.ts';

const waitingStates = ['QUEUED', 'SUBMITTED'] as const;

type WaitingState = (typeof waitingStates)[number];

export interface Expected {
  /** Stays of documents in the state, and those of them whose end was expected. */
  readonly stays: number;
  readonly withExpectation: number;
  /** Shares of these that had ended by `likelyBy` and `atLatestBy`. */
  readonly byLikely: number;
  readonly byAtLatest: number;
}

export type ExpectedResults = Readonly<Record<WaitingState, Expected>>;

interface Stay {
  readonly state: WaitingState;
  readonly since: number;
  readonly usual: UsualStay | undefined;
}

/** Compares what subscribers are told with when documents change. `from`, `to`: the time in which the counted stays begin (ms). */
export function createExpectedMeter(clock: Clock, from = 0, to = Number.POSITIVE_INFINITY) {
  const counts = new Map(
    waitingStates.map((state) => [state, { stays: 0, withExpectation: 0, byLikely: 0, byAtLatest: 0 }]),
  );
  /** By subscriber. */
  const open = new Map<symbol, Stay>();

  function count({ state, since, usual }: Stay, leftAt?: number): void {
    const counted = counts.get(state);
    const lastedMs = (leftAt ?? clock.now()) - since;
    // Of a stay that has not ended only one thing can be known: that it lasts too long.
    const [likelyMs, atLatestMs] = [usual?.leftBy(0.5, 0), usual?.leftBy(0.95, 0)];
    const isKnown = leftAt !== undefined || (atLatestMs !== undefined && lastedMs > atLatestMs);
    if (!counted || since < from || since >= to || !isKnown) return;
    counted.stays += 1;
    if (likelyMs === undefined || atLatestMs === undefined) return;
    counted.withExpectation += 1;
    if (lastedMs <= likelyMs) counted.byLikely += 1;
    if (lastedMs <= atLatestMs) counted.byAtLatest += 1;
  }

  return {
    /** A subscriber receives a state of its document for the first time. `leftAt`: when the document left the one before. */
    received(subscriber: symbol, state: string, usual: UsualStay | undefined, leftAt: number): void {
      const before = open.get(subscriber);
      if (before) count(before, leftAt);
      const waiting = waitingStates.find((each) => each === state);
      if (waiting) open.set(subscriber, { state: waiting, since: clock.now(), usual });
      else open.delete(subscriber);
    },
    results(): ExpectedResults {
      for (const stay of open.values()) count(stay);
      return Object.fromEntries(
        [...counts].map(([state, { stays, withExpectation, byLikely, byAtLatest }]) => [
          state,
          {
            stays,
            withExpectation,
            byLikely: byLikely / withExpectation,
            byAtLatest: byAtLatest / withExpectation,
          },
        ]),
      ) as ExpectedResults;
    },
  };
}
