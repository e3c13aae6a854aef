/** How the size of a result is counted, and how much may follow when a part of it is dropped. */
import { describe, expect, it } from 'vitest';
import { ResultSize, ResultTooLargeError, resultLimit } from '../../src/operation/result-limit.ts';

const unlimited = 1_000_000_000;
const ofValues = (maxValues: number) => new ResultSize({ maxValues, maxBytes: unlimited });
const ofBytes = (maxBytes: number) => new ResultSize({ maxValues: unlimited, maxBytes });

type Add = (size: ResultSize) => void;
const twice =
  (add: Add): Add =>
  (size) => {
    add(size);
    add(size);
  };

/** Expects that the size is at its limit: not above it, but with one more byte or value. */
function expectFull(size: ResultSize): void {
  expect(size.error).toBeUndefined();
  expect(() => size.addFields(1, 1)).toThrow(ResultTooLargeError);
  expect(size.error).toBeInstanceOf(ResultTooLargeError);
}

describe('the values of a result', () => {
  it.each<[string, number, Add]>([
    ['fields', 7, (size) => size.addFields(7, 0)],
    ['errors, 100 each', 200, twice((size) => size.addError(0))],
    ['members of JSON on all levels', 5, (size) => size.addLeaf({ a: { b: [1, null] }, c: 'd' })],
    ['no strings, numbers or booleans', 0, (size) => size.addLeaf('a')],
    ['no null', 0, (size) => size.addLeaf(null)],
  ])('are its %s: %i', (_what, values, add) => {
    const size = ofValues(values);
    add(size);
    expectFull(size);
    if (values > 0) expect(() => add(ofValues(values - 1))).toThrow(ResultTooLargeError);
  });

  it('may be required before they are built', () => {
    const size = ofValues(10);
    size.addFields(4, 0);
    size.requireRoom(6);
    expect(size.error).toBeUndefined();
    expect(() => size.requireRoom(7)).toThrow(ResultTooLargeError);
  });
});

describe('the bytes of a result, without its longest string', () => {
  const longest = 'x'.repeat(1_000);

  it.each<[string, number, Add]>([
    ['12 and its name for a field', 12 * 3 + 5, (size) => size.addFields(3, 5)],
    ['700 and its path for an error', 705, (size) => size.addError(5)],
    ['those of the texts of the service in an error', 700 + 12 + 3, (size) => size.addError(0, ['"a'])],
    ['one for each character of a string up to 24', 24, (size) => size.addLeaf('\u00e9'.repeat(24))],
    ['those in UTF-8 of a longer string', 50, (size) => size.addLeaf('\u00e9'.repeat(25))],
    ['those of escapes', 50, (size) => size.addLeaf('"'.repeat(25))],
    ['those of each alias of a string', 60, twice((size) => size.addLeaf('b'.repeat(30)))],
    ['those of names and strings in JSON', 12 + 4 + 2, (size) => size.addLeaf({ name: 'ab' })],
    [
      'those in UTF-8 of longer strings in JSON',
      12 + 4 + 50,
      (size) => size.addLeaf({ name: '\u00e9'.repeat(25) }),
    ],
  ])('are %s: %i', (_what, bytes, add) => {
    const size = ofBytes(bytes);
    size.addLeaf(longest);
    add(size);
    expectFull(size);
    const smaller = ofBytes(bytes - 1);
    expect(() => {
      smaller.addLeaf(longest);
      add(smaller);
      smaller.addFields(0, 0);
    }).toThrow(ResultTooLargeError);
  });

  it('leave out the longest string also when it is within JSON', () => {
    const size = ofBytes(12 + 4);
    size.addLeaf({ name: longest });
    size.addFields(0, 0);
    expectFull(size);
  });

  it('are twice those of a string of more than 64 Ki characters, which may all be escaped', () => {
    const size = ofBytes(65_536);
    for (const letter of ['a', 'b']) size.addLeaf(letter.repeat(65_536));
    expectFull(size);
    const doubled = ofBytes(2 * 65_537);
    for (const letter of ['a', 'b']) doubled.addLeaf(letter.repeat(65_537));
    expectFull(doubled);
  });
});

describe('a result without a part that exceeds its limit', () => {
  /** How many values may follow after each part that was dropped. */
  function followingValues(parts: number): number[] {
    const size = ofValues(1_000);
    return Array.from({ length: parts }, () => {
      expect(() => size.addFields(1_001, 0)).toThrow(ResultTooLargeError);
      expect(size.dropPart()).toBe(true);
      let following = 0;
      for (const probe = () => size.requireRoom(following + 1); ; following += 1) {
        try {
          probe();
        } catch {
          size.dropPart();
          return following;
        }
      }
    });
  }

  it('may go on with half of what was allowed before, and at least 2 in 1,000', () => {
    // Each probe drops a part too.
    expect(followingValues(6)).toEqual([500, 125, 31, 7, 2, 2]);
  });

  it('may go on 500 times', () => {
    const size = ofBytes(1_000);
    for (let part = 0; part < 500; part += 1) expect(size.dropPart()).toBe(true);
    expect(size.error).toBeUndefined();
    expect(size.dropPart()).toBe(false);
  });

  it('holds a whole number of bytes, so that their sum is 0 when all are released', () => {
    const size = new ResultSize(resultLimit);
    for (let part = 0; part < 12; part += 1) {
      size.dropPart();
      expect(Number.isInteger(size.largeBytes)).toBe(true);
    }
  });
});
