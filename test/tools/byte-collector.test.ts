import { describe, expect, it } from 'vitest';
import { ByteCollector, freeNow } from '../../src/tools/byte-collector.ts';

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
