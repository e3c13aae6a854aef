/** Random operations with large results or inputs: lists, aliases, fragments and long strings over every field of the schema. */
import { type GraphQLField, type GraphQLObjectType, getNamedType, isObjectType, isUnionType } from 'graphql';
import { schema } from '../../src/schema.ts';
import type { Random } from './random.ts';

const maxTextLength = 40_000;
const maxFields = 1_900;

/** An operation near the limits, with variables that make each list as long as accepted. */
export function costlyOperation(random: Random): { query: string; variables: Record<string, unknown> } {
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
