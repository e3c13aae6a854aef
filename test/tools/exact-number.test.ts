import { describe, expect, it } from 'vitest';
import { ExactNumber, type JsonValue, writeJson } from '../../src/tools/exact-number.ts';
import { anyAmount, exactSum } from '../support/amounts.ts';
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

  it('returns exactly the numbers whose shortest text has at most 15 significant digits, as that text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.double({ min: 1e-90, max: 1e90, noNaN: true })), (float) => {
        const text = String(float);
        const digits = text.replaceAll(/e.*|\D/g, '').replaceAll(/^0+|0+$/g, '').length;
        const isExact = digits <= 15 || Number.isSafeInteger(float);
        expect(ExactNumber.fromFloat(float)?.text).toBe(
          isExact && /\d$/.test(text) && !/e.\d{3}/.test(text) ? text : undefined,
        );
      }),
      {
        numRuns: 1_000,
        examples: [
          ...[-0, 1.5, 1e21, 1e-7, 2 ** -30, 0.123456789012345, 0.1234567890123456, 0.1 + 0.2, 1 / 3],
          ...[2 ** 53 + 2, NaN, Infinity, -Infinity, 5e-324, Number.MAX_VALUE],
        ].map((float) => [float]),
      },
    );
  });
});

describe('ExactNumber.sum', () => {
  const sum = (...texts: string[]) => ExactNumber.sum(texts.map(money)).text;

  it('is that of integer arithmetic, without a negative zero, in the decimal places of the longest', () => {
    fc.assert(
      fc.property(fc.array(anyAmount), (amounts) => {
        expect(sum(...amounts.map(({ text }) => text))).toBe(exactSum(amounts));
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

function isJsonNumber(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'number' && text === text.trim();
  } catch {
    return false;
  }
}
