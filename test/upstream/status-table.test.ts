/** What each failure of a call means for its caller, for other callers and for a repetition. */
import { describe, expect, it } from 'vitest';
import {
  type Failure,
  failureOfStatus,
  failures,
  hasResult,
  meaningOf,
} from '../../src/upstream/call/status-table.ts';

const kinds = ['read', 'write'] as const;
const rows = failures.flatMap((failure) =>
  kinds.map((kind) => [failure, kind, meaningOf(failure, kind)] as const),
);

describe.each(rows)('%s of a %s', (failure, kind, meaning) => {
  const { code, sideEffect, mayRepeat, retryable } = meaning;

  it('has no side effect if it may be repeated, by the gateway or by the caller', () => {
    if (mayRepeat || retryable) expect(sideEffect).toBe('NONE');
    if (kind === 'read') expect(sideEffect).toBe('NONE');
  });

  it('is reported as retryable if the gateway itself would repeat it', () => {
    if (mayRepeat) expect(retryable).toBe(true);
  });

  it('never has an unknown outcome when nothing was done', () => {
    if (code === 'OUTCOME_UNKNOWN') expect(sideEffect).toBe('POSSIBLE');
  });

  it('of a status gives the same advice as the gateway follows, if it is a read', () => {
    const isStatus = /^\d|^other/.test(failure);
    if (isStatus && kind === 'read') expect(retryable).toBe(mayRepeat);
  });

  it('is never repeated by the gateway once a write was sent', () => {
    if (kind === 'write' && failure !== 'not connected') expect(mayRepeat).toBe(false);
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

  it.each<[number, object, Failure]>([
    [503, {}, '503'],
    [503, { hasRetryAfter: true }, '503 with Retry-After'],
    [429, { hasRetryAfter: true }, '429'],
    [500, {}, 'other 5xx'],
    [500, { isPage: true }, '5xx page'],
    [502, { isPage: true }, '502'],
    [404, { isPage: true }, '404'],
    [404, { isPage: true, kind: 'read' }, '404 page'],
    [418, { isPage: true }, 'other 4xx'],
    [302, {}, 'other status'],
    [204, {}, 'other status'],
    [302, { isPage: true }, 'other status page'],
  ])('%i, %j is %s', (status, signs, row) => {
    expect(rowOf(status, signs)).toBe(row);
  });

  it('says that nothing was done for every status 4xx', () => {
    for (let status = 400; status < 500; status += 1) {
      expect(meaningOf(rowOf(status), 'write').sideEffect).toBe('NONE');
    }
  });
});
