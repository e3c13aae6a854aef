/** The retries inside one call: after which wait each is made, and what the service asks for. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failures, meaningOf } from '../../src/upstream/call/failure-table.ts';
import { createRetryBudget, retryAfterMs, retryDelay } from '../../src/upstream/call/retry.ts';

afterEach(() => vi.restoreAllMocks());

const day = 86_400_000;
const now = Date.parse('2026-01-31T12:00:00Z');

it.each<[string | string[] | undefined, number | undefined]>([
  ['3', 3_000],
  [' 3 ', 3_000],
  ['0', 0],
  ['86401', day],
  [['3', '5'], 3_000],
  ['Sat, 31 Jan 2026 12:00:05 GMT', 5_000],
  ['Saturday, 31-Jan-26 12:00:05 GMT', 5_000],
  ['Sat Jan 31 12:00:05 2026', 5_000],
  ['Sun Feb  1 12:00:00 2026', day],
  ['Sat Jan 31 11:59:59 2026', undefined],
  ['Mon, 02 Feb 2026 12:00:00 GMT', day],
  ['Sat, 31 Jan 2026 12:00:00 GMT', undefined],
  ['Sat, 31 Jan 2026 11:59:59 GMT', undefined],
  ['2026-01-31T12:00:05Z', undefined],
  ['soon', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  [' ', undefined],
  [undefined, undefined],
])('the header Retry-After %j asks for a wait of %s ms', (header, waitMs) => {
  expect(retryAfterMs(header, now)).toBe(waitMs);
});

describe('the wait before a retry', () => {
  const delay = (failed: object, attempts = 1, remainingMs = 5_000, budget = createRetryBudget()) =>
    retryDelay({ mayRetry: true, ...failed }, attempts, remainingMs, budget);

  it('is random: up to 200 ms before the first, and up to 400 ms before the second, which is the last', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    expect([1, 2, 3].map((attempts) => delay({}, attempts))).toEqual([100, 200, undefined]);
  });

  it('is as long as the service asks for, if the call has more time', () => {
    expect(delay({ retryAfterMs: 0 })).toBe(0);
    expect(delay({ retryAfterMs: 4_999 })).toBe(4_999);
    expect(delay({ retryAfterMs: 5_000 })).toBeUndefined();
  });

  it('does not exist after an attempt that must not be repeated, nor without a budget', () => {
    expect(delay({ mayRetry: false })).toBeUndefined();
    const budget = createRetryBudget();
    // What is not repeated takes nothing from the budget.
    for (let call = 0; call < 20; call += 1) delay({ retryAfterMs: 5_000 }, 1, 5_000, budget);
    const delays = Array.from({ length: 11 }, () => delay({ retryAfterMs: 0 }, 1, 5_000, budget));
    expect(delays).toEqual([...Array(10).fill(0), undefined]);
  });
});

/** What each failure of a call means for its caller, for other callers and for a repetition. */
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

  it('counts for the circuit breaker without a response, with 502 to 504 and with a page: others may concern one caller', () => {
    const bad = rows.filter(({ health }) => health === 'bad').map(({ failure }) => failure);
    expect(new Set(bad)).toEqual(
      new Set([
        ...['502', '503', '503 with Retry-After', '504', '5xx page', 'other status page', 'page'],
        ...['not connected', 'connection lost', 'no response in time'],
      ]),
    );
  });
});
