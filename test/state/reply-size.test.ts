/** Replies of Redis that would take more memory than any reply of a command needs. */
import { expect, it, onTestFinished } from 'vitest';
import { openServer } from '../../src/state/redis-clients.ts';
import { ReplySize } from '../../src/state/reply-size.ts';
import { startFakeRedis } from '../support/fake-redis.ts';
import { fc } from '../support/fast-check.ts';
import { forTest } from '../support/lifetimes.ts';

type Value = string | number | null | readonly Value[];

function encoded(value: Value): string {
  if (value === null) return '$-1\r\n';
  if (typeof value === 'number') return `:${value}\r\n`;
  if (typeof value === 'string') return `$${Buffer.byteLength(value)}\r\n${value}\r\n`;
  return `*${value.length}\r\n${value.map(encoded).join('')}`;
}

/** Reads the text in pieces of so many bytes, again from the first size after the last. */
function readInPieces(text: string, sizes: readonly number[]): void {
  const size = new ReplySize();
  const bytes = Buffer.from(text);
  for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
    const end = at + (sizes[piece % sizes.length] as number);
    size.read(bytes.subarray(at, end));
    at = end;
  }
}

const { value: aValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, '', '*20000000\r\n', '\r', '$9\r\n', '票'),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 5 }),
  ),
}));
const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });

it('replies in any pieces are read, and a list of too many members behind them is not', () => {
  fc.assert(
    fc.property(fc.array(aValue, { maxLength: 5 }), sizes, (values, pieces) => {
      const replies = `+OK\r\n-ERR x\r\n${values.map(encoded).join('')}`;
      readInPieces(replies, pieces);
      expect(() => readInPieces(`${replies}*1000001\r\n`, pieces)).toThrow('too many members');
    }),
    { seed: 20_310_409, numRuns: 200 },
  );
});

it.each([
  ['lists in lists of many members', '*600000\r\n*600000\r\n', 'too many members'],
  ['a text of more than 16 MiB', `$99999999\r\n${'x'.repeat(17 * 1_024 * 1_024)}`, 'too many bytes'],
  ['a line of more than 64 KiB', `+${'x'.repeat(65 * 1_024)}`, 'too long a line'],
  ['a length with another character, which ioredis reads as a digit', '$1:\r\n', 'not a number'],
])('%s are not read', (_what, text, message) => {
  expect(() => readInPieces(text, [65_536])).toThrow(message);
});

it('many replies together may be larger', () => {
  readInPieces(
    encoded('x'.repeat(1_024 * 1_024)).repeat(20) + encoded(Array(600_000).fill(1)).repeat(2),
    [65_536],
  );
});

it('a connection on which a reply is too large is ended', async () => {
  const { port, connections } = forTest(await startFakeRedis());
  const redis = openServer({ kind: 'server', url: `redis://127.0.0.1:${port}` });
  onTestFinished(() => redis.disconnect());
  const ended = new Promise((resolve) => redis.once('error', resolve));
  await redis.connect();
  connections[0]?.socket.write('*1000001\r\n');
  expect(String(await ended)).toContain('too many members');
});
