/** What gateways publish about a Malaysian status, and what they accept from each other. */
import { describe, expect, it } from 'vitest';
import { codeWith, type ErrorCode, GatewayError } from '../../../src/errors.ts';
import type { MalaysiaStatus } from '../../../src/features/malaysia/malaysia.api.ts';
import {
  unconfirmedStatus,
  unwatchableStatus,
  watchedStatus,
} from '../../../src/features/malaysia/watched-status.ts';
import { withoutTimes } from '../../../src/watch/watchable.ts';

const status: MalaysiaStatus = {
  ...unconfirmedStatus('1'),
  ...{ state: 'SUBMITTED', rawState: 'submitted', raw: '{"status":"submitted"}' },
  govPortal: { submissionId: 'S1', uuid: null },
};

describe('a published status', () => {
  it('is read as it was written, without the times of its call', () => {
    for (const each of [status, { ...status, problem }]) {
      const published = withoutTimes({ ...each, askedAt: 1, respondedAt: 2 });
      expect(watchedStatus.decode(structuredClone(published))).toEqual(each);
    }
  });

  it.each([...['documentId', 'state', 'rawState', 'message', 'govPortal', 'observedAt', 'isDelayed']])(
    'is ignored if its %s is missing or of another type',
    (name) => {
      for (const wrong of [undefined, {}, 5, new Date(Number.NaN)])
        expect(watchedStatus.decode({ ...status, [name]: wrong })).toBeUndefined();
    },
  );

  it('is ignored if this gateway does not know its state, or a portal id is not a text', () => {
    const govPortal = { submissionId: 1, uuid: null };
    for (const published of ['SUBMITTED', { ...status, state: 'ARCHIVED' }, { ...status, govPortal }])
      expect(watchedStatus.decode(published)).toBeUndefined();
  });
});

const problem = { code: 'UPSTREAM_BAD_RESPONSE', message: 'm', retryable: true } as const;

/** The error of a call to which the service responded with these texts. */
const errorOf = (code: ErrorCode, ...messages: string[]) =>
  new GatewayError({
    ...codeWith(code),
    message: 'It is not shown.',
    upstream: { operation: 'malaysiaStatus', requestId: 'request-1', messages },
  });

it.each<[boolean, Partial<MalaysiaStatus>]>([
  [true, { state: 'VALIDATED' }],
  [true, { rawState: 'sent' }],
  [true, { message: 'Sent' }],
  [true, { isDelayed: true }],
  [true, { problem: { ...problem, code: 'FORBIDDEN' } }],
  [true, { problem: { ...problem, message: 'n' } }],
  [true, { govPortal: { submissionId: 'S2', uuid: null } }],
  [true, { govPortal: { submissionId: 'S1', uuid: 'U1' } }],
  [false, { raw: '{}', observedAt: new Date(0), askedAt: 1, respondedAt: 2 }],
])('a status is a change for its subscribers (%s): %j', (isChange, members) => {
  const last = { ...status, problem };
  expect(watchedStatus.isSame(last, { ...last, ...members })).toBe(!isChange);
});

it.each(['UPSTREAM_BAD_RESPONSE', 'PAYLOAD_TOO_LARGE'] as const)(
  'a status that cannot be read has a problem that may pass, with what the service reported (%s)',
  (code) => {
    const error = errorOf(code, 'Try', 'later');
    expect(watchedStatus.troubled('1', status, { kind: 'unreadable', error })).toEqual({
      ...status,
      isDelayed: false,
      problem: { code: 'UPSTREAM_BAD_RESPONSE', message: 'It is not shown. Try later', retryable: true },
    });
  },
);

it('the problem of a document that is no longer watched has the reason of the service', () => {
  const message = 'It is not shown. Another company has it.';
  const expected = { message, problem: { code: 'FORBIDDEN', message, retryable: false } };
  expect(unwatchableStatus('1', errorOf('FORBIDDEN', 'Another company has it.'))).toMatchObject(expected);
});

it('a status whose service stopped responding is delayed, without the problem that it had', () => {
  expect(watchedStatus.troubled('1', { ...status, problem }, { kind: 'silent' })).toEqual({
    ...status,
    isDelayed: true,
    problem: null,
  });
});

describe('the memory of a watched status', () => {
  const long = (length: number) => 'n'.repeat(length);
  const bytesOf = (members: Partial<MalaysiaStatus>) => watchedStatus.bytesOf({ ...status, ...members });

  it.each<[string, Partial<MalaysiaStatus>]>([
    ['its raw response', { raw: long(1_256) }],
    ['the reason of its state', { message: long(1_256) }],
    ['the message of its problem', { problem: { ...problem, message: long(1_256) } }],
  ])('counts %s beyond 256 characters', (_what, members) => {
    expect([bytesOf({}), bytesOf(members)]).toEqual([0, 2_000]);
  });

  it('is that of the reason of its state when there is no room for the others', () => {
    const full = {
      ...status,
      raw: long(4_000),
      message: long(2_000),
      problem: { ...problem, message: long(2_000) },
    };
    const { raw, message, problem: cut } = watchedStatus.withoutTexts(full);
    expect([raw, message, cut?.message]).toEqual([undefined, long(2_000), `${long(255)}…`]);
  });

  it('has at most 2,000 characters of what the service reported about an error', () => {
    const messages = Array.from({ length: 20 }, (_, index) => `${index} ${long(497)}`);
    expect(unwatchableStatus('1', errorOf('FORBIDDEN', ...messages)).problem?.message).toHaveLength(2_000);
  });
});
