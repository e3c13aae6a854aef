/** What is kept of a long text in a response does not keep all of the text in memory: a watch or an outcome lasts for long. */
import { expect, it } from 'vitest';
import type { Credentials } from '../../src/caller.ts';
import { importEndpoint } from '../../src/features/malaysia/malaysia.api.ts';
import { reasonText } from '../../src/features/malaysia/status-reason.ts';
import { reportedBeside } from '../../src/upstream/service-texts.ts';
import { heapBytes } from '../support/heap.ts';

const call = { endpoint: importEndpoint, credentials: {} as Credentials };

it.each<[string, (length: number) => unknown, unknown]>([
  [
    'the reason of a status',
    (length) => reasonText(`${' '.repeat(length)}The buyer TIN is not valid.`),
    'The buyer TIN is not valid.',
  ],
  [
    'the path of a problem',
    (length) => {
      const path = `lines/0/amountExclTaxOrDiscount${'/'.repeat(length)}`;
      return reportedBeside({ errors: [{ path, message: 'Too high.' }] }, call)[0]?.path;
    },
    ['invoice', 'lines', '0', 'amountExclTaxOrDiscount'],
  ],
])('%s does not keep the text that it is a part of in memory', (_what, keep, expected) => {
  const before = heapBytes();
  const kept = Array.from({ length: 20 }, (_, index) => keep(1_000_000 + index));
  expect(heapBytes() - before).toBeLessThan(2_000_000);
  expect(kept).toEqual(Array(20).fill(expected));
});
