import { parseConstValue } from 'graphql';
import { expect, it } from 'vitest';
import { jsonObjectDraftScalar, jsonObjectScalar } from '../../src/graphql/scalars.ts';

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
