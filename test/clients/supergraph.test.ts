/** Folio as a part of a supergraph, composed as docs/supergraph.md describes. */
import { readFileSync } from 'node:fs';
import { composeServices as composeWithApollo } from '@apollo/composition';
import { composeServices as composeWithGuild } from '@theguild/federation-composition';
import { buildASTSchema, isObjectType, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { alice, startTestGateway } from '../support/gateway.ts';
import { forTest } from '../support/lifetimes.ts';
import { readPage } from '../support/markdown.ts';

const schema = readFileSync('schema.graphql', 'utf8');
const page = readPage(readFileSync('docs/supergraph.md', 'utf8'));
const definition = page.blocks.find(({ text }) => text.startsWith('directive'))?.text ?? '';
const other = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
  type Query { customer(id: ID!): Customer }
  type Customer @key(fields: "id") { id: ID!, name: String }
`;

/** The fields of the root types, and how often `@oneOf` is on an input, in the supergraph; or the messages of its errors. */
function compose(composition: typeof composeWithApollo | typeof composeWithGuild, folio: string) {
  const services = Object.entries({ folio, other }).map(([name, text]) => {
    return { name, url: `http://${name}.example/graphql`, typeDefs: parse(text) };
  });
  const { errors, supergraphSdl } = composition(services);
  if (errors) return errors.map(({ message }) => message);
  const sdl = String(supergraphSdl);
  const inputs = sdl.matchAll(/^input [^{]*@oneOf/gm);
  return { fields: rootFields(sdl), oneOf: [...inputs].length };
}

function rootFields(sdl: string): string[] {
  const types = Object.values(buildASTSchema(parse(sdl), { assumeValidSDL: true }).getTypeMap());
  const roots = types.filter(isObjectType).filter(({ name }) => /^(Query|Mutation|Subscription)$/.test(name));
  return roots
    .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`))
    .sort();
}

const fields = [...rootFields(schema), 'Query.customer'].sort();

describe('the schema file', () => {
  it('is accepted by the composition of The Guild as it is, and keeps @oneOf', () => {
    expect(compose(composeWithGuild, schema)).toEqual({ fields, oneOf: 2 });
  });

  it('is refused by the composition of Apollo, unless the definition of @oneOf on the page precedes it', () => {
    const messages = compose(composeWithApollo, schema);
    expect(new Set(messages as string[])).toEqual(new Set(['[folio] Unknown directive "@oneOf".']));
    expect(compose(composeWithApollo, definition + schema)).toEqual({ fields, oneOf: 0 });
  });
});

it('an input that the router of a supergraph without @oneOf forwards is refused by Folio', async () => {
  const gateway = forTest(await startTestGateway());
  const query = `query Validation__folio__0($by: MexicoValidationReference!) {
    mexicoValidation(by: $by) { __typename result }
  }`;
  const of = (by: object) => gateway.ask(query, { by }, alice);
  expect(await of({ documentId: '1001' })).toMatchObject({
    data: { mexicoValidation: { __typename: 'MexicoValidation', result: 'VALID' } },
  });
  const { data, errors } = await of({ documentId: '1001', uuid: '6f1e8a52-5d59-4a35-9c3a-7d1f0c0a1b2c' });
  expect([data, errors?.[0]?.extensions]).toMatchObject([
    undefined,
    { code: 'BAD_USER_INPUT', sideEffect: 'NONE' },
  ]);
});
