import { describe, expect, it } from 'vitest';
import { type History, type Invocation, recordHistory, violationsOf } from './fleet-history.ts';
import { hasRedis } from './support/redis.ts';

const invocation = (id: string, at: number, result: string): Invocation => ({
  key: 'k',
  id,
  begunAt: at,
  endedAt: at + 1,
  result,
});
const post = (requestId: string, result = 'group 1') => ({ key: 'k', requestId, result });
const history = (members: Partial<History>): History => ({
  invocations: [],
  posts: [],
  faults: [],
  ...members,
});

describe('a history of keyed writes', () => {
  it.each<[string, Partial<History>]>([
    ['a second POST', { posts: [post('a'), post('b')] }],
    [
      'NONE for a POST',
      { posts: [post('a')], invocations: [invocation('a', 0, 'UPSTREAM_UNAVAILABLE NONE')] },
    ],
    ['an invented value', { invocations: [invocation('a', 0, 'group 1')] }],
    [
      'another result after the value',
      {
        posts: [post('a')],
        invocations: [invocation('a', 0, 'group 1'), invocation('b', 2, 'IDEMPOTENCY_CONFLICT NONE')],
      },
    ],
  ])('with %s is a violation', (_what, members) => {
    expect(violationsOf(history(members))).toHaveLength(1);
  });

  it.runIf(hasRedis())(
    'through killed, paused and failed-over gateways and Redis servers breaks no promise',
    { timeout: 180_000 },
    async () => {
      const recorded = await recordHistory(30, 'history 1');
      expect(violationsOf(recorded)).toEqual([]);
      expect(recorded.faults.length).toBeGreaterThan(5);
      expect(recorded.posts.length).toBeGreaterThan(10);
    },
  );
});
