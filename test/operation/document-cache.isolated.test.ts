/** Valid documents are cached, so that none is parsed twice. The memory of the cache is bounded. */
import { describe, expect, it, vi } from 'vitest';
import { createDocumentCache, type ValidDocument } from '../../src/operation/document-cache.ts';
import { maskError } from '../../src/operation/error-masking.ts';
import type { OperationRefusedError } from '../../src/operation/operation-request.ts';
import { schema } from '../../src/schema.ts';
import { heapBytes } from '../support/heap.ts';

const megabyte = 1024 * 1024;
const cacheOf = () => createDocumentCache(schema, false, 4 * megabyte, () => undefined);

const status = (index: number) => `{ malaysiaStatus(documentId: "${index}") { state } }`;

/** Documents with little text a token, with few tokens, and with few tokens for their text. */
const shapes = {
  'of many tokens': {
    count: 150,
    text: (index: number) => `{malaysiaStatuses(documentIds:[${index}${',1'.repeat(900)}]){state}}`,
  },
  'of few tokens': { count: 6_000, text: status },
  'of a long comment': {
    count: 300,
    text: (index: number) => `{ a${index}: __typename } # ${'漢'.repeat(60_000)}`,
  },
};

describe('the text of an operation', () => {
  const textOf = (length: number) => status(1).padEnd(length);

  it('may have 65,536 characters', () => {
    expect(cacheOf()(textOf(65_536)).bytes).toBeGreaterThan(65_536);
  });

  it('is refused with one more, before it is parsed', () => {
    expect(() => cacheOf()(`${textOf(65_536)}{`)).toThrowError(
      expect.objectContaining({
        errors: [expect.objectContaining({ message: expect.stringContaining('65536 characters') })],
      }),
    );
  });
});

describe('cached documents', () => {
  it('are found by their text', () => {
    const valid = cacheOf();
    const first = valid(status(1));
    expect(valid(status(1))).toBe(first);
    expect(valid(status(2))).not.toBe(first);
  });

  it('are dropped, the oldest first, when they do not fit', () => {
    const { bytes } = cacheOf()(status(1));
    const valid = createDocumentCache(schema, false, 2 * bytes, () => undefined);
    const [first, second] = [valid(status(1)), valid(status(2))];
    expect(valid(status(1)), 'both fit').toBe(first);
    valid(status(3));
    expect(valid(status(2))).toBe(second);
    expect(valid(status(1))).not.toBe(first);
  });

  it.for(Object.entries(shapes))(
    '%s hold less than 6 MB of the heap when they may hold 4',
    { timeout: 60_000 },
    ([, { count, text }]) => {
      const valid = cacheOf();
      valid(text(0));
      const before = heapBytes();
      let last: ValidDocument | undefined;
      for (let index = 1; index <= count; index += 1) last = valid(text(index));
      expect(heapBytes() - before).toBeLessThan(6 * megabyte);
      expect(valid(text(count)), 'the newest is kept').toBe(last);
    },
  );
});

it('the lines of a refused text are searched once for each error, not for each step of its masking', () => {
  const search = vi.spyOn(String.prototype, 'matchAll');
  const fields = Array.from({ length: 15 }, (_, at) => `unknown${at}`).join(' ');
  try {
    cacheOf()(`${'\n'.repeat(60_000)}{ ${fields} }`);
  } catch (error) {
    const { errors, code } = error as OperationRefusedError;
    for (const reason of errors) maskError(reason, { requestId: 'refused', code });
  }
  expect(search.mock.calls).toHaveLength(15);
  search.mockRestore();
});

it('a text nested too deep for the parser is refused as one that cannot be parsed', () => {
  const deep = `{ a(b: ${'['.repeat(1_900)}) }`;
  expect(() => cacheOf()(deep)).toThrow(expect.objectContaining({ code: 'GRAPHQL_PARSE_FAILED' }));
});
