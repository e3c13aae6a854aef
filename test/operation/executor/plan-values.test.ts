/** Values in a planned execution: `data` compares its results with those of graphql-js. */
import { describe, expect, it } from 'vitest';
import { executeByPlan } from '../../support/outcome.ts';
import { argsOf, data, label } from '../../support/shapes.ts';

describe('a value in a planned execution', () => {
  const circle = { type: () => 'Circle', isCircle: () => true, radius: 2, area: 12.5 };
  const square = {
    type: () => 'Square',
    isCircle: () => false,
    __typename: 'Square',
    side: 2,
    corners: [[0, 0], [2]],
  };
  const all = `... on Shape { area } ... on Circle { radius } ... on Square { side corners } ... on Label { text }`;

  it('has the type from resolveType, isTypeOf or __typename, immediately or later', async () => {
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
      'an array with a custom iterator',
      () => Object.assign([7], { [Symbol.iterator]: () => [1, 2, 3].values() }),
    ],
    ['promised', async () => [1, 2, 3]],
  ])('can be a list that is %s', async (_kind, numbers) => {
    expect(await data('{ numbers }', () => ({ root: { numbers: numbers() } }))).toEqual({
      numbers: [1, 2, 3],
    });
  });

  it('can be a thenable', async () => {
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

  it('can be a function instead of an object', async () => {
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

  it('is returned synchronously when nothing is pending', () => {
    const args = argsOf('{ label { full { text } inner { text } } number }', {
      root: { number: 1, label: { full: [label, label] } },
    });
    expect(executeByPlan(args)).toEqual({
      data: { label: { full: [label, label], inner: null }, number: 1 },
    });
  });
});
