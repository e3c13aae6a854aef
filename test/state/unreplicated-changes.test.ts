/** Changes of entries in Redis that a new primary may lack: which are kept for how long, and when they are made again. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createUnreplicatedChanges } from '../../src/state/ledger/unreplicated-changes.ts';

const reviewMs = 60_000;
const MiB = 1024 * 1024;
let made: string[];
let isBroken: boolean;
let changes: ReturnType<typeof createUnreplicatedChanges>;

beforeEach(() => {
  vi.useFakeTimers();
  [made, isBroken] = [[], false];
  changes = createUnreplicatedChanges((name) => `primary of ${name}`, reviewMs);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function make(name: string): Promise<void> {
  if (isBroken) throw new Error('Redis is lost.');
  made.push(name);
}

const begin = (name: string) => changes.begin(name, { name, make: () => make(name) });

function end(name: string, { isFreed = false, bytes = 100, ttlMs = 10 * reviewMs, isSafe = false } = {}) {
  return changes.end(name, {
    ...{ name, isFreed, bytes, ttlMs },
    isSafe: async () => isSafe,
    make: () => make(name),
  });
}

/** Those that are made again at a new primary. */
async function kept(primary?: string): Promise<string[]> {
  made = [];
  await changes.makeAgain(primary);
  return made;
}

it('an outcome is made again at a new primary, however many writes that did nothing ended after it', async () => {
  // Ten thousand fake timers take long.
  vi.spyOn(globalThis, 'setTimeout').mockReturnValue({ unref() {} } as NodeJS.Timeout);
  await end('outcome');
  for (let write = 0; write < 10_001; write += 1) await end(`refused ${write}`, { isFreed: true });
  const names = await kept();
  expect(names).toHaveLength(10_000);
  expect(names).toContain('outcome');
  expect(names).toContain('refused 10000');
});

it('changes of more than 16 MiB are dropped: those of freed keys first, then the oldest', async () => {
  await end('first', { bytes: 4 * MiB });
  await end('freed', { bytes: 4 * MiB, isFreed: true });
  await end('second', { bytes: 4 * MiB });
  await end('third', { bytes: 4 * MiB });
  expect(await kept()).toEqual(['first', 'freed', 'second', 'third']);
  await end('small', { bytes: 1 });
  expect(await kept()).toEqual(['first', 'second', 'third', 'small']);
  await end('fourth', { bytes: 4 * MiB });
  expect(await kept()).toEqual(['second', 'third', 'small', 'fourth']);
});

it.each([
  ['is dropped when it is safe', { isSafe: true }, 1, ['it'], []],
  ['is made again when it is not safe', {}, 1, ['it', 'it'], ['it']],
  ['is made again until its time is over', { ttlMs: 2 * reviewMs }, 4, ['it', 'it', 'it'], []],
])('a change that is reviewed %s', async (_what, options, reviews, madeBy, keptAfter) => {
  await end('it', options);
  await vi.advanceTimersByTimeAsync(reviews * reviewMs);
  expect(made).toEqual(madeBy);
  expect(await kept()).toEqual(keptAfter);
});

it('a change is safe only when it was made some time before its review', async () => {
  isBroken = true;
  await end('it', { isSafe: true });
  await vi.advanceTimersByTimeAsync(1.5 * reviewMs);
  isBroken = false;
  await changes.makeAgain();
  await vi.advanceTimersByTimeAsync(reviewMs / 2);
  expect(made).toEqual(['it']);
  expect(await kept()).toEqual(['it']);
  await vi.advanceTimersByTimeAsync(reviewMs);
  expect(await kept()).toEqual([]);
});

it('a change that could not be made is made at its review', async () => {
  isBroken = true;
  await end('it', { isSafe: true });
  isBroken = false;
  await vi.advanceTimersByTimeAsync(reviewMs);
  expect(made).toEqual(['it']);
});

it('a change that could not be made for a moment is made soon, and once', async () => {
  isBroken = true;
  await end('it');
  await vi.advanceTimersByTimeAsync(1_000);
  isBroken = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(made).toEqual(['it']);
  await vi.advanceTimersByTimeAsync(reviewMs / 2);
  expect(made).toEqual(['it']);
});

it('a new primary gets its changes, of writes in progress and of those that have ended', async () => {
  for (const name of ['running', 'other', 'ended']) begin(name);
  await end('ended');
  expect(await kept()).toEqual(['running', 'other', 'ended']);
  expect(await kept('primary of running')).toEqual(['running']);
  expect(await kept('primary of ended')).toEqual(['ended']);
  isBroken = true;
  await expect(changes.makeAgain()).rejects.toThrow('Redis is lost.');
});

it('missing changes are made until none is missing, and no change twice', async () => {
  vi.useRealTimers();
  await end('made');
  isBroken = true;
  await end('missing');
  await changes.makeMissing(AbortSignal.abort());
  const making = changes.makeMissing(new AbortController().signal);
  isBroken = false;
  await making;
  expect(made).toEqual(['made', 'missing']);
});
