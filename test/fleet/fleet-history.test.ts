import { afterAll, describe, expect, it } from 'vitest';
import { type Fault, type History, type Invocation, type Post, violationsOf } from '../support/history.ts';
import { killProcesses } from '../support/process.ts';
import { hasRedis } from '../support/redis.ts';
import { recordHistory } from './fleet-history.ts';

const minute = 60_000;
const invocation = (id: string, at: number, result: string, more: Partial<Invocation> = {}): Invocation => ({
  key: 'k',
  id,
  gateway: 'gateway',
  begunAt: at,
  endedAt: at + 1,
  result,
  isCalm: false,
  ...more,
});
const post = (requestId: string): Post => ({ key: 'k', requestId, at: 0, result: 'group 1' });
const fault = (of: string, from: number, to: number, isKill = false): Fault => ({
  what: 'a fault',
  of,
  isKill,
  from,
  to,
});
const history = (members: Partial<History>): History => ({
  invocations: [],
  posts: [],
  faults: [],
  seen: [],
  ...members,
});

const value = invocation('a', 0, 'group 1');
const unknown = 'OUTCOME_UNKNOWN POSSIBLE';

describe('a history of keyed writes and statuses', () => {
  it.each<[string, Partial<History>]>([
    ['a second POST', { posts: [post('a'), post('b')] }],
    [
      'NONE for a POST',
      { posts: [post('a')], invocations: [invocation('a', 0, 'UPSTREAM_UNAVAILABLE NONE')] },
    ],
    ['an invented value', { invocations: [value] }],
    [
      'a value for a POST without a response',
      { posts: [{ ...post('a'), result: undefined }], invocations: [value] },
    ],
    ['neither a value nor an error', { invocations: [invocation('a', 0, 'unexpected null')] }],
    [
      'another result after the value',
      { posts: [post('a')], invocations: [value, invocation('b', 2, 'IDEMPOTENCY_CONFLICT NONE')] },
    ],
    [
      'another value after the value',
      { posts: [post('a')], invocations: [value, invocation('b', 2, 'group 2')] },
    ],
    [
      'an unknown outcome after the value, without a fault',
      { posts: [post('a')], invocations: [value, invocation('b', 2, unknown)] },
    ],
    [
      'an unknown outcome long after the last fault',
      {
        posts: [post('a')],
        invocations: [value, invocation('b', minute, unknown)],
        faults: [fault('redis', 0, 10), fault('other gateway', 0, minute)],
      },
    ],
    [
      'an unknown outcome after all faults, though the gateway of the write still runs',
      {
        posts: [post('a')],
        invocations: [value, invocation('b', 20, unknown, { isCalm: true })],
        faults: [fault('redis', 0, 10), fault('gateway', 0, 10)],
      },
    ],
    [
      'an unknown outcome because the gateway of the write was killed while Redis had no fault',
      {
        posts: [post('a')],
        invocations: [value, invocation('b', minute, unknown, { isCalm: true })],
        faults: [fault('gateway', 2, 3, true)],
      },
    ],
    [
      'an older state after a newer one',
      {
        seen: [
          { watch: 'w', state: 2 },
          { watch: 'w', state: 1 },
        ],
      },
    ],
  ])('with %s is a violation', (_what, members) => {
    expect(violationsOf(history(members))).toHaveLength(1);
  });

  it.each<[string, Partial<History>]>([
    ['the value again', { invocations: [value, invocation('b', 2, 'group 1')] }],
    [
      'a refusal because the store is unavailable',
      { invocations: [value, invocation('b', 2, 'UPSTREAM_UNAVAILABLE NONE')] },
    ],
    [
      'an unknown outcome shortly after a failover',
      { invocations: [value, invocation('b', 20, unknown)], faults: [fault('redis', 5, 10)] },
    ],
    [
      'an unknown outcome because the gateway of the write was killed while Redis failed over',
      {
        invocations: [value, invocation('b', minute, unknown, { isCalm: true })],
        faults: [fault('redis', 0, 10), fault('gateway', 2, 3, true)],
      },
    ],
    [
      'older states of other watches',
      {
        seen: [
          { watch: 'w', state: 2 },
          { watch: 'v', state: 1 },
          { watch: 'w', state: 2 },
        ],
      },
    ],
  ])('with a value and then %s is none', (_what, members) => {
    expect(violationsOf(history({ posts: [post('a')], ...members }))).toEqual([]);
  });
});

describe.skipIf(!hasRedis())('killed, paused, cut-off and failed-over gateways and Redis servers', () => {
  afterAll(killProcesses);

  // Both at the same time: they mostly wait.
  it.concurrent.each(['sentinel', 'cluster'] as const)(
    'break no promise to keyed writes and subscribers: %s',
    { timeout: 180_000 },
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
