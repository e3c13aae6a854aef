import { readdirSync, readFileSync } from 'node:fs';
import { GraphQLError, getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { checkLimits, operationLimits } from '../../src/operation/limits.ts';

const check = (text: string) => checkLimits(parse(text));

/** The message that refuses the document; null when it is accepted. */
function refusalOf(text: string): string | null {
  const document = parse(text);
  try {
    checkLimits(document);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(GraphQLError);
    return (error as GraphQLError).message;
  }
}

const list = (count: number, item: (index: number) => string, separator = ' ') =>
  Array.from({ length: count }, (_, index) => item(index)).join(separator);

/** Levels of fields. */
const levels = (count: number, name = 'a') => `${`{ ${name} `.repeat(count)}${'} '.repeat(count)}`;

interface LimitCase {
  readonly what: string;
  readonly limit: number;
  /** A document with that many. */
  readonly document: (count: number) => string;
}

const cases: readonly LimitCase[] = [
  { what: 'levels of fields', limit: 8, document: (count) => levels(count) },
  {
    what: 'levels of fields',
    limit: 8,
    document: (count) => `{ ...F } fragment F on Query ${levels(count)}`,
  },
  {
    what: 'levels of fields',
    limit: 8,
    document: (count) => `{ a { ... on A { ...F } } } fragment F on B ${levels(count - 1)}`,
  },
  { what: 'levels of fields', limit: 20, document: (count) => `{ __schema ${levels(count - 1)} }` },
  { what: 'levels of fields', limit: 20, document: (count) => `{ __type(name: "A") ${levels(count - 1)} }` },
  {
    what: 'repetitions of the field a',
    limit: 30,
    document: (count) => `{ x { ${list(count, () => 'a')} } }`,
  },
  {
    what: 'repetitions of the field a',
    limit: 30,
    document: (count) => `{ x { ${list(count, (index) => `a${index}: a`)} } }`,
  },
  {
    what: 'repetitions of the field __typename',
    limit: 30,
    document: (count) => `{ x { ${list(count, (index) => `t${index}: __typename`)} } }`,
  },
  {
    what: 'repetitions of the field a',
    limit: 30,
    document: (count) => `{ x { a ... on X { a } ${list(count - 2, () => '...F')} } } fragment F on X { a }`,
  },
  { what: 'root fields', limit: 20, document: (count) => `{ ${list(count, (index) => `f${index}`)} }` },
  { what: 'root fields', limit: 20, document: (count) => `{ ${list(count, (index) => `a${index}: a`)} }` },
  {
    what: 'root fields',
    limit: 20,
    document: (count) => `subscription { ${list(count, (index) => `f${index}`)} }`,
  },
  {
    what: 'root fields',
    limit: 10,
    document: (count) => `mutation { ${list(count, (index) => `f${index}`)} }`,
  },
  {
    what: 'root fields',
    limit: 10,
    document: (count) =>
      `mutation { a ...F } fragment F on Mutation { ${list(count - 1, (index) => `f${index}`)} }`,
  },
  {
    what: 'fields',
    limit: 2_000,
    document: (count) => `{ a { ${list(count - 1, (index) => `f${index}`)} } }`,
  },
  {
    what: 'fields',
    limit: 2_000,
    document: (count) => {
      const fragment = `fragment F on A { ${list(99, (index) => `f${index}`)} }`;
      // 19 fields with the 99 fields of the fragment; the twentieth has the rest.
      const rest = list(count - 1901, (index) => `g${index}`);
      return `{ ${list(19, (index) => `a${index}: a { ...F }`)} b { ${rest} } } ${fragment}`;
    },
  },
  {
    what: 'fragments',
    limit: 100,
    document: (count) => `{ a } ${list(count, (index) => `fragment F${index} on Query { a }`)}`,
  },
  {
    what: 'variables',
    limit: 100,
    document: (count) => `query (${list(count, (index) => `$v${index}: Int`)}) { a }`,
  },
  ...['query @ { a }', '{ a @ }', '{ ...F @ } fragment F on Query { a }', '{ ... @ { a } }'].map(at),
  ...['{ ...F } fragment F on Query @ { a }', 'query ($v: Int @) { a }', 'mutation @ { a }'].map(at),
  {
    what: 'levels of nesting',
    limit: 32,
    document: (count) => `{ a(b: ${'['.repeat(count)}1${']'.repeat(count)}) }`,
  },
  {
    what: 'levels of nesting',
    limit: 32,
    document: (count) => `{ a(b: ${'{ c: '.repeat(count)}$v${' }'.repeat(count)}) }`,
  },
  {
    what: 'levels of nesting',
    limit: 32,
    document: (count) => `{ a @skip(if: ${'['.repeat(count)}1${']'.repeat(count)}) }`,
  },
  {
    what: 'levels of nesting',
    limit: 32,
    document: (count) => `query ($v: ${'['.repeat(count)}Int${']'.repeat(count)}) { a }`,
  },
  {
    what: 'levels of nesting',
    limit: 32,
    document: (count) => {
      const lists = Math.floor(count / 2);
      const inner = count % 2 === 1 ? 'Int!' : 'Int';
      return `query ($v: ${'['.repeat(lists)}${inner}${']!'.repeat(lists)}) { a }`;
    },
  },
  {
    what: 'levels of nesting',
    limit: 32,
    document: (count) => `query ($v: A = ${'['.repeat(count)}1${']'.repeat(count)}) { a }`,
  },
];

/** Replaces `@` by directives. */
function at(place: string): LimitCase {
  return {
    what: 'directives on one element',
    limit: 20,
    document: (count) =>
      place.replace(
        '@',
        list(count, () => '@d'),
      ),
  };
}

describe('an operation may have at most', () => {
  it.each(cases.map((limited) => [title(limited), limited] as const))('%s', (_title, limited) => {
    const { what, limit, document } = limited;
    expect(refusalOf(document(limit))).toBeNull();
    expect(refusalOf(document(limit + 1))).toBe(`The operation has more than ${limit} ${what}.`);
  });
});

function title({ what, limit, document }: LimitCase): string {
  return `${limit} ${what}: ${document(4).replaceAll(/\s+/g, ' ').slice(0, 60)}…`;
}

describe('the limits of an operation', () => {
  it('are the given ones', () => {
    const document = parse('{ a { b } }');
    expect(() => checkLimits(document, { ...operationLimits, maxDepth: 2 })).not.toThrow();
    expect(() => checkLimits(document, { ...operationLimits, maxDepth: 1 })).toThrow(
      'more than 1 levels of fields',
    );
  });

  it('apply to each operation of a document', () => {
    expect(refusalOf(`query A { a } query B ${levels(9)}`)).toContain('levels of fields');
    expect(refusalOf(`query A { a } mutation B { ${list(11, (index) => `f${index}`)} }`)).toContain(
      '10 root fields',
    );
  });

  it('quote at most 40 characters of a field name in the message', () => {
    const name = 'a'.repeat(5_000);
    expect(refusalOf(`{ x { ${list(31, () => name)} } }`)).toBe(
      `The operation has more than 30 repetitions of the field ${'a'.repeat(40)}….`,
    );
  });

  it('accept fields named __proto__ and constructor', () => {
    expect(refusalOf('{ __proto__ constructor toString { hasOwnProperty } }')).toBeNull();
    expect(refusalOf('{ ...__proto__ ...constructor }')).toBeNull();
  });

  it('ignore an undefined fragment, which validation refuses', () => {
    expect(refusalOf('{ a { ...Missing } }')).toBeNull();
  });

  it('count an introspection field as one level of the operation', () => {
    expect(refusalOf(`{ a { __schema ${levels(19)} } }`)).toBeNull();
    expect(refusalOf(`{ __schema ${levels(19)} b ${levels(7, 'b')} }`)).toBeNull();
  });
});

describe('fragments', () => {
  it('that are not spread are within the limits too', () => {
    const repeated = list(31, () => 'a');
    expect(refusalOf(`{ a } fragment F on Query { x { ${repeated} } }`)).toContain('repetitions');
    expect(refusalOf(`{ a } fragment F on Query { a ${list(21, () => '@d')} }`)).toContain('directives');
  });

  it('in a binary fan-out are refused in linear time', { timeout: 1_000 }, () => {
    const doubled = (body: (next: string) => string) =>
      `{ ...F0 } ${list(99, (index) => `fragment F${index} on Query { ${body(`...F${index + 1}`)} }`)} ` +
      'fragment F99 on Query { a }';
    expect(refusalOf(doubled((next) => `${next} ${next}`))).toContain('repetitions of the field a');
    expect(refusalOf(doubled((next) => `x { ${next} } y { ${next} }`))).toContain('2000 fields');
    // A fan-out that ends without a field has size 0.
    const [last, empty] = ['fragment F99 on Query { a }', 'fragment F99 on Query { ...Missing }'];
    expect(refusalOf(doubled((next) => `${next} ${next}`).replace(last, empty))).toBeNull();
  });

  it('in a chain count as the fields of one of them', () => {
    const chain = list(99, (index) => `fragment F${index} on Query { ...F${index + 1} }`);
    expect(refusalOf(`{ ...F0 } ${chain} fragment F99 on Query { a }`)).toBeNull();
  });

  it('that spread themselves end the check', { timeout: 1_000 }, () => {
    expect(refusalOf('{ ...F } fragment F on Query { ...F }')).toBeNull();
    expect(refusalOf('{ ...F } fragment F on Query { a { ...F } }')).toBeNull();
    expect(
      refusalOf('{ ...F } fragment F on Query { ...G ...G } fragment G on Query { ...F ...F }'),
    ).toBeNull();
    const ring = list(100, (index) => {
      const next = `...F${(index + 1) % 100}`;
      return `fragment F${index} on Query { ${next} x { ${next} } }`;
    });
    expect(refusalOf(`{ ...F0 } ${ring}`)).toBeTypeOf('string');
    const everyOther = list(
      100,
      (index) => `fragment F${index} on Query { ${list(100, (to) => `...F${to}`)} }`,
    );
    expect(refusalOf(`{ ...F0 } ${everyOther}`)).toBeNull();
  });

  it('with the same name count once, by the last one', () => {
    expect(refusalOf(`{ ...F } ${list(200, () => 'fragment F on Query { a }')}`)).toBeNull();
  });
});

describe('the limits accept', () => {
  it('the standard introspection query with all options', () => {
    check(getIntrospectionQuery());
    check(
      getIntrospectionQuery({
        ...{ descriptions: true, specifiedByUrl: true, directiveIsRepeatable: true },
        ...{ schemaDescription: true, inputValueDeprecation: true, oneOf: true },
      }),
    );
  });

  const folder = new URL('../../examples/operations/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.graphql'));

  it.each(files)('the example operation %s', (name) => {
    check(readFileSync(new URL(name, folder), 'utf8'));
  });

  it('all example operations in one document', () => {
    expect(files.length).toBeGreaterThan(0);
    check(files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n'));
  });

  it('a document without an operation, which validation refuses', () => {
    check('type A { a: Int }');
    check('fragment F on Query { a }');
  });
});
