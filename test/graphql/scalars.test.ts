import { type ConstValueNode, parseConstValue } from 'graphql';
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

it('a JSON object has at most 10,000 values, also as a literal, into which variables bring any number', () => {
  const listOf = (length: number) => Array.from({ length }, () => 1);
  for (const scalar of [jsonObjectScalar, jsonObjectDraftScalar]) {
    const literal = (length: number) => scalar.valueToLiteral?.({ a: listOf(length) }) as ConstValueNode;
    // The object and its list are two of them.
    const most = 9_998;
    expect(scalar.coerceInputLiteral?.(literal(most))).toBeDefined();
    expect(scalar.coerceInputValue({ a: listOf(most) })).toBeDefined();
    const refusal = 'JSON has more than 10000 values.';
    expect(() => scalar.coerceInputLiteral?.(literal(most + 1))).toThrow(refusal);
    expect(() => scalar.coerceInputValue({ a: listOf(most + 1) })).toThrow(refusal);
  }
});
