import { expect, it } from 'vitest';
import { createUnreplicatedChanges } from '../../src/state/ledger/unreplicated-changes.ts';

it('an outcome is made again at a new primary, however many writes that did nothing ended after it', async () => {
  const made: string[] = [];
  const changes = createUnreplicatedChanges(() => 'primary', 60_000);
  const end = (name: string, isFreed: boolean) =>
    changes.end(name, {
      name,
      isFreed,
      bytes: 100,
      ttlMs: 60_000,
      isSafe: async () => true,
      make: async () => made.push(name),
    });
  await end('outcome', false);
  for (let write = 0; write < 10_001; write += 1) await end(`refused ${write}`, true);
  made.length = 0;
  await changes.makeAgain();
  expect(made).toHaveLength(10_000);
  expect(made).toContain('outcome');
  expect(made).toContain('refused 10000');
});
