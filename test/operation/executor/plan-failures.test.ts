/** Failures in a planned execution: `answer` compares its results with those of graphql-js. */
import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { answer, errors, fails, label } from '../../support/shapes.ts';

function* failingIterator() {
  yield label;
  fails();
}

async function* failingAsyncIterator() {
  yield label;
  fails();
}

describe('a failure in a planned execution', () => {
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

  it.each(Object.entries(ways))('has the path of its field when the error is %s', async (_way, failing) => {
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

  it.each(Object.entries(ways))(
    'propagates null to the next nullable field when the error is %s',
    async (_way, failing) => {
      const full = () => [{ must: label }, { must: { text: failing(new Error('broken')) } }, { must: label }];
      const root = () => ({ root: { number: 1, label: { inner: { must: { full: full() } } } } });
      const got = await answer('{ number label { inner { must { full { must { text } } } } } }', root);
      expect(got.data).toEqual({ number: 1, label: { inner: null } });
      expect(got.errors?.map(({ path }) => path)).toEqual([
        ['label', 'inner', 'must', 'full', 1, 'must', 'text'],
      ]);
    },
  );

  it('can be a value that is not an Error', async () => {
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

  it('keeps its own path and extensions', async () => {
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
  ])('of a value has the message of graphql-js: %s', async (message, field, value) => {
    const below =
      { thing: '{ __typename }', shape: '{ area }', colour: '', note: '', length: '' }[field] ?? '{ text }';
    const reported = await errors(`{ label { ${field} ${below} } }`, () => ({
      root: { label: { [field]: value() } },
    }));
    expect(reported).toEqual([expect.stringContaining(message)]);
  });

  it('abandons pending values, whose rejections do not end the process', async () => {
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
