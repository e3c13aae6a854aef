/**
 * Searches for the operation with the largest result: lists, aliases, fragments and long strings over every field of the
 * schema, with a service that sends large responses. The limits count, they do not measure time.
 */
import fc from 'fast-check';
import { type GraphQLField, type GraphQLObjectType, getNamedType, isObjectType, isUnionType } from 'graphql';
import { expect, it } from 'vitest';
import { resultLimit } from '../../src/operation/result-limit.ts';
import { schema } from '../../src/schema.ts';
import { post, startTestGateway } from '../support/gateway.ts';
import { forFile, serviceForFile } from '../support/lifetimes.ts';
import { Random } from '../support/random.ts';
import * as does from '../support/service.ts';

const service = await serviceForFile();
const gateway = forFile(await startTestGateway({ UPSTREAM_URL: service.url }));

const maxTextLength = 40_000;
const maxFields = 1_900;

interface Attack {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

/** An operation near the limits, with variables that make each list as long as accepted. */
function attack(random: Random): Attack {
  const variables = new Map<string, { readonly type: string; readonly value: unknown }>();
  const fragments: string[] = [];
  let fieldsLeft = random.pick([100, 1_000, maxFields]);
  let charactersLeft = maxTextLength;
  const aliasLength = random.pick([0, 0, 10, 300]);
  const isMutation = random.chance(0.5);
  const root = (isMutation ? schema.getMutationType() : schema.getQueryType()) as GraphQLObjectType;
  // Others need a file.
  const candidates = Object.values(root.getFields()).filter(({ args }) =>
    args.every(({ type }) => String(type) in valuesOf),
  );
  const chosen = random.pick(candidates);
  const rootFields = 1 + random.below(isMutation ? 10 : 20);
  const parts = Array.from({ length: rootFields }, (_, index) => {
    const field = random.chance(0.8) ? chosen : random.pick(candidates);
    return `r${index}: ${field.name}${argumentsOf(field)}${selection(field, rootFields)}`;
  });
  const declared = [...variables].map(([name, { type }]) => `$${name}: ${type}`);
  const head = `${isMutation ? 'mutation' : 'query'}${declared.length > 0 ? `(${declared.join(' ')})` : ''}`;
  return {
    query: [`${head} { ${parts.join(' ')} }`, ...fragments].join('\n'),
    variables: Object.fromEntries([...variables].map(([name, { value }]) => [name, value])),
  };

  function argumentsOf(field: GraphQLField<unknown, unknown>): string {
    const given = field.args.map((argument) => {
      const name = `${field.name}_${argument.name}`;
      const type = String(argument.type);
      if (!variables.has(name)) variables.set(name, { type, value: valuesOf[type]?.(random) });
      return `${argument.name}: $${name}`;
    });
    return given.length > 0 ? `(${given.join(', ')})` : '';
  }

  /** The fields of a type, each with several aliases. `spread`: number of uses of this selection. */
  function selection({ type }: GraphQLField<unknown, unknown>, spread: number): string {
    const named = getNamedType(type);
    const types = isUnionType(named) ? named.getTypes() : isObjectType(named) ? [named] : [];
    if (types.length === 0) return '';
    const on = types.map((of) => `...on ${of.name} { __typename ${membersOf(of, spread)} }`).join(' ');
    if (random.chance(0.5)) return ` { ${on} }`;
    fragments.push(`fragment F${fragments.length} on ${named.name} { ${on} }`);
    return ` { ...F${fragments.length - 1} }`;
  }

  function membersOf(type: GraphQLObjectType, spread: number): string {
    const fields = Object.values(type.getFields()).filter(({ args }) => args.length < 2);
    const some = random.chance(0.5) ? fields : [random.pick(fields)];
    const texts: string[] = [];
    for (const field of some) {
      const aliases = random.pick([1, 1, 3, 30]);
      if (fieldsLeft < 2 * spread * aliases || charactersLeft < 0) break;
      fieldsLeft -= spread * aliases;
      const body = selection(field, spread * aliases);
      for (let index = 0; index < aliases; index += 1) {
        const alias = `${'a'.repeat(aliasLength)}${type.name}${index}_${field.name}`;
        texts.push(`${alias}: ${field.name}${nestedArguments(field)}${body}`);
        charactersLeft -= texts.at(-1)?.length ?? 0;
      }
    }
    return texts.join(' ');
  }

  function nestedArguments({ args: [argument] }: GraphQLField<unknown, unknown>): string {
    if (String(argument?.type) !== 'String!') return '';
    variables.set('text', { type: 'String = "Name"', value: random.pick(['Name', null]) });
    return `(${argument?.name}: $text)`;
  }
}

type Value = (random: Random) => unknown;

/** As many values as fit into 64 kB, at most 100. */
const listOf =
  (value: Value): Value =>
  (random) => {
    const one = value(random);
    const most = Math.floor(65_536 / JSON.stringify(one).length);
    return Array.from({ length: Math.max(1, Math.min(random.pick([1, 10, 100]), most)) }, () => one);
  };

const text: Value = (random) =>
  random.pick(['1', 'x', '\u0001', '漢', '"']).repeat(random.pick([1, 1, 100, 5_000]));

function invoice(random: Random) {
  const name = random.pick(['k', '\u0001']).repeat(random.pick([1, 60, 5_000]));
  let totals: unknown = Array(random.pick([1, 20, 200, 500])).fill(1);
  for (let level = random.pick([1, 1, 28]); level > 0; level -= 1) totals = { [name]: totals };
  return {
    docType: random.pick(['CREDIT_NOTE', 'CREDIT_NOTE', 'INVOICE']),
    docNumber: text(random),
    supplier: {},
    buyer: {},
    lines: Array(random.pick([1, 300])).fill({ amountExclTax: random.pick(['1', '-1']), taxes: [] }),
    reference: { originalInvoiceCodeNumber: 'x' },
    totals,
  };
}

const id: Value = (random) => String(1 + random.below(1_000));
const importInput: Value = (random) => ({ queueId: '1', invoice: invoice(random) });
const reference: Value = (random) => ({ documentId: id(random) });

/** The value of each argument of a root field, by its type. */
const valuesOf: Readonly<Record<string, Value>> = {
  'MalaysiaInvoiceInput!': invoice,
  'MalaysiaInvoiceDraftInput!': invoice,
  'ImportMalaysiaInvoiceInput!': importInput,
  '[ImportMalaysiaInvoiceInput!]!': listOf(importInput),
  'ID!': id,
  '[ID!]!': listOf(id),
  'MexicoValidationReference!': reference,
  '[MexicoValidationReference!]!': listOf(reference),
  'ExportDocumentsInput!': () => ({}),
  'CreateGroupInput!': (random) => ({ name: text(random) }),
  'CreateFapiaoInput!': (random) => ({ document: { xml: text(random) } }),
};

/** A response of any length that is valid for every endpoint. */
function response(random: Random): does.Behaviour {
  const long = random.pick(['m', '漢', '\n']).repeat(random.pick([1, 1_000, 50_000]));
  const rows = `"${random.pick(['cell', 'c'.repeat(100)])}"\n`.repeat(random.pick([1, 1_000, 3_000]));
  const raw = { id: 1, list: Array(random.pick([1, 1_000, 10_000])).fill(1), long };
  return does.json(random.pick([200, 200, 200, 400]), {
    createGroup: { id: 7, name: long, queues: Array(random.pick([0, 1, 5])).fill(raw) },
    exportDocumentByDocIds: { data: `"Name"\n${rows}`, message: long },
    createXmlDocument: { requestId: 'r', message: long },
    docId: 1,
    documentId: '1',
    uuid: '6f0e9a41-5d1f-4f0b-9b47-111111111111',
    validation_result: 'VALID',
    validatedAt: '2031-04-09T08:30:00.000Z',
    steps: Object.fromEntries(
      Array.from({ length: random.pick([0, 3, 300]) }, (_, index) => [
        `s${index}`,
        { result: 'PASS', detail: 'd' },
      ]),
    ),
    status: 'validated',
    message: long,
  });
}

interface Measured {
  values: number;
  longest: number;
}

/** Fields and list members, and the longest string as JSON. */
function measure(json: unknown, measured: Measured = { values: 0, longest: 0 }): Measured {
  if (typeof json === 'string') {
    measured.longest = Math.max(measured.longest, Buffer.byteLength(JSON.stringify(json)));
  } else if (typeof json === 'object' && json !== null) {
    for (const member of Object.values(json)) {
      measured.values += 1;
      measure(member, measured);
    }
  }
  return measured;
}

it('no operation that the gateway accepts has a result above the limit', { timeout: 60_000 }, async () => {
  const seen = { refused: 0, given: 0, mostValues: 0, mostBytes: 0 };
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const random = new Random(seed);
      service.will(response(random));
      const body = JSON.stringify(attack(random));
      const written = await (await post(gateway, body)).text();
      const { data, errors = [] } = JSON.parse(written) as { data?: unknown; errors?: any[] };
      // A mutation continues with a part of the limit when a part of its result was dropped.
      const times = body.includes('"query":"mutation') ? 2 : 1;
      const codes = errors.map(({ extensions }) => extensions.code);
      expect(codes).not.toContain('INTERNAL_SERVER_ERROR');
      expect(codes).not.toContain('GRAPHQL_VALIDATION_FAILED');
      const { values, longest } = measure(data);
      const bytes = Buffer.byteLength(written) - longest;
      expect(values + 100 * errors.length).toBeLessThanOrEqual(times * resultLimit.maxValues + 100);
      // Short strings count as 1 byte a character and may take 6.
      expect(bytes).toBeLessThanOrEqual(times * 2 * resultLimit.maxBytes);
      if (codes.includes('OPERATION_TOO_EXPENSIVE')) seen.refused += 1;
      else seen.given += 1;
      seen.mostValues = Math.max(seen.mostValues, values);
      seen.mostBytes = Math.max(seen.mostBytes, bytes);
    }),
    { seed: 1_202, numRuns: Number(process.env['FOLIO_WORST_CASES'] ?? 120) },
  );
  // Check that the search reaches the limit, and stays below it too.
  expect(seen.refused).toBeGreaterThan(5);
  expect(seen.given).toBeGreaterThan(10);
  expect(seen.mostValues).toBeGreaterThan(resultLimit.maxValues / 4);
  expect(seen.mostBytes).toBeGreaterThan(resultLimit.maxBytes / 8);
});
