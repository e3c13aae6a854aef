/** Selections and arguments of a planned execution: `answer` compares its results with those of graphql-js. */
import { execute, type GraphQLResolveInfo, getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import { executeByPlan, outcomeOf } from '../../support/outcome.ts';
import { answer, argsOf, data, errors, label, schema } from '../../support/shapes.ts';

describe('a selection', () => {
  it('has its fields in the order of the document, each name once, fragments merged', async () => {
    const text = `{
      ...F
      a: label { text inner { note } }
      label { text ...G ... on Label { inner { ...G } } ... { text } }
      label { again: text inner { text } }
    }
    fragment F on Query { number label { note } }
    fragment G on Label { note inner { note } }`;
    const inner = { text: 'inner', note: 'of inner' };
    const root = { number: 1, label: { ...label, note: 'note', inner } };
    expect(JSON.stringify(await data(text, () => ({ root })))).toBe(
      '{"number":1,"label":{"note":"note","text":"text","inner":{"note":"of inner","inner":null,"text":"inner"},"again":"text"},' +
        '"a":{"text":"text","inner":{"note":"of inner"}}}',
    );
  });

  it('depends on the conditions of each execution of the document', async () => {
    const document = parse(`query ($a: Boolean!, $b: Boolean! = true) {
      label @include(if: $a) { text @skip(if: $b) ...F @include(if: $b) inner @skip(if: true) { text } }
      label { colour @include(if: true) }
      number @skip(if: $a) @include(if: $b)
    }
    fragment F on Label { note @include(if: $a) }`);
    const root = { number: 1, label: { ...label, note: 'note', colour: 'RED' } };
    const answers = new Set<string>();
    for (const variables of [
      { a: true },
      { a: false },
      { a: true, b: false },
      { a: false, b: false },
      { a: true },
    ]) {
      const args = () => argsOf(document, { root, variables });
      const expected = await outcomeOf(execute, args);
      expect(await outcomeOf(executeByPlan, args)).toBe(expected);
      answers.add(expected);
    }
    expect(answers.size).toBe(4);
  });

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
    for (const a of [false, null, true, null, '', null, undefined]) {
      const args = () => argsOf(document, { root: { label }, variables: { a } });
      const invalidArgs = () => argsOf(invalid, { root: { label }, variables: { a: a && String(a) } });
      expect(await outcomeOf(executeByPlan, args)).toBe(await outcomeOf(execute, args));
      expect(await outcomeOf(executeByPlan, invalidArgs)).toBe(await outcomeOf(execute, invalidArgs));
    }
    const nullCondition = await executeByPlan(argsOf(document, { root: { label }, variables: { a: null } }));
    expect(nullCondition.errors?.[0]?.message).toMatch(/^Argument "@skip\(if:\)" has invalid value/);
  });

  it('can use names of object prototypes', async () => {
    const text = '{ __proto__: number constructor: number toString: __typename label { __proto__: text } }';
    const result = await data(text, () => ({ root: { number: 1, label } }));
    expect(JSON.stringify(result)).toBe(
      '{"__proto__":1,"constructor":1,"toString":"Query","label":{"__proto__":"text"}}',
    );
  });

  it('can be introspection', async () => {
    const text = getIntrospectionQuery().replace(
      '{',
      '{ label { __typename } __type(name: "Label") { name }',
    );
    const { label: answered, __type, __schema } = (await data(text, () => ({ root: { label } }))) as any;
    expect([answered, __type]).toEqual([{ __typename: 'Label' }, { name: 'Label' }]);
    expect(__schema.types.length).toBeGreaterThan(10);
  });

  it('leaves out fields that the schema does not have', async () => {
    expect(
      await data('{ number nothing label { text { x } ...Missing } }', () => ({
        root: { number: 1, label },
      })),
    ).toEqual({ number: 1, label: { text: 'text' } });
  });
});

describe('arguments in a planned execution', () => {
  const echo = async (given: string, variables?: Record<string, unknown>, definitions = '') =>
    (await data(`query Q${definitions} { echo${given} }`, () => ({ variables })))?.['echo'];

  it('have their defaults on all levels', async () => {
    expect(await echo('(boxes: { inner: {} })')).toEqual({
      boxes: [{ size: 1, label: 'none', inner: { size: 1, label: 'none' } }],
      number: 7,
      name: 'x',
    });
    expect(await echo('(box: $box, number: $n)', {}, '($box: Box = { size: 3 }, $n: Int)')).toEqual({
      box: { size: 3, label: 'none' },
      number: 7,
      name: 'x',
    });
    expect(
      await echo('(number: $n, box: { label: $l })', { n: null, l: null }, '($n: Int, $l: String)'),
    ).toEqual({
      number: null,
      box: { size: 1, label: null },
      name: 'x',
    });
  });

  it('can be JSON with variables in it', async () => {
    expect(
      await echo(
        '(json: { a: [$n, { b: $s, c: $none }], d: RED })',
        { n: 1, s: 't' },
        '($n: Int, $s: String, $none: Int)',
      ),
    ).toMatchObject({ json: { a: [1, { b: 't' }], d: 'RED' } });
  });

  it('can be a OneOf input with exactly one field', async () => {
    expect(await echo('(choice: { id: $id })', { id: 5 }, '($id: ID!)')).toMatchObject({
      choice: { id: '5' },
    });
    expect(await errors('{ echo(choice: { id: 1, name: "n" }) }')).toEqual([
      'echo: Argument "Query.echo(choice:)" has invalid value: ' +
        'Within OneOf Input Object type "Choice", exactly one field must be specified, and the value for that field must be non-null.',
    ]);
    expect(await errors('query ($id: ID) { number echo(choice: { id: $id }) }')).toHaveLength(1);
    expect(
      await errors('query ($c: Choice) { echo(choice: $c) }', () => ({ variables: { c: {} } })),
    ).toHaveLength(1);
  });

  it('that are invalid are errors of their field, for a property too', async () => {
    const text =
      '{ echo(colour: BLUE) number label { length(unit: 1) text } other: label { length(unit: null) } }';
    const got = await answer(text, () => ({ root: { number: 1, label: { ...label, length: 5 } } }));
    expect(got.data).toEqual({
      echo: null,
      number: 1,
      label: { length: null, text: 'text' },
      other: { length: null },
    });
    expect(got.errors?.map(({ path }) => path?.join('.'))).toEqual(['echo', 'label.length', 'other.length']);
  });

  it('are passed to methods with the context and info', async () => {
    const length = vi.fn(
      (_values: unknown, _context: unknown, info: GraphQLResolveInfo) => info.fieldName.length,
    );
    const note = vi.fn(function (this: { text: string }) {
      return this.text;
    });
    const text = '{ label { length(unit: "cm") note } }';
    expect(await data(text, () => ({ root: { label: { ...label, length, note } } }))).toEqual({
      label: { length: 6, note: 'text' },
    });
    expect(length.mock.calls[0]?.[0]).toEqual({ unit: 'cm' });
    expect(note).toHaveBeenCalledWith(
      {},
      { resolve: undefined },
      expect.objectContaining({ fieldName: 'note' }),
    );
  });
});
