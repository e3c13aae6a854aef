/** What random operations (plan-random.test.ts) do not reach in a planned execution. */
import { execute, getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import { executeByPlan, outcomeOf } from '../../support/outcome.ts';
import { answer, argsOf, label, schema } from '../../support/shapes.ts';

describe('a selection', () => {
  it('is correct for more conditions than plans are kept', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `v${index}`);
    const document = parse(
      `query (${names.map((name) => `$${name}: Boolean!`)}) { ${names.map((name) => `${name}: number @include(if: $${name})`)} }`,
    );
    for (const bits of [...Array(64).keys(), 3, 62]) {
      const variables = Object.fromEntries(names.map((name, index) => [name, (bits & (1 << index)) > 0]));
      const result = await executeByPlan(argsOf(document, { root: { number: 1 }, variables }));
      expect(Object.keys(result.data ?? {})).toEqual(names.filter((name) => variables[name]));
    }
    const getField = vi.spyOn(schema, 'getField');
    const everyTrue = Object.fromEntries(names.map((name) => [name, true]));
    executeByPlan(argsOf(document, { root: { number: 1 }, variables: { ...everyTrue, v5: false } }));
    expect(getField).toHaveBeenCalled();
    getField.mockRestore();
  });

  it('is an error in every execution in which a condition has no value', async () => {
    const document = parse('query ($a: Boolean = true) { label { text @skip(if: $a) note } }');
    // Invalid, but graphql-js executes it: a string is ignored as a condition, and a missing value is an error.
    const invalid = parse('query ($a: String) { label { text @skip(if: $a) note } }');
    const ofList = parse('query ($a: Boolean = true) { label { full { text @skip(if: $a) note } } }');
    const root = { label: { ...label, full: Array(50).fill(label) } };
    for (const a of [false, null, true, null, '', null, undefined]) {
      for (const [operation, value] of [
        [document, a],
        [invalid, a && String(a)],
        [ofList, a],
      ] as const) {
        const args = () => argsOf(operation, { root, variables: { a: value } });
        expect(await outcomeOf(executeByPlan, args)).toBe(await outcomeOf(execute, args));
      }
    }
    const nullCondition = await executeByPlan(argsOf(document, { root: { label }, variables: { a: null } }));
    expect(nullCondition.errors?.[0]?.message).toMatch(/^Argument "@skip\(if:\)" has invalid value/);
  });

  it('can be introspection', async () => {
    const text = getIntrospectionQuery().replace(
      '{',
      '{ label { __typename } __type(name: "Label") { name }',
    );
    const { label: answered, __type, __schema } = (await answer(text, { label })).data as any;
    expect([answered, __type]).toEqual([{ __typename: 'Label' }, { name: 'Label' }]);
    expect(__schema.types.length).toBeGreaterThan(10);
  });

  it('can be on a function instead of an object', async () => {
    const list = [Object.assign(() => {}, { text: 'of a function', note: () => 'of its method' })];
    const { data } = await answer('{ label { list { text note } } }', { label: { list } });
    expect(data).toEqual({ label: { list: [{ text: 'of a function', note: 'of its method' }] } });
  });
});
