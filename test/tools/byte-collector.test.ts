import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ByteCollector, freeNow } from '../../src/tools/byte-collector.ts';
import { fc } from '../support/fast-check.ts';

const chunk = Buffer.alloc(64 * 1_024, 'a');
const chunks = 512;
const size = chunks * chunk.length;

/** Bytes of memory outside the heap. */
const outside = () => process.memoryUsage().arrayBuffers;

function filled(): ByteCollector {
  const collector = new ByteCollector();
  for (let pushed = 0; pushed < chunks; pushed += 1) collector.push(chunk);
  return collector;
}

describe('a large body is not kept until the next collection', () => {
  it('by what collected it', () => {
    const collector = filled();
    const before = outside();
    const body = collector.take();
    expect(outside() - before).toBeLessThan(size / 8);
    expect(body.equals(Buffer.alloc(size, 'a'))).toBe(true);
  });

  it('while it is joined, where glibc returns freed memory at once, as in the container', () => {
    const source = `
      import { ByteCollector } from ${JSON.stringify(new URL('../../src/tools/byte-collector.ts', import.meta.url))};
      const collector = new ByteCollector();
      for (let pushed = 0; pushed < ${chunks}; pushed += 1) collector.push(Buffer.alloc(${chunk.length}, 'a'));
      const before = process.resourceUsage().maxRSS;
      collector.take();
      console.log(process.resourceUsage().maxRSS - before);`;
    const env = { ...process.env, MALLOC_MMAP_THRESHOLD_: '131072' };
    const kibibytes = execFileSync(process.execPath, ['--input-type=module', '--eval', source], { env });
    expect(Number(kibibytes) * 1_024).toBeLessThan(size / 2);
  });

  it('when it is dropped', () => {
    const collector = filled();
    const before = outside();
    collector.clear();
    expect(before - outside()).toBeGreaterThan(size / 2);
    expect([collector.length, collector.held]).toEqual([0, 0]);
  });

  it('after it was read', () => {
    const body = filled().take();
    const before = outside();
    freeNow(body);
    expect(before - outside()).toBeGreaterThan(size / 2);
  });
});

it('memory that other bytes share is not freed', () => {
  const part = chunk.subarray(0, chunk.length / 2);
  freeNow(part);
  expect(part.toString()).toBe('a'.repeat(chunk.length / 2));
});

it('a chunk that is the whole body is returned, and stays readable when the collector is emptied', () => {
  const collector = new ByteCollector();
  collector.push(chunk);
  const body = collector.take();
  collector.push(Buffer.from('next'));
  collector.clear();
  expect(body.equals(Buffer.alloc(chunk.length, 'a'))).toBe(true);
});

it('the collector returns all bytes in order, and holds at most twice as many and 1 KiB, and at most 128 KiB more', () => {
  const sizes = fc.array(fc.oneof(fc.constant(1), fc.nat(40), fc.nat(5_000), fc.nat(300_000)));
  fc.assert(
    fc.property(sizes, (lengths) => {
      const collector = new ByteCollector();
      const chunks = lengths.map((length, index) => Buffer.alloc(length, index));
      for (const chunk of chunks) {
        collector.push(chunk);
        expect(collector.held).toBeGreaterThanOrEqual(collector.length);
        expect(collector.held).toBeLessThanOrEqual(2 * collector.length + 1_024);
        expect(collector.held).toBeLessThanOrEqual(collector.length + 128 * 1_024);
      }
      expect(collector.take().equals(Buffer.concat(chunks))).toBe(true);
      expect(collector.held).toBe(0);
    }),
    { numRuns: 200 },
  );
});

it('the collector does not keep the read buffer that a small first chunk is a slice of', () => {
  const collector = new ByteCollector();
  collector.push(Buffer.alloc(65_536, 'a').subarray(0, 3));
  expect(collector.take().buffer.byteLength).toBeLessThanOrEqual(1_024);
});
