/** The headers of a part of a multipart request. */
import { expect, it } from 'vitest';
import { readPartHead } from '../../src/http/graphql/part-head.ts';
import { cpuClock } from '../support/work.ts';

const blanks = ' '.repeat(15_000);

it.each([
  ['in its type', `form-data${blanks}x; name="0"`],
  ['after a parameter', `form-data; name="0"${blanks}x`],
  ['before a parameter', `form-data;${blanks}"`],
  ['after a name', `form-data; name${blanks}x`],
  ['in a value', `form-data; name=${blanks}"`],
])('15,000 blanks %s are read in linear time', (_where, disposition) => {
  const spentMs = cpuClock();
  for (let times = 0; times < 20; times += 1) {
    try {
      readPartHead({ 'content-disposition': [disposition] });
    } catch {
      // Refused.
    }
  }
  // In quadratic time 4 s.
  expect(spentMs()).toBeLessThan(500);
});
