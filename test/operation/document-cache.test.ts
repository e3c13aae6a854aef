/** Valid documents are cached, so that none is parsed twice. kept-memory.isolated.test.ts measures what they hold. */
import { describe, expect, it } from 'vitest';
import { createDocumentCache } from '../../src/operation/document-cache.ts';
import { createDocumentParser } from '../../src/operation/valid-document.ts';
import { schema } from '../../src/schema.ts';

const megabyte = 1024 * 1024;
const cacheOf = (maxBytes = 4 * megabyte) =>
  createDocumentCache(createDocumentParser(schema, false), maxBytes, () => undefined);

const status = (index: number) => `{ malaysiaStatus(documentId: "${index}") { state } }`;

it('the text of an operation may have 65,536 characters, and is refused with one more before it is parsed', () => {
  const text = status(1).padEnd(65_536);
  expect(cacheOf()(text).bytes).toBeGreaterThan(65_536);
  const error = expect.objectContaining({ message: expect.stringContaining('65536 characters') });
  expect(() => cacheOf()(`${text}{`)).toThrowError(expect.objectContaining({ errors: [error] }));
});

describe('cached documents', () => {
  it('are found by their text', () => {
    const valid = cacheOf();
    const first = valid(status(1));
    expect(valid(status(1))).toBe(first);
    expect(valid(status(2))).not.toBe(first);
  });

  it('that operations in progress hold are found by their hash, but not by a text with half a character', () => {
    const text = (character: string) => `{ malaysiaStatus(documentId: "${character}") { state } }`;
    const held = cacheOf()(text('\ufffd'));
    const valid = createDocumentCache(createDocumentParser(schema, false), 4 * megabyte, () => held);
    expect(valid(text('\ufffd'))).toBe(held);
    expect(() => valid(text('\ud800'))).toThrow();
  });

  it('are dropped, the oldest first, when they do not fit', () => {
    const { bytes } = cacheOf()(status(1));
    const valid = cacheOf(2 * bytes);
    const [first, second] = [valid(status(1)), valid(status(2))];
    expect(valid(status(1)), 'both fit').toBe(first);
    valid(status(3));
    expect(valid(status(2))).toBe(second);
    expect(valid(status(1))).not.toBe(first);
  });

  it('stay when one arrives that is larger than the cache', () => {
    const valid = cacheOf(megabyte);
    const first = valid(status(1));
    const fields = Array.from({ length: 20 }, (_, index) => `a${index}: gatewayInfo { limits { ...G } }`);
    const selected = Array.from({ length: 30 }, (_, index) => `a${index}: maxXmlBytes`).join(' ');
    const operations = Array.from({ length: 14 }, (_, index) => `query Q${index} { ...F }`).join(' ');
    const text = `${operations} fragment F on Query { ${fields.join(' ')} } fragment G on GatewayLimits { ${selected} }`;
    expect(valid(text).bytes).toBeGreaterThan(megabyte);
    expect(valid(status(1))).toBe(first);
  });
});
