/** What subscriptions with the same selection share, and until when. */
import type { ValidatedExecutionArgs } from 'graphql';
import { expect, it } from 'vitest';
import { createSelections } from '../../src/operation/shared-events.ts';

it('a selection is kept until its last subscription ends, and no longer', () => {
  const selectionOf = createSelections();
  const subscribe = () => selectionOf({ operation: {} } as ValidatedExecutionArgs, 'a hash', '{}');
  const first = subscribe();
  expect(subscribe()).toBe(first);
  first.release();
  expect(subscribe()).toBe(first);
  first.release();
  first.release();
  expect(subscribe()).not.toBe(first);
});
