/** The parts of a multipart request, and their headers. */
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { createMultipartParser } from '../../src/http/graphql/multipart-parser.ts';
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

it.each([
  ['the fifth of 7,000 parts in one chunk', 4, '--x\r\n\r\n\r\n'.repeat(7_000)],
  [
    'a part that is refused, whose chunk has waited with the next one',
    1,
    '--x\r\na: b\r\na: b\r\ncontent-disposition: a\r\ncontent-disposition: a\r\n\r\n\r\n',
  ],
])('nothing is read after %s', async (_what, read, chunk) => {
  let parts = 0;
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const parser = createMultipartParser(
    { method: 'POST', url: '/graphql', headers, rawHeaders: [] },
    { onPart: () => (parts += 1), onHead: (_head, stream) => stream.resume() },
  );
  const failed = once(parser, 'error');
  parser.cork();
  parser.write(chunk);
  parser.write('--x\r\n\r\n\r\n');
  parser.uncork();
  expect(await failed).toMatchObject([{ code: 'BAD_REQUEST' }]);
  expect(parts).toBe(read);
});
