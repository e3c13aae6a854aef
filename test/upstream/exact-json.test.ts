import { describe, expect, it, vi } from 'vitest';
import {
  ExactNumber,
  hasLongDigits,
  type JsonObject,
  type JsonValue,
  readExactJson,
  textOfJson,
  writeJson,
} from '../../src/upstream/exact-json.ts';
import { anyAmount, exactSum, textOf } from '../support/amounts.ts';
import { money } from '../support/an-invoice.ts';
import { fc } from '../support/fast-check.ts';

const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max, size: 'max' });

/** Every form of a number in RFC 8259, up to 60 characters. */
const anyNumberText = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(
      fc.constant('0'),
      digits(1, 25).filter((text) => !text.startsWith('0')),
    ),
    fraction: fc.oneof(
      fc.constant(''),
      digits(1, 25).map((text) => `.${text}`),
    ),
    exponent: fc.oneof(
      fc.constant(''),
      fc
        .record({ e: fc.constantFrom('e', 'E'), sign: fc.constantFrom('', '+', '-'), power: digits(1, 2) })
        .map(({ e, sign, power }) => e + sign + power),
    ),
  })
  .map(({ sign, whole, fraction, exponent }) => sign + whole + fraction + exponent);

describe('ExactNumber.parse', () => {
  it('keeps every character of a text if JSON reads it as a number, and rejects it otherwise', () => {
    const almost = fc.string({ unit: fc.constantFrom(...'0123456789.-+eE x'), maxLength: 12 });
    const others = fc.constantFrom(
      ...['', ' ', '1 ', ' 1', '1\n', '+1', '01', '-01', '.5', '5.', '1.e5', '1e', '1e+', '--1', '1.2.3'],
      ...['1,5', '1_000', '0x10', '1n', 'NaN', 'Infinity', '-Infinity', 'null', '１', '1e5.5', '-'],
    );
    fc.assert(
      fc.property(fc.oneof(almost, others, anyNumberText), (text) => {
        const isNumber = isJsonNumber(text) && !/[eE][+-]?\d{3}/.test(text);
        expect(ExactNumber.parse(text)?.text).toBe(isNumber ? text : undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  it('returns the sign of the value', () => {
    fc.assert(
      fc.property(anyNumberText, (text) => {
        const { sign, value } = money(text.slice(0, 60).replace(/[.eE+-]+$/, ''));
        expect(sign).toBe(value.comparedTo(0));
      }),
    );
    expect(['0', '-0', '0.00', '0e5', '-0.0e9'].map((zero) => money(zero).sign)).toEqual([0, 0, 0, 0, 0]);
  });

  it('rejects more than 60 characters and exponents of more than two digits', () => {
    expect(ExactNumber.parse('9'.repeat(60))?.text).toBe('9'.repeat(60));
    expect(ExactNumber.parse('9'.repeat(61))).toBeNull();
    expect(ExactNumber.parse('1e99')?.text).toBe('1e99');
    for (const text of ['1e100', '1e-100', '1e999999999', '1e001'])
      expect(ExactNumber.parse(text)).toBeNull();
  });
});

describe('ExactNumber.fromFloat', () => {
  it('returns the written number when it has at most 15 significant digits', () => {
    const written = fc.record({
      digits: fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
      places: fc.nat({ max: 15 }),
    });
    fc.assert(
      fc.property(written, ({ digits, places }) => {
        const text = `${digits}e-${places}`;
        expect(ExactNumber.fromFloat(JSON.parse(text))?.value.equals(text)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [-0, '0'],
    [1436.5, '1436.5'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
  ])('reads %d as %s', (float, text) => {
    expect(ExactNumber.fromFloat(float)?.text).toBe(text);
  });

  it.each([0.1 + 0.2, 1 / 3, 2 ** 53 + 2, NaN, Infinity, -Infinity, 5e-324, Number.MAX_VALUE])(
    'returns null for %d, which may differ from the written number',
    (float) => {
      expect(ExactNumber.fromFloat(float)).toBeNull();
    },
  );
});

describe('readExactJson', () => {
  const read = (text: string) => readExactJson(Buffer.from(text));

  it('reads any number of 16 or more digits as it is written, and writes it again', () => {
    const written = fc
      .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.nat({ max: 9 }))
      .map(([digits, places]) => (places === 0 ? `${digits}` : `${digits}.${'123456789'.slice(0, places)}`));
    fc.assert(
      fc.property(fc.array(written, { minLength: 1 }), (numbers) => {
        const text = `{"numbers":[${numbers.join(',')}]}`;
        expect(writeJson(read(text) as JsonObject).replaceAll('"', '')).toBe(text.replaceAll('"', ''));
      }),
      { examples: [[['1.500000000000000']]] },
    );
  });

  it.each([
    ['9007199254740991', 9_007_199_254_740_991],
    ['0.12345678901234', 0.12345678901234],
    ['"12345678901234567890"', '12345678901234567890'],
    ['[1.5,"1234567890.1234567890"]', [1.5, '1234567890.1234567890']],
    [`1e400`, Number.POSITIVE_INFINITY],
  ])('reads %s as JSON.parse does', (text, value) => {
    expect(read(text)).toEqual(value);
  });
});

describe('ExactNumber.sum', () => {
  const sum = (...texts: string[]) => ExactNumber.sum(texts.map(money)).text;

  it('is that of integer arithmetic, without a negative zero, in the decimal places of the longest', () => {
    fc.assert(
      fc.property(fc.array(anyAmount), (amounts) => {
        expect(sum(...amounts.map(textOf))).toBe(exactSum(amounts));
      }),
    );
    expect(sum('1e2', '1.5e-1')).toBe('100.15');
  });

  it('is exact for the largest and the smallest number', () => {
    expect(sum('1e99', '1e-99')).toBe(`1${'0'.repeat(99)}.${'0'.repeat(98)}1`);
    expect(sum('9'.repeat(60), '1')).toBe(`1${'0'.repeat(60)}`);
    expect(sum('1e99', '1e-99', '-1e99')).toBe(`0.${'0'.repeat(98)}1`);
  });
});

describe('writeJson', () => {
  it('writes each ExactNumber character by character at any depth', () => {
    fc.assert(
      fc.property(fc.array(anyNumberText), (texts) => {
        expect(writeJson({ a: [texts.map(money)] })).toBe(`{"a":[[${texts.join(',')}]]}`);
      }),
    );
    expect(writeJson(money('1E+2'))).toBe('1E+2');
  });

  it('otherwise writes what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(writeJson(value as JsonValue)).toBe(JSON.stringify(value));
      }),
    );
    expect(writeJson({ a: undefined, b: null, id: '00123' })).toBe('{"b":null,"id":"00123"}');
  });
});

describe('JSON of the service', () => {
  const readJson = (text: string): unknown => JSON.parse(textOfJson(Buffer.from(text)));

  it('returns an integer beyond 2^53 as a string and any other as a number', () => {
    const around = (most: bigint) => fc.bigInt({ min: -most, max: most });
    fc.assert(
      fc.property(fc.oneof(around(10n ** 30n), around(2n ** 53n + 100n)), (integer) => {
        const docId = Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer);
        expect(readJson(`{"docId":${integer}}`)).toEqual({ docId });
      }),
    );
  });

  it.each([
    ['"26442000000000000017"', '26442000000000000017'],
    ['0.12345678901234567', Number('0.12345678901234567')],
    ['1e20', 1e20],
    ['1234567890123456.5', 1234567890123456.5],
  ])('reads %s as %j', (text, value) => {
    expect(readJson(text)).toBe(value);
    expect(readJson(`[{"a":[${text}]}]`)).toEqual([{ a: [value] }]);
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
        expect(readJson(text)).toEqual(plain);
        expect(readJson(`["1234567890123456",${text}]`)).toEqual(['1234567890123456', plain]);
      }),
    );
  });

  it('accepts a byte order mark', () => {
    expect(readJson('\ufeff{"a":1}')).toEqual({ a: 1 });
    expect(readJson('\ufeff[9007199254740993]')).toEqual(['9007199254740993']);
  });

  it('reads a member named __proto__ as an ordinary member', () => {
    for (const text of ['{"__proto__":{"a":1}}', '{"__proto__":{"a":9007199254740993}}']) {
      const read = readJson(text) as object;
      expect(Object.keys(read)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    }
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
        expect(accepts(readJson, text)).toBe(accepts(JSON.parse, text));
      }),
      { numRuns: 5_000 },
    );
    for (const text of ['{"a":1,12345678901234567 :2}', '[12345678901234567', '<html>', '\ufeff'])
      expect(() => readJson(text)).toThrow(SyntaxError);
  });

  it('reads 200,000 long numbers without a reviver, which takes five times as long', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const numbers = Array.from({ length: 200_000 }, (_, index) =>
      String(9_007_199_254_740_993n + BigInt(index)),
    );
    expect(readJson(`[${numbers.join(',')}]`)).toEqual(numbers);
    expect(parse.mock.calls.map(({ length }) => length)).toEqual([1]);
    parse.mockRestore();
  });
});

function isJsonNumber(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'number' && text === text.trim();
  } catch {
    return false;
  }
}

/** A large float as JSON.stringify writes it: up to 10^21 in digits, which are read as a string. */
function integerText(float: number): number | string {
  const text = JSON.stringify(float);
  return /^-?\d+$/.test(text) ? text : float;
}

it('hasLongDigits finds 16 digits in a row at any position', () => {
  const other = fc.string({ unit: fc.constantFrom(...'",:e-. x/٣'), maxLength: 20, size: 'max' });
  fc.assert(
    fc.property(fc.array(fc.tuple(other, digits(0, 40)), { maxLength: 6 }), (pieces) => {
      const text = pieces.flat().join('');
      expect(hasLongDigits(Buffer.from(text))).toBe(/[\d.]{16}/.test(text));
    }),
    { numRuns: 1_000 },
  );
});
