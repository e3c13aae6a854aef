import { describe, expect, it } from 'vitest';
import { GatewayError, InvalidInputError } from '../../src/errors.ts';
import { decodeOutcome, encodeOutcome } from '../../src/state/ledger/stored-outcome.ts';

const later = { code: 'RATE_LIMITED', bound: 'writes-newcomers', message: 'Later.' } as const;
const problem = { rule: 'name-required', severity: 'ERROR', path: ['name'], message: 'Empty.' } as const;

describe('a stored outcome', () => {
  it.each([
    ['a value', { value: { id: '1' }, type: 'Group' }],
    [
      'an error',
      { error: new GatewayError({ ...later, retryable: true, retryAfterMs: 5, httpStatus: 503 }) },
    ],
    ['problems of the input', { error: new InvalidInputError('The input is invalid.', [problem]) }],
  ])('is read as it was written: %s', (_what, outcome) => {
    const read = decodeOutcome(JSON.parse(JSON.stringify(encodeOutcome(outcome))));
    expect(read).toEqual(outcome);
  });

  it.each([
    ['null', null],
    ['an object without a known member', { result: 1 }],
    ['an error that is not an object', { error: 'failed' }],
    ['an error with an unknown code', { error: { code: 'TEAPOT', message: 'Failed.' } }],
    ['an error without a message', { error: { code: 'CONFLICT' } }],
    ['problems without a message', { problems: [] }],
    ['problems that are not a list', { problems: 'several', message: 'The input is invalid.' }],
  ])('of another format is not an outcome: %s', (_what, stored) => {
    expect(decodeOutcome(stored)).toBeUndefined();
  });
});
