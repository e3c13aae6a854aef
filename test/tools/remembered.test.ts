import { expect, it, vi } from 'vitest';
import { remembered } from '../../src/tools/remembered.ts';

it('a value is read once for each object', () => {
  const read = vi.fn(({ length }: readonly unknown[]) => length);
  const lengthOf = remembered(read);
  const [one, other] = [[1], [1, 2]];
  expect([one, other, one, one].map(lengthOf)).toEqual([1, 2, 1, 1]);
  expect(read).toHaveBeenCalledTimes(2);
});
