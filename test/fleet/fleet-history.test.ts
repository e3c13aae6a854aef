import { afterAll, describe, expect, it } from 'vitest';
import { type Fault, type History, type Invocation, type Post, violationsOf } from '../support/history.ts';
import { killProcesses } from '../support/process.ts';
import { hasRedis } from '../support/redis.ts';
import { recordHistory } from './fleet-history.ts';

const minute = 60_000;
const asked = (id: string, at: number, result: string, isCalm = false): Invocation => ({
  ...{ key: 'k', id, gateway: 'gateway', begunAt: at, endedAt: at + 1, result, isCalm },
});
const post = (requestId: string): Post => ({ key: 'k', requestId, at: 0, result: 'group 1' });
const fault = (of: string, from: number, to: number, isKill = false): Fault => ({
  ...{ what: 'a fault', of, isKill, from, to },
});
const seen = (watch: string, state: number) => ({ watch, state });

const value = asked('a', 0, 'group 1');
const unknown = 'OUTCOME_UNKNOWN POSSIBLE';
const unavailable = 'UPSTREAM_UNAVAILABLE NONE';
/** A value, and what a repetition gets later. */
const later = (at: number, result: string, isCalm = false) => ({
  posts: [post('a')],
  invocations: [value, asked('b', at, result, isCalm)],
});
const violations = (members: Partial<History>) =>
  violationsOf({ invocations: [], posts: [], faults: [], seen: [], ...members });

describe('a history of keyed writes and statuses', () => {
  it.each<[string, Partial<History>]>([
    ['a second POST', { posts: [post('a'), post('b')] }],
    ['NONE for a POST', { posts: [post('a')], invocations: [asked('a', 0, unavailable)] }],
    ['an invented value', { invocations: [value] }],
    ['a value for a lost POST', { posts: [{ ...post('a'), result: undefined }], invocations: [value] }],
    ['neither a value nor an error', { invocations: [asked('b', 0, 'unexpected null')] }],
    ['another result after the value', later(2, 'IDEMPOTENCY_CONFLICT NONE')],
    ['another value after the value', later(2, 'group 2')],
    ['an unknown outcome after the value, without a fault', later(2, unknown)],
    [
      'an unknown outcome long after the last fault',
      { ...later(minute, unknown), faults: [fault('redis', 0, 10), fault('other gateway', 0, minute)] },
    ],
    [
      'an unknown outcome after all faults, though the gateway of the write still runs',
      { ...later(20, unknown, true), faults: [fault('redis', 0, 10), fault('gateway', 0, 10)] },
    ],
    [
      'an unknown outcome because the gateway of the write was killed while Redis had no fault',
      { ...later(minute, unknown, true), faults: [fault('gateway', 2, 3, true)] },
    ],
    ['an unused key after its POST', { posts: [post('a')], invocations: [asked('b', 1, 'unused')] }],
    ['an older state after a newer one', { seen: [seen('w', 2), seen('w', 1)] }],
  ])('with %s is a violation', (_what, members) => {
    expect(violations(members)).toHaveLength(1);
  });
});

describe.skipIf(!hasRedis())('killed, paused, cut-off and failed-over gateways and Redis servers', () => {
  afterAll(killProcesses);

  // Both at the same time: they mostly wait.
  it.concurrent.each(['sentinel', 'cluster'] as const)(
    'break no promise to keyed writes and subscribers: %s',
    { retry: 0 },
    async (topology) => {
      const recorded = await recordHistory(15, 'history 1', topology);
      expect(violationsOf(recorded)).toEqual([]);
      expect(recorded.faults.length).toBeGreaterThan(2);
      const values = recorded.invocations.filter(
        ({ isCalm, result }) => isCalm && result.startsWith('group'),
      );
      expect(values.length).toBeGreaterThan(10);
      expect(recorded.seen.length).toBeGreaterThan(500);
    },
  );
});
