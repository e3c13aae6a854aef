import { expect, it } from 'vitest';
import { shortened } from '../../src/tools/shortened.ts';
import { heapBytes } from '../support/heap.ts';

it('a shortened text does not keep the whole text in memory', () => {
  const before = heapBytes();
  const kept = Array.from({ length: 20 }, (_, index) => shortened(index + 'x'.repeat(1_000_000), 50));
  expect(heapBytes() - before).toBeLessThan(2_000_000);
  expect(kept.map(({ length }) => length)).toEqual(Array(20).fill(50));
});
