import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Holder, Owner } from '../../src/caller.ts';
import {
  createCircuitBreaker,
  createEndpointBreaker,
  type ServiceHealth,
} from '../../src/upstream/call/circuit-breaker.ts';
import { createRetryBudget } from '../../src/upstream/call/retry.ts';
import { fc } from '../support/fast-check.ts';
import { aShares, holder } from '../support/shares.ts';

let time: number;
let breaker: ReturnType<typeof createCircuitBreaker>;
beforeEach(() => {
  time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  breaker = createCircuitBreaker();
});
afterEach(() => vi.restoreAllMocks());

/** Makes an attempt as a call does. Returns the time for which the breaker is open if it makes none. */
function attempt(health: ServiceHealth) {
  const record = breaker.admit('a' as Owner);
  if (typeof record === 'object') return record;
  record(health);
  return undefined;
}

function attempts(count: number, health: ServiceHealth): void {
  for (let index = 0; index < count; index += 1) attempt(health);
}

/** An attempt that the test ends. */
const pending = () => breaker.admit('a' as Owner) as (health: ServiceHealth) => void;

it('a closed circuit breaker opens if and only if most of at least 20 attempts of the last 10 seconds were bad', () => {
  const step = fc.record({
    seconds: fc.integer({ min: 0, max: 6 }),
    count: fc.integer({ min: 1, max: 12 }),
    health: fc.constantFrom<ServiceHealth>('good', 'bad', 'bad', 'unknown'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => {
      time = 0;
      breaker = createCircuitBreaker();
      const seen: { at: number; health: ServiceHealth }[] = [];
      for (const { seconds, count, health } of steps) {
        time += seconds * 1_000;
        for (let index = 0; index < count; index += 1) {
          attempts(1, health);
          if (health !== 'unknown') seen.push({ at: time, health });
          const recent = seen.filter(({ at }) => at > time - 10_000);
          const bad = recent.filter((event) => event.health === 'bad').length;
          const opens = health === 'bad' && recent.length >= 20 && bad * 2 > recent.length;
          expect(breaker.state()).toBe(opens ? 'open' : 'closed');
          if (opens) return;
        }
      }
    }),
  );
});

it.each<['closed' | 'open', string, Record<string, number>, Record<string, number>]>([
  ['closed', 'half of the attempts were good', { a: 10 }, { b: 4, c: 3, d: 3 }],
  ['open', 'more than half were bad, for most owners', { a: 9 }, { b: 4, c: 4, d: 4 }],
  ['closed', 'half of the owners were served', { a: 1, b: 1, c: 1 }, { d: 10, e: 10, f: 10 }],
  ['closed', 'two owners of three were not served', { a: 1 }, { b: 15, c: 15 }],
  ['closed', 'one owner of three was served as often as not', { a: 5 }, { a: 5, b: 10, c: 10 }],
  ['open', 'the only two owners were not served', {}, { b: 10, c: 10 }],
  ['open', 'each of 20 owners was refused once', {}, Object.fromEntries(Array(20).fill(1).entries())],
])('a circuit breaker is %s when %s', (state, _what, good, bad) => {
  const record = (counts: Record<string, number>, health: ServiceHealth) => {
    const owners = Object.entries(counts).flatMap(([owner, count]) => Array(count).fill(owner as Owner));
    for (const admitted of owners.map((owner) => breaker.admit(owner))) {
      if (typeof admitted === 'object') throw new Error('The breaker is open.');
      admitted(health);
    }
  };
  record(good, 'good');
  record(bad, 'bad');
  expect(breaker.state()).toBe(state);
});

describe('an open circuit breaker', () => {
  beforeEach(() => attempts(20, 'bad'));

  it('allows one probe after its time is over and closes when the probe is good', () => {
    time += 1_000;
    expect(breaker.state()).toBe('half-open');
    const probe = pending();
    expect(attempt('good')).toEqual({ openForMs: 1_000 });
    probe('good');
    expect(breaker.state()).toBe('closed');
    attempts(19, 'bad');
    expect(breaker.state()).toBe('closed');
  });

  it('stays open for twice as long after each bad probe, up to 15 seconds, and for 1 second again after a good one', () => {
    for (const openMs of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
      expect(attempt('bad')).toEqual({ openForMs: openMs });
      time += openMs;
      attempts(1, 'bad');
    }
    time += 15_000;
    attempts(1, 'good');
    attempts(20, 'bad');
    expect(attempt('bad')).toEqual({ openForMs: 1_000 });
  });

  it('allows no early probe to an owner whose attempt has failed since it opened', () => {
    const [hanging, other] = ['hanging' as Owner, 'other' as Owner];
    breaker = createCircuitBreaker();
    const hangs = breaker.admit(hanging) as (health: ServiceHealth) => void;
    attempts(20, 'bad');
    hangs('bad');
    expect(breaker.admit(hanging)).toEqual({ openForMs: 1_000 });
    expect(breaker.admit(other)).toBeTypeOf('function');
  });

  it('makes the next attempt the probe when the caller of a probe disconnects', () => {
    time += 1_000;
    pending()('unknown');
    expect(breaker.state()).toBe('half-open');
    const probe = pending();
    expect(attempt('good')).toEqual({ openForMs: 1_000 });
    probe('bad');
    expect(attempt('good')).toEqual({ openForMs: 2_000 });
  });

  it('allows another probe when a probe takes as long as an upload may', () => {
    time += 1_000;
    const slow = pending();
    time += 15_000;
    attempts(1, 'good');
    expect(breaker.state()).toBe('closed');
    slow('bad');
    attempts(18, 'bad');
    expect(breaker.state()).toBe('closed');
  });
});

it('a retry budget allows retries for a fifth of the calls of the last 10 seconds, and at least 10', () => {
  const budget = createRetryBudget();
  const takeAll = () => {
    let taken = 0;
    while (budget.takeRetry()) taken += 1;
    return taken;
  };
  expect(takeAll()).toBe(10);
  for (let index = 0; index < 100; index += 1) budget.countCall();
  expect(takeAll()).toBe(10);
  time += 10_001;
  expect(takeAll()).toBe(10);
  time += 10_001;
  for (let index = 0; index < 1_000; index += 1) budget.countCall();
  expect(takeAll()).toBe(200);
});

describe('the breakers of an endpoint', () => {
  const [a, b, c, d] = [holder('a'), holder('b'), holder('c'), holder('d')];
  const accepted = [a, b, c, d, holder('e')];
  let endpoint: ReturnType<typeof createEndpointBreaker>;
  beforeEach(() => {
    endpoint = createEndpointBreaker(aShares(...accepted).acceptedLanes);
  });

  /** Whether the attempt was admitted. */
  function attemptOf(caller: Holder, health: ServiceHealth): boolean {
    const record = endpoint.admit(caller);
    if (typeof record === 'object') return false;
    record(health);
    return true;
  }

  /** The number of bad attempts that were admitted. */
  function fail(count: number, callerOf: (index: number) => Holder): number {
    return Array.from({ length: count }, (_, index) => attemptOf(callerOf(index), 'bad')).filter(Boolean)
      .length;
  }

  const invented = (index: number) => holder(`invented ${index}`);

  it('stop newcomers and no accepted caller when newcomers fail, and report nothing', () => {
    fail(100, invented);
    expect(attemptOf(holder('newcomer'), 'good')).toBe(false);
    expect(endpoint.state()).toBe('closed');
    for (const caller of accepted) expect(attemptOf(caller, 'good')).toBe(true);
  });

  it('stop no other newcomer when one newcomer of several fails, however often and with whatever tokens', () => {
    const newcomers = ['v', 'w', 'x', 'y', 'z'].map((name) => holder(name));
    for (const caller of newcomers) attemptOf(caller, 'good');
    fail(200, (index) => holder('v', `Bearer ${index}`));
    for (const caller of newcomers) expect(attemptOf(caller, 'good')).toBe(true);
  });

  it('stop no newcomer while the endpoint works for an accepted caller', () => {
    attemptOf(a, 'good');
    fail(200, invented);
    expect(attemptOf(holder('newcomer'), 'good')).toBe(true);
    time += 10_000;
    fail(200, invented);
    expect(attemptOf(holder('newcomer'), 'good')).toBe(false);
  });

  it('let each accepted caller that has not failed try once, one at a time, while they are open', () => {
    fail(20, () => a);
    const probe = endpoint.admit(b);
    expect(attemptOf(c, 'good')).toBe(false);
    if (typeof probe === 'function') probe('bad');
    expect(attemptOf(b, 'good')).toBe(false);
    expect(attemptOf(c, 'bad')).toBe(true);
    expect(attemptOf(c, 'good')).toBe(false);
    expect(attemptOf(d, 'good')).toBe(true);
    expect(endpoint.state()).toBe('closed');
  });

  it('let an accepted caller that has not failed try while the probe of one that has failed hangs', () => {
    fail(20, () => a);
    time += 1_000;
    expect(typeof endpoint.admit(a)).toBe('function');
    expect(attemptOf(b, 'good')).toBe(true);
    expect(endpoint.state()).toBe('closed');
  });

  it('let the next accepted caller try a second after a probe that hangs', () => {
    fail(20, () => a);
    const hanging = endpoint.admit(b);
    time += 999;
    expect(attemptOf(c, 'good')).toBe(false);
    time += 1;
    expect(typeof endpoint.admit(c)).toBe('function');
    if (typeof hanging === 'function') hanging('unknown');
    time += 1_000;
    expect(attemptOf(d, 'good')).toBe(true);
    expect(endpoint.state()).toBe('closed');
  });

  it('let an accepted caller that was served try while the probe of one that was not hangs', () => {
    for (let pause = 0; pause < 4; pause += 1) {
      fail(20, () => a);
      expect(endpoint.state()).toBe('open');
      if (pause > 0) expect(typeof endpoint.admit(c)).toBe('function');
      expect(attemptOf(b, 'good')).toBe(true);
      expect(endpoint.state()).toBe('closed');
    }
  });

  it('open when at least three accepted callers and most of them fail, for newcomers as well', () => {
    for (let round = 0; round < 10; round += 1)
      for (const [index, caller] of accepted.entries()) attemptOf(caller, index < 3 ? 'bad' : 'unknown');
    expect(endpoint.state()).toBe('open');
    expect(attemptOf(a, 'good')).toBe(false);
    expect(attemptOf(holder('newcomer'), 'good')).toBe(false);
  });

  it('are reported for newcomers while nobody is accepted', () => {
    endpoint = createEndpointBreaker(aShares().acceptedLanes);
    fail(20, () => holder('first'));
    expect(endpoint.state()).toBe('open');
  });
});
