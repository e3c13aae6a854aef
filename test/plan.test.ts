/** What a planned execution answers is what graphql-js answers: `answer` compares the two. */
import { execute, GraphQLError, type GraphQLResolveInfo, getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import { executeByPlan, outcomeOf } from './support/outcome.ts';
import { answer, argsOf, data, errors, fails, label, schema } from './support/shapes.ts';

function* failingIterator() {
  yield label;
  fails();
}

async function* failingAsyncIterator() {
  yield label;
  fails();
}
describe('what is selected', () => {
  it('is answered in the order of the document, each name once, fragments merged', async () => {
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

  it('depends on the conditions, also when the same document is executed again', async () => {
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

  it('is right for more conditions than plans are kept, which are no more than some', async () => {
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

  it('is an error each time while a condition has no value', async () => {
    const document = parse('query ($a: Boolean = true) { label { text @skip(if: $a) note } }');
    // Invalid, but graphql-js does not mind: a text is no condition, and none at all is an error.
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

  it('may use names that objects have already', async () => {
    const text = '{ __proto__: number constructor: number toString: __typename label { __proto__: text } }';
    const result = await data(text, () => ({ root: { number: 1, label } }));
    expect(JSON.stringify(result)).toBe(
      '{"__proto__":1,"constructor":1,"toString":"Query","label":{"__proto__":"text"}}',
    );
  });

  it('may be introspection', async () => {
    const text = getIntrospectionQuery().replace(
      '{',
      '{ label { __typename } __type(name: "Label") { name }',
    );
    const { label: answered, __type, __schema } = (await data(text, () => ({ root: { label } }))) as any;
    expect([answered, __type]).toEqual([{ __typename: 'Label' }, { name: 'Label' }]);
    expect(__schema.types.length).toBeGreaterThan(10);
  });

  it('may be invalid: what the schema does not know is left out', async () => {
    expect(
      await data('{ number nothing label { text { x } ...Missing } }', () => ({
        root: { number: 1, label },
      })),
    ).toEqual({ number: 1, label: { text: 'text' } });
  });
});

describe('arguments', () => {
  const echo = async (given: string, variables?: Record<string, unknown>, definitions = '') =>
    (await data(`query Q${definitions} { echo${given} }`, () => ({ variables })))?.['echo'];

  it('have their defaults, at all levels', async () => {
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

  it('may be JSON with variables inside', async () => {
    expect(
      await echo(
        '(json: { a: [$n, { b: $s, c: $none }], d: RED })',
        { n: 1, s: 't' },
        '($n: Int, $s: String, $none: Int)',
      ),
    ).toMatchObject({ json: { a: [1, { b: 't' }], d: 'RED' } });
  });

  it('may be a choice of one, and of no more', async () => {
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

  it('that are wrong are errors of their field, for a property too', async () => {
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

  it('are given to methods, with the context and info', async () => {
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

describe('a failure', () => {
  const ways: Record<string, (error: unknown) => unknown> = {
    thrown: (error) => () => {
      throw error;
    },
    'rejected as a property': (error) => Promise.reject(error),
    rejected: (error) => () => Promise.reject(error),
    'rejected later': (error) => async () => {
      await null;
      throw error;
    },
    returned: (error) => error,
    'resolved to': (error) => Promise.resolve(error),
  };

  it.each(Object.entries(ways))('is told where it happened, %s', async (_way, failing) => {
    const broken = () => failing(new Error('broken'));
    const root = () => ({
      root: {
        number: broken(),
        label: { inner: { ...label, note: broken(), list: [label, { text: broken() }] } },
      },
    });
    expect(await errors('{ number label { inner { text note list { text } } } }', root)).toEqual(
      expect.arrayContaining([
        'number: broken',
        'label.inner.note: broken',
        'label.inner.list.1.text: broken',
      ]),
    );
  });

  it.each(Object.entries(ways))('takes what must not be null with it, %s', async (_way, failing) => {
    const full = () => [{ must: label }, { must: { text: failing(new Error('broken')) } }, { must: label }];
    const root = () => ({ root: { number: 1, label: { inner: { must: { full: full() } } } } });
    const got = await answer('{ number label { inner { must { full { must { text } } } } } }', root);
    expect(got.data).toEqual({ number: 1, label: { inner: null } });
    expect(got.errors?.map(({ path }) => path)).toEqual([
      ['label', 'inner', 'must', 'full', 1, 'must', 'text'],
    ]);
  });

  it('may be no Error', async () => {
    const root = () => ({
      root: {
        number: () => {
          throw 'a text';
        },
        label: () => Promise.reject(undefined),
      },
    });
    expect(await errors('{ number label { text } }', root)).toEqual([
      'number: Unexpected error value: "a text"',
      'label: Unexpected error value: undefined',
    ]);
  });

  it('keeps the path and the extensions that it has', async () => {
    const located = Object.assign(new Error('located'), { path: ['else'] });
    const root = () => ({
      root: { number: new GraphQLError('own', { extensions: { code: 'OWN' } }), label: located },
    });
    expect((await answer('{ number label { text } }', root)).errors).toMatchObject([
      { extensions: { code: 'OWN' }, path: ['number'] },
      { path: ['else'] },
    ]);
    expect((await answer('mutation { must }', () => ({ root: { must: located } }))).data).toBeNull();
  });

  it.each([
    ['Expected value of type "Circle"', 'thing', () => ({ type: () => 'Circle', isCircle: () => false })],
    ['does not exist inside the schema', 'thing', () => ({ type: () => 'Nothing' })],
    ['is not a possible type', 'thing', () => ({ type: () => 'Query' })],
    ['non-object type', 'thing', () => ({ type: () => 'Shape' })],
    ['must resolve to an Object type at runtime', 'thing', () => ({ type: async () => null })],
    ['must resolve to an Object type at runtime', 'shape', () => ({ isCircle: () => false })],
    ['which is not a valid Object type name', 'thing', () => ({ type: () => 4 })],
    ['broken', 'thing', () => ({ type: () => fails() })],
    ['broken', 'thing', () => ({ type: async () => fails() })],
    ['broken', 'thing', () => ({ type: () => 'Circle', isCircle: async () => fails() })],
    ['broken', 'shape', () => ({ isCircle: async () => fails() })],
    ['Expected Iterable', 'list', () => ({})],
    ['broken', 'list', () => failingIterator()],
    ['broken', 'list', () => failingAsyncIterator()],
    ['Enum "Colour" cannot represent value: "BLUE"', 'colour', () => 'BLUE'],
    ['String cannot represent value: {}', 'note', () => ({})],
    ['Int cannot represent non-integer value: 1.5', 'length', () => 1.5],
    ['Cannot return null for non-nullable field Label.must', 'must', () => null],
    ['Cannot return null for non-nullable field Label.text', 'inner', () => ({})],
    ['Cannot return null for non-nullable field Label.full', 'full', () => [label, null]],
    ['Cannot return null for non-nullable field Label.full', 'full', () => [label, Promise.resolve()]],
  ])('of a value is told: %s', async (message, field, value) => {
    const below =
      { thing: '{ __typename }', shape: '{ area }', colour: '', note: '', length: '' }[field] ?? '{ text }';
    const told = await errors(`{ label { ${field} ${below} } }`, () => ({
      root: { label: { [field]: value() } },
    }));
    expect(told).toEqual([expect.stringContaining(message)]);
  });

  it('abandons what is pending, and no rejection of it ends the process', async () => {
    const late = async () => {
      await null;
      fails('late');
    };
    const root = () => ({
      root: {
        label: {
          note: late(),
          must: () => fails(),
          full: [{ note: late() }, { note: late() }, null, late(), { note: 'never looked at' }],
        },
        numbers: [late(), Symbol.for('no number'), late()],
      },
    });
    expect(
      await errors('{ a: label { note must { text } } b: label { full { note } } numbers }', root),
    ).toHaveLength(3);
  });
});

describe('a value', () => {
  const circle = { type: () => 'Circle', isCircle: () => true, radius: 2, area: 12.5 };
  const square = {
    type: () => 'Square',
    isCircle: () => false,
    __typename: 'Square',
    side: 2,
    corners: [[0, 0], [2]],
  };
  const all = `... on Shape { area } ... on Circle { radius } ... on Square { side corners } ... on Label { text }`;

  it('is of the type that resolveType, isTypeOf or __typename say, at once or later', async () => {
    const late = { ...circle, type: async () => 'Circle', isCircle: async () => true };
    const text = `{ label { list { thing { ${all} } shape { ${all} __typename } } } }`;
    const root = () => ({
      root: {
        label: {
          list: [
            { thing: circle, shape: square },
            { thing: square, shape: circle },
            { thing: late, shape: late },
            { thing: { ...label, type: () => 'Label' } },
          ],
        },
      },
    });
    const asCircle = { area: 12.5, radius: 2 };
    const asSquare = { area: null, side: 2, corners: [[0, 0], [2]] };
    expect(await data(text, root)).toEqual({
      label: {
        list: [
          { thing: asCircle, shape: { ...asSquare, __typename: 'Square' } },
          { thing: asSquare, shape: { ...asCircle, __typename: 'Circle' } },
          { thing: asCircle, shape: { ...asCircle, __typename: 'Circle' } },
          { thing: { text: 'text' }, shape: null },
        ],
      },
    });
  });

  it.each([
    ['an array', () => [1, Promise.resolve(2), 3]],
    ['a set', () => new Set([1, 2, 3])],
    ['a generator', () => [1, 2, 3].values()],
    [
      'an async generator',
      async function* () {
        yield* [1, 2, 3];
      },
    ],
    [
      'an array with an iterator of its own',
      () => Object.assign([7], { [Symbol.iterator]: () => [1, 2, 3].values() }),
    ],
    ['promised', async () => [1, 2, 3]],
  ])('may be a list that is %s', async (_kind, numbers) => {
    expect(await data('{ numbers }', () => ({ root: { numbers: numbers() } }))).toEqual({
      numbers: [1, 2, 3],
    });
  });

  it('may be like a promise', async () => {
    // biome-ignore lint/suspicious/noThenProperty: not every promise is a Promise.
    const promised = (value: unknown) => ({ then: (resolve: (value: unknown) => void) => resolve(value) });
    const root = () => ({
      root: { number: promised(1), label: promised({ list: [promised(label)], note: promised(null) }) },
    });
    expect(await data('{ number label { list { text } note } }', root)).toEqual({
      number: 1,
      label: { list: [label], note: null },
    });
  });

  it('may be a function where an object is expected', async () => {
    const list = [Object.assign(() => {}, { text: 'of a function', note: () => 'of its method' })];
    expect(await data('{ label { list { text note } } }', () => ({ root: { label: { list } } }))).toEqual({
      label: { list: [{ text: 'of a function', note: 'of its method' }] },
    });
  });

  it('is read once', async () => {
    const reads = { text: 0, inner: 0, note: 0 };
    const read = <T>(name: keyof typeof reads, value: T) => {
      reads[name] += 1;
      return value;
    };
    const source = {
      get text() {
        return read('text', 'text');
      },
      get inner() {
        return read('inner', label);
      },
      get note() {
        return read('note', Promise.resolve('note'));
      },
    };
    await executeByPlan(argsOf('{ label { text inner { text } note } }', { root: { label: source } }));
    expect(reads).toEqual({ text: 1, inner: 1, note: 1 });
  });

  it('is there at once when nothing is late', () => {
    const args = argsOf('{ label { full { text } inner { text } } number }', {
      root: { number: 1, label: { full: [label, label] } },
    });
    expect(executeByPlan(args)).toEqual({
      data: { label: { full: [label, label], inner: null }, number: 1 },
    });
  });
});
