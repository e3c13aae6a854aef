import { isScalarType, isSpecifiedScalarType, parseConstValue } from 'graphql';
import { expect, it } from 'vitest';
import { jsonObjectDraftScalar, jsonObjectScalar } from '../../src/graphql/scalars.ts';
import { schema } from '../../src/schema.ts';

const scalars = Object.values(schema.getTypeMap())
  .filter(isScalarType)
  .filter((type) => !isSpecifiedScalarType(type));

it.each(scalars.map((scalar) => [scalar.name, scalar] as const))(
  '%s names its specification with @specifiedBy',
  (_name, { specifiedByURL }) => {
    expect(specifiedByURL).toMatch(
      /^https:\/\/(www\.rfc-editor\.org\/rfc\/rfc\d+#section-[\d.]+|github\.com\/)/,
    );
  },
);

it.each([
  ['objects', '{a:', '}'],
  ['lists', '[', ']'],
])('a JSON object is at most 32 levels deep, also as a literal: %s', (_of, open, close) => {
  const literal = (levels: number) => `{a:${open.repeat(levels - 2)}[]${close.repeat(levels - 2)}}`;
  const deepest = literal(32);
  const value = JSON.parse(deepest.replaceAll('a', '"a"'));
  for (const scalar of [jsonObjectScalar, jsonObjectDraftScalar]) {
    expect(scalar.coerceInputLiteral?.(parseConstValue(deepest))).toEqual(value);
    expect(scalar.coerceInputValue(value)).toEqual(value);
    const refusal = 'JSON has more than 32 levels.';
    expect(() => scalar.coerceInputLiteral?.(parseConstValue(literal(33)))).toThrow(refusal);
    expect(() => scalar.coerceInputValue({ a: value })).toThrow(refusal);
  }
});

it.each(['1'.repeat(61), '1e100', '1,5', 1e100, true])(
  'Decimal refuses %j and says what it accepts',
  (value) => {
    const decimal = scalars.find(({ name }) => name === 'Decimal');
    expect(() => decimal?.coerceInputValue(value)).toThrow(
      'Decimal must be a number such as "1436.50", with at most 60 characters and an exponent of at most 2 digits.',
    );
  },
);
