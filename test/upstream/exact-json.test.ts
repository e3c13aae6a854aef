import { Decimal as DecimalOf } from 'decimal.js';
import { describe, expect, it, vi } from 'vitest';
import { type JsonObject, writeJson } from '../../src/tools/exact-number.ts';
import { binary64, readExactJson, readServiceJson } from '../../src/upstream/exact-json.ts';
import { fc } from '../support/fast-check.ts';

const Decimal = DecimalOf.clone({ precision: 100 });

const readExactly = (text: string) => readExactJson(Buffer.from(text));
const readService = (text: string): unknown => readServiceJson(Buffer.from(text));

describe.each([
  ['a caller', readExactly],
  ['the service', readService],
])('JSON of %s', (_whose, read) => {
  it('reads a member named __proto__ as an ordinary member', () => {
    for (const value of ['1234567890.1234567890', '{"a":1}', '{"a":9007199254740993}']) {
      const object = read(`{"__proto__":${value}}`) as object;
      expect(Object.keys(object)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    }
  });

  it('reads 20,000 long numbers without a reviver, and copies them without a call of Node for each: both take longer', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const copies = (['copy', 'write', 'writeUInt8'] as const).map((name) => vi.spyOn(Buffer.prototype, name));
    const number = '9007199254740993';
    const numbers = read(`[${Array(20_000).fill(number).join()}]`);
    expect(copies.flatMap(({ mock }) => mock.calls).length).toBeLessThan(10);
    for (const copy of copies) copy.mockRestore();
    expect(numbers).toEqual(Array(20_000).fill(read(number)));
    expect(new Set(parse.mock.calls.map(({ length }) => length))).toEqual(new Set([1]));
    parse.mockRestore();
  });

  it('accepts the same texts as JSON.parse, with long numbers anywhere', () => {
    const others = ['12345678901234567', '"a"', '{"a":', 'true', '"\\"'];
    const piece = fc.constantFrom(...'[]{},:"\\-+.e0 \n', ...others);
    const accepts = (parse: (text: string) => unknown, text: string) => {
      try {
        return [parse(text)].length > 0;
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
        return false;
      }
    };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        expect(accepts(read, text)).toBe(accepts(JSON.parse, text));
      }),
      { numRuns: 2_000 },
    );
    for (const text of ['{"a":1,12345678901234567 :2}', '[12345678901234567', '<html>', '\ufeff'])
      expect(() => read(text)).toThrow(SyntaxError);
  });
});

describe('JSON of a caller', () => {
  it('reads any number of 16 or more digits as it is written, and writes it again', () => {
    const written = fc
      .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.nat({ max: 9 }))
      .map(([digits, places]) => (places === 0 ? `${digits}` : `${digits}.${'123456789'.slice(0, places)}`));
    fc.assert(
      fc.property(fc.array(written, { minLength: 1 }), (numbers) => {
        const text = `{"numbers":[${numbers.join(',')}]}`;
        expect(writeJson(readExactly(text) as JsonObject).replaceAll('"', '')).toBe(text.replaceAll('"', ''));
      }),
      { examples: [[['1.500000000000000']]] },
    );
  });

  it.each([
    ['9007199254740991', 9_007_199_254_740_991],
    ['-9007199254740991', -9_007_199_254_740_991],
    ['0.12345678901234', 0.12345678901234],
    ['"12345678901234567890"', '12345678901234567890'],
    ['[1.5,"1234567890.1234567890"]', [1.5, '1234567890.1234567890']],
    ['["1e-400",1e-40]', ['1e-400', 1e-40]],
  ])('reads %s as JSON.parse does', (text, value) => {
    expect(readExactly(text)).toEqual(value);
  });

  it.each([
    ['1e400', Number.NaN],
    ['-0.001E-400', Number.NaN],
    ['1234567890123456e-400', Number.NaN],
    ['[1e-40,1e-400]', [1e-40, Number.NaN]],
    ['{"1":1e+1000}', { 1: Number.NaN }],
  ])('reads %s with NaN, which nothing accepts: JSON.parse reads Infinity or 0', (text, value) => {
    expect(readExactly(text)).toEqual(value);
  });

  it('otherwise returns what JSON.parse returns, with and without long numbers', () => {
    const [long] = [readExactly('1234567890.1234567890')];
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const plain = JSON.parse(text, (_key, member) =>
          typeof member === 'number' ? readExactly(String(member)) : member,
        );
        expect(readExactly(text)).toEqual(plain);
        expect(readExactly(`[1234567890.1234567890,${text}]`)).toEqual([long, plain]);
      }),
    );
  });

  it('reads 20,000 levels with a long number', () => {
    const text = `${'['.repeat(20_000)}1234567890.1234567890${']'.repeat(20_000)}`;
    expect(readExactly(text)).toHaveLength(1);
  });
});

describe('JSON of the service', () => {
  it('returns each number with its value: as a string if JSON.stringify would write another one', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 30 });
    const exponent = fc.constantFrom('', '', 'e3', 'E-7', 'e+22', 'e400', 'e-400', 'e-320', 'e0000');
    const value = (text: string) => new Decimal(text).toString().replace(/^-0$/, '0');
    fc.assert(
      fc.property(fc.constantFrom('', '-'), fc.nat(), digits, exponent, (sign, whole, fraction, power) => {
        const number = `${sign}${whole}.${fraction}${power}`;
        const [read] = readService(`[${number}]`) as [number | string];
        expect(typeof read === 'string' ? read : value(JSON.stringify(read))).toBe(
          typeof read === 'string' ? number : value(number),
        );
        if (typeof read === 'string') expect(value(String(Number(number)))).not.toBe(value(number));
        expect(binary64(read)).toBe(Number.isFinite(Number(number)) ? Number(number) : undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  it('returns an integer beyond 2^53 as a string and any other as a number, at any position', () => {
    const around = (most: bigint) => fc.bigInt({ min: -most, max: most });
    const of16Digits = fc.bigInt({ min: 2n ** 53n, max: 10n ** 16n - 1n });
    const integers = fc.oneof(around(10n ** 30n), around(2n ** 53n + 100n), of16Digits);
    fc.assert(
      fc.property(integers, fc.nat({ max: 16 }), (integer, blanks) => {
        const docId = Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer);
        expect(readService(`{"docId":${' '.repeat(blanks)}${integer}}`)).toEqual({ docId });
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['"26442000000000000017"', '26442000000000000017'],
    ['0.12345678901234567', '0.12345678901234567'],
    ['0.30000000000000004', 0.1 + 0.2],
    ['1.50000000000000000000', 1.5],
    ['1e20', 1e20],
    ['1e400', '1e400'],
    ['1e-400', '1e-400'],
    ['0e-400', 0],
    ['1234567890123456.5', 1234567890123456.5],
    ['1234567890123456.05', '1234567890123456.05'],
  ])('reads %s as %j', (text, value) => {
    expect(readService(text)).toBe(value);
    expect(readService(`[{"a":[${text}]}]`)).toEqual([{ a: [value] }]);
  });

  it('otherwise returns what JSON.parse returns, with and without long numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const plain = JSON.parse(text, (_key, member) =>
          typeof member === 'number' && Number.isInteger(member) && !Number.isSafeInteger(member)
            ? integerText(member)
            : member,
        );
        expect(readService(text)).toEqual(plain);
        expect(readService(`["1234567890123456",${text}]`)).toEqual(['1234567890123456', plain]);
      }),
    );
  });

  it('accepts a byte order mark', () => {
    expect(readService('\ufeff{"a":1}')).toEqual({ a: 1 });
    expect(readService('\ufeff[9007199254740993]')).toEqual(['9007199254740993']);
  });
});

/** A large float as JSON.stringify writes it: up to 10^21 in digits, which are read as a string. */
function integerText(float: number): number | string {
  const text = JSON.stringify(float);
  return /^-?\d+$/.test(text) ? text : float;
}

it.each(['5', '', '-', 'a', '0.5', '1e40', '9007199254740991', '1e', '12345678901234567a'])(
  'binary64 takes no text but that of a number it rounds: not %j',
  (text) => {
    expect(binary64(text)).toBeUndefined();
  },
);
