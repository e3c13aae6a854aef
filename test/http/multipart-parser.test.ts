/** The parts of a multipart request, and their headers. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createMultipartParser, type Part } from '../../src/http/graphql/multipart-parser.ts';
import { readPartHead } from '../../src/http/graphql/part-head.ts';
import { fc } from '../support/fast-check.ts';
import { form } from '../support/raw-http.ts';
import { cpuClock } from '../support/work.ts';

const aParser = () =>
  createMultipartParser({ method: 'POST', url: '/graphql', headers: form.headers, rawHeaders: [] });

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
  const parser = aParser()
    .on('part', () => (parts += 1))
    .on('field', ({ stream }) => stream.resume());
  const failed = once(parser, 'error');
  parser.cork();
  parser.write(chunk);
  parser.write('--x\r\n\r\n\r\n');
  parser.uncork();
  expect(await failed).toMatchObject([{ code: 'BAD_REQUEST' }]);
  expect(parts).toBe(read);
});

/** A parser that has read the head of a part, and the part. */
async function withPart() {
  const parser = aParser();
  const field = once(parser, 'field');
  parser.write(form.file('ab').slice(0, -2));
  const [{ stream }] = (await field) as [Part];
  return { parser, part: stream };
}

it('while nobody reads a part, no more than two chunks wait, however small they are', async () => {
  const { parser, part } = await withPart();
  let sent = 0;
  for (; sent < 1_000 && !parser.writableNeedDrain; sent += 1) {
    parser.write('c');
    await new Promise(setImmediate);
  }
  expect(sent).toBeLessThanOrEqual(2);
  expect(part.readableLength).toBeLessThanOrEqual(3);
});

it.each([3, 65_533])(
  'a part of %i bytes ends although its last byte could begin its boundary, which arrives apart',
  async (size) => {
    const { parser, part } = await withPart();
    const finished = once(parser, 'finish');
    Readable.from([
      Buffer.alloc(size, 'c'),
      Buffer.from('\r'),
      Buffer.from('\r\n--x'),
      Buffer.from('--\r\n'),
    ]).pipe(parser);
    await new Promise(setImmediate);
    expect((await buffer(part)).toString('latin1')).toBe(`ab${'c'.repeat(size)}\r`);
    await finished;
  },
);

const boundary = '\r\n--x';
/** A content of a part, of what could begin its boundary. */
const content = fc
  .array(fc.constantFrom('\r', '\n', '\r\n', '-', '\r\n-', '\r\n--', 'x', 'a'))
  .map((pieces) => pieces.join(''))
  .filter((text) => `\r\n${text}${boundary}`.indexOf(boundary) === text.length + 2);

it('parts are read exactly, in whatever pieces they arrive', async () => {
  const contents = fc.array(content, { minLength: 1, maxLength: 4 });
  const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(contents, lengths, async (contents, lengths) => {
      const body = Buffer.from(contents.map((text) => form.part('a', text)).join('') + form.end);
      const pieces: Buffer[] = [];
      for (let at = 0; at < body.length; at += pieces.at(-1)?.length as number)
        pieces.push(body.subarray(at, at + (lengths[pieces.length % lengths.length] as number)));
      const read: Promise<Buffer>[] = [];
      const parser = aParser().on('field', ({ stream }) => read.push(buffer(stream)));
      await once(Readable.from(pieces).pipe(parser), 'finish');
      expect((await Promise.all(read)).map(String)).toEqual(contents);
    }),
  );
});
