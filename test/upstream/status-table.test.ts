/** What each failure of a call means for its caller, for other callers and for a repetition. */
import { describe, expect, it } from 'vitest';
import { failureOfStatus, failures, hasResult, meaningOf } from '../../src/upstream/call/status-table.ts';

const rows = failures.flatMap((failure) =>
  (['read', 'write'] as const).map((kind) => ({ failure, kind, ...meaningOf(failure, kind) })),
);

describe('a failed call', () => {
  type Row = (typeof rows)[number];
  it.each<[string, (row: Row) => boolean, (row: Row) => boolean]>([
    [
      'has no side effect if it may be repeated, by the gateway or by the caller, or is a read',
      ({ mayRepeat, retryable, kind }) => mayRepeat || retryable || kind === 'read',
      ({ sideEffect }) => sideEffect === 'NONE',
    ],
    [
      'is reported as retryable if the gateway itself would repeat it',
      ({ mayRepeat }) => mayRepeat,
      ({ retryable }) => retryable,
    ],
    [
      'may have been done if its outcome is unknown',
      ({ code }) => code === 'OUTCOME_UNKNOWN',
      ({ sideEffect }) => sideEffect === 'POSSIBLE',
    ],
    [
      'gives the same advice for a status of a read as the gateway follows',
      ({ failure, kind }) => /^\d|^other/.test(failure) && kind === 'read',
      ({ retryable, mayRepeat }) => retryable === mayRepeat,
    ],
    [
      'is never repeated by the gateway once a write was sent',
      ({ failure, kind }) => kind === 'write' && failure !== 'not connected',
      ({ mayRepeat }) => !mayRepeat,
    ],
  ])('%s', (_claim, isMeant, holds) => {
    const meant = rows.filter(isMeant);
    expect(meant).not.toEqual([]);
    expect(meant.filter((row) => !holds(row))).toEqual([]);
  });
});

describe('the row of a status', () => {
  const rowOf = (status: number, signs = {}) =>
    failureOfStatus(status, { kind: 'write', hasRetryAfter: false, isPage: false, ...signs });

  it('exists for every status without a result', () => {
    for (let status = 100; status < 1_000; status += 1) {
      for (const isPage of [false, true]) {
        if (!hasResult(status)) expect(failures).toContain(rowOf(status, { isPage }));
      }
    }
  });

  it('says that nothing was done for every status 4xx', () => {
    for (let status = 400; status < 500; status += 1) {
      expect(meaningOf(rowOf(status), 'write').sideEffect).toBe('NONE');
    }
  });
});
