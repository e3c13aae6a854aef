import { getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { checkLimits } from '../../src/operation/limits.ts';
import type { OperationRefusedError } from '../../src/operation/operation-request.ts';
import { gatewayOfService } from '../support/lifetimes.ts';
import { cpuClock, leastCpuMs } from '../support/work.ts';

const { gateway } = await gatewayOfService();

/** The message that refuses the document; null when it is accepted. */
function refusalOf(text: string): string | null {
  const document = parse(text);
  try {
    checkLimits(document);
    return null;
  } catch (error) {
    const { code, errors } = error as OperationRefusedError;
    expect([code, errors.length]).toEqual(['OPERATION_TOO_EXPENSIVE', 1]);
    return errors[0]?.message ?? '';
  }
}

const list = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => item(index)).join(' ');
const fields = (count: number) => list(count, (index) => `f${index}`);
const nested = (opening: string, count: number, inner: string, closing: string) =>
  opening.repeat(count) + inner + closing.repeat(count);

/** Levels of fields. */
const levels = (count: number, name = 'a') => nested(`{ ${name} `, count, '', '} ');

/** A limit, what it counts, and a document with that many. */
type LimitCase = readonly [limit: number, what: string, document: (count: number) => string];

const repeated = 'repetitions of the field';
const cases: readonly LimitCase[] = [
  [8, 'levels of fields', (count) => levels(count)],
  [8, 'levels of fields', (count) => `{ a { ... on A { ...F } } } fragment F on B ${levels(count - 1)}`],
  [20, 'levels of fields', (count) => `{ __schema ${levels(count - 1)} }`],
  [20, 'levels of fields', (count) => `{ __type(name: "A") ${levels(count - 1)} }`],
  [30, `${repeated} a`, (count) => `{ x { ${list(count, (index) => `a${index}: a`)} } }`],
  [30, `${repeated} __typename`, (count) => `{ x { ${list(count, (index) => `t${index}: __typename`)} } }`],
  [
    30,
    `${repeated} a`,
    (count) => `{ x { a ... on X { a } ${list(count - 2, () => '...F')} } } fragment F on X { a }`,
  ],
  [20, 'root fields', (count) => `{ ${fields(count)} }`],
  [20, 'root fields', (count) => `{ ${list(count, (index) => `a${index}: a`)} }`],
  [20, 'root fields', (count) => `subscription { ${fields(count)} }`],
  [10, 'root fields', (count) => `mutation { a ...F } fragment F on Mutation { ${fields(count - 1)} }`],
  [2_000, 'fields', (count) => `{ a { ${fields(count - 1)} } }`],
  [
    2_000,
    'fields',
    // 19 fields with the 99 fields of the fragment; the twentieth has the rest.
    (count) =>
      `{ ${list(19, (index) => `a${index}: a { ...F }`)} b { ${fields(count - 1_901)} } } fragment F on A { ${fields(99)} }`,
  ],
  [
    10_000,
    'fields in all operations of the document',
    (count) =>
      `${list(5, (at) => `query Q${at} { ${list(19, (index) => `a${index}: a { ...F }`)} }`)} { b { ${fields(count - 9_501)} } } fragment F on A { ${fields(99)} }`,
  ],
  [100, 'fragments', (count) => `{ a } ${list(count, (index) => `fragment F${index} on Query { a }`)}`],
  [100, 'variables', (count) => `query (${list(count, (index) => `$v${index}: Int`)}) { a }`],
  ...[
    ...['query @ { a }', '{ a @ }', '{ ...F @ } fragment F on Query { a }', '{ ... @ { a } }'],
    ...['{ ...F } fragment F on Query @ { a }', 'query ($v: Int @) { a }', 'mutation @ { a }'],
  ].map(
    (text): LimitCase => [
      20,
      'directives on one element',
      (count) =>
        text.replace(
          '@',
          list(count, () => '@d'),
        ),
    ],
  ),
  [32, 'levels of nesting', (count) => `{ a(b: ${nested('[', count, '1', ']')}) }`],
  [32, 'levels of nesting', (count) => `{ a(b: ${nested('{ c: ', count, '$v', ' }')}) }`],
  [32, 'levels of nesting', (count) => `{ a @skip(if: ${nested('[', count, '1', ']')}) }`],
  [32, 'levels of nesting', (count) => `query ($v: ${nested('[', count, 'Int', ']')}) { a }`],
  [
    32,
    'levels of nesting',
    (count) => `query ($v: ${nested('[', Math.floor(count / 2), count % 2 ? 'Int!' : 'Int', ']!')}) { a }`,
  ],
  [32, 'levels of nesting', (count) => `query ($v: A = ${nested('[', count, '1', ']')}) { a }`],
];

it.each(
  cases.map((limited) => {
    const [limit, what, document] = limited;
    return [`${limit} ${what}: ${document(4).replaceAll(/\s+/g, ' ').slice(0, 60)}…`, limited] as const;
  }),
)('an operation may have at most %s', (_title, [limit, what, document]) => {
  expect(refusalOf(document(limit))).toBeNull();
  expect(refusalOf(document(limit + 1))).toBe(`The operation has more than ${limit} ${what}.`);
});

describe('the limits of an operation', () => {
  it('apply to each operation of a document', () => {
    expect(refusalOf(`query A { a } query B ${levels(9)}`)).toContain('levels of fields');
    expect(refusalOf(`query A { a } mutation B { ${fields(11)} }`)).toContain('10 root fields');
  });

  const below = (parent: string, count: number, field: string) =>
    list(Math.ceil(count / 30), (at) => `${parent} { ${list(Math.min(30, count - 30 * at), () => field)} }`);
  it.each<[what: string, most: number, document: (count: number) => string]>([
    ['fields with selections', 138, (count) => `{ ${below('r', count, 'x { id }')} }`],
    ['fields without alias, arguments and selection', 626, (count) => `{ a { ${below('r', count, 'id')} } }`],
    ['fields with arguments', 71, (count) => `{ ${below('r', count, 'x(a: 1)')} }`],
    ['fields with one alias', 141, (count) => `{ r { ${list(count, (index) => `x: a${index}`)} } }`],
    [
      'fields of fragments',
      138,
      (count) =>
        `{ r { ...F ...G } } fragment F on R { ${below('s', count - 30, 'x { id }')} } fragment G on R { ${below('s', 30, 'x { id }')} }`,
    ],
    [
      'fields of a fragment without use',
      138,
      (count) => `{ a } fragment F on R { ${below('r', count, 'x { id }')} }`,
    ],
  ])('refuse more than 10,000 comparisons of %s', (_what, most, document) => {
    expect(refusalOf(document(most))).toBeNull();
    expect(refusalOf(document(most + 1))).toBe(
      'The operation has more than 10000 comparisons of fields with the same name.',
    );
  });

  it.each<[what: string, document: string]>([
    [
      'in different objects',
      `{ ${list(20, (at) => `a${at}: r { ${list(20, (index) => `b${index} { x { id } }`)} }`)} }`,
    ],
    ['of different operations', list(200, (index) => `query Q${index} { x(b: 1) }`)],
  ])('accept any number of fields of one name %s', (_what, document) => {
    expect(refusalOf(document)).toBeNull();
  });

  it('accept fields named __proto__ and constructor', () => {
    expect(refusalOf('{ __proto__ constructor toString { hasOwnProperty } }')).toBeNull();
    expect(refusalOf('{ ...__proto__ ...constructor }')).toBeNull();
  });

  it('ignore what validation refuses: an undefined fragment, and a document without an operation', () => {
    for (const text of ['{ a { ...Missing } }', 'type A { a: Int }', 'fragment F on Query { a }'])
      expect(refusalOf(text)).toBeNull();
  });

  it('count an introspection field as one level of the operation', () => {
    expect(refusalOf(`{ a { __schema ${levels(19)} } }`)).toBeNull();
    expect(refusalOf(`{ __schema ${levels(19)} b ${levels(7, 'b')} }`)).toBeNull();
  });
});

describe('fragments', () => {
  it('that are not spread are within the limits too', () => {
    expect(refusalOf(`{ a } fragment F on Query { a ${list(21, () => '@d')} }`)).toContain('directives');
  });

  it('in a binary fan-out are refused in linear time', () => {
    const doubled = (body: (next: string) => string) =>
      `{ ...F0 } ${list(99, (index) => `fragment F${index} on Query { ${body(`...F${index + 1}`)} }`)} ` +
      'fragment F99 on Query { a }';
    expect(refusalOf(doubled((next) => `${next} ${next}`))).toContain('repetitions of the field a');
    expect(refusalOf(doubled((next) => `x { ${next} } y { ${next} }`))).toContain('2000 fields');
    // A fan-out that ends without a field has size 0.
    const [last, empty] = ['fragment F99 on Query { a }', 'fragment F99 on Query { ...Missing }'];
    expect(refusalOf(doubled((next) => `${next} ${next}`).replace(last, empty))).toBeNull();
  });

  it('inline in each other are checked in linear time', () => {
    const documents = [1, 300].map((levels) =>
      parse(`{ a { ${nested('... { ', levels, fields(900), ' }')} } }`),
    );
    const [flat = 0, deep = 0] = documents.map((document) => {
      const spentMs = cpuClock();
      for (let times = 0; times < 10; times += 1) checkLimits(document);
      return spentMs();
    });
    // 150 ms more if the fields are counted at each level.
    expect(deep).toBeLessThan(flat + 60);
  });

  it('that spread themselves end the check', () => {
    const spentMs = cpuClock();
    expect(refusalOf('{ ...F } fragment F on Query { a { ...F } }')).toBeNull();
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
    expect(spentMs()).toBeLessThan(1_000);
  });

  it('with the same name count once, by the last one', () => {
    expect(refusalOf(`{ ...F } ${list(200, () => 'fragment F on Query { a }')}`)).toBeNull();
  });
});

describe('the size of a document', () => {
  it('is the number of values in its arguments, each with its members', () => {
    const text = '{ a(x: 1, y: [1, { z: 2 }]) { ...F } } fragment F on A { b(x: $x) { c(x: "text") } }';
    expect(checkLimits(parse(text)).literals).toBe(7);
  });

  it.each([
    ['{ a }', 1],
    ['{ a { b { c } d } }', 4],
    ['query A { a } mutation B { b { c } }', 3],
    ['{ a { ...F } b { ...F } } fragment F on A { c ... on B { d } }', 6],
    ['type A { a: Int }', 0],
  ])('is the number of fields that its operations have when its fragments are spread: %s', (text, fields) => {
    expect(checkLimits(parse(text))).toEqual({
      fields,
      literals: 0,
      isConditional: false,
      hasInvalidFragments: false,
    });
  });

  it.each([
    ['{ ...F ...F } fragment F on Query { a }', false],
    ['{ ...F } fragment F on Query { a { ...F } }', true],
    ['{ a } fragment F on Query { ...G } fragment G on Query { ...F }', true],
    ['{ ...F } fragment F on Query { a } fragment F on Query { a }', true],
  ])('is of invalid fragments only when one spreads itself or two have one name: %s', (text, areInvalid) => {
    expect(checkLimits(parse(text)).hasInvalidFragments).toBe(areInvalid);
  });

  it.each([
    '{ a @skip(if: $v) }',
    '{ ... @include(if: $v) { a } }',
    '{ ...F @skip(if: $v) } fragment F on Query { a }',
    '{ ...F } fragment F on Query { a @skip(if: $v) }',
  ])('depends on variables where a condition is one: %s', (text) => {
    expect(checkLimits(parse(text)).isConditional).toBe(true);
    expect(checkLimits(parse(text.replace('$v', 'true'))).isConditional).toBe(false);
  });
});

it('the limits accept the standard introspection query with all options', () => {
  const all = {
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
  };
  expect(refusalOf(getIntrospectionQuery({ ...all, inputValueDeprecation: true, oneOf: true }))).toBeNull();
});

describe('the response to an operation', () => {
  async function refusal(query: string, variables = {}) {
    const { status, errors } = await gateway.ask(query, variables);
    return { status, errors, code: errors?.[0]?.extensions.code, length: JSON.stringify(errors).length };
  }

  it('of 2,001 tokens is a refusal, and one of 2,000 is validated', async () => {
    const withNumbers = (count: number) => refusal(`{ a(b: [${list(count, () => '1')}]) }`);
    expect(await withNumbers(1_991)).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' });
    const { status, code, length } = await withNumbers(1_992);
    expect([status, code]).toEqual([400, 'OPERATION_TOO_EXPENSIVE']);
    expect(length).toBeLessThan(2_000);
  });

  it('of fragments that spread the next one twice is a refusal, also when the last one selects nothing', async () => {
    const spreads = (at: number) => `fragment F${at} on Query { ...F${at + 1} ...F${at + 1} }`;
    const { status, code } = await refusal(
      `{ ...F0 __typename } ${list(20, spreads)} fragment F20 on Query {}`,
    );
    expect([status, code]).toEqual([400, 'GRAPHQL_PARSE_FAILED']);
  });

  const twins = 'fragment F on Query { __typename } fragment F on Query { ...F }';
  const spreads = (from: number) => list(6, (at) => `...F${(from + at) % 99}`);
  const compared = `fragment F on GatewayInfo { ${list(480, () => 'rules { rule }')} } fragment F on GatewayInfo { version }`;
  it.each([
    [
      '100 fragments that spread each other',
      `{ ${list(10, (at) => `...F${at}`)} } ${list(99, (at) => `fragment F${at} on Query { ${spreads(at + 1)} }`)}`,
      /^(Cannot spread fragment|Too many validation errors)/,
    ],
    [
      'two fragments with one name, of which the last spreads itself',
      `{ ...F } ${twins}`,
      /^There can be only one/,
    ],
    [
      'one that spreads itself in two fields of one name',
      '{ ...F } fragment F on Query { a { ...F } a { ...F } }',
      /^Cannot spread fragment/,
    ],
    ['the same next to a field that does not exist', `{ unknown } ${twins}`, /^There can be only one/],
    [
      'the same with many fields to compare',
      `{ gatewayInfo { ...F } } ${compared}`,
      /^There can be only one/,
    ],
  ])('of invalid fragments is a refusal for them alone: %s', async (_what, query, message) => {
    const { status, errors = [], code } = await refusal(query);
    expect([status, code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
    for (const error of errors) expect(error.message).toMatch(message);
  });

  it.each([
    ['[MexicoValidationReference!]!', 'mexicoValidations(by: $list) { uuid }', { documentId: '1' }],
    ['[ID!]!', 'malaysiaStatuses(documentIds: $list) { state }', '1'],
  ])('with a list %s of 101 members is a refusal', async (type, field, member) => {
    const variables = { list: Array(101).fill(member) };
    const { code } = await refusal(`query ($list: ${type}) { ${field} }`, variables);
    expect(code).toBe('BAD_USER_INPUT');
  });

  it('with as many fields that merge as are accepted takes less than 50 ms of CPU time', async () => {
    const aliases = ['a', 'b', 'c', 'd', 'e', 'f'];
    const rules = aliases.map((alias) => list(5, () => `${alias}: rules { rule }`)).join(' ');
    let asked = 0;
    const spentMs = await leastCpuMs(async () => {
      asked += 1;
      const query = `query Q${asked} { ${list(10, () => `gatewayInfo { ${rules} }`)} }`;
      expect(await gateway.ask(query)).toMatchObject({ status: 200, errors: undefined });
    }, 50);
    expect(spentMs).toBeLessThan(50);
  });

  it('with a hundred errors has at most 21 of them', async () => {
    const wrong = list(100, (index) => `wrong${index}`);
    const { errors } = await refusal(`{ malaysiaStatus(documentId: "1") { ${wrong} } }`);
    expect(errors?.length).toBeLessThanOrEqual(21);
  });
});
