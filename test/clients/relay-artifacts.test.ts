/** The artifacts of Relay's recipe are those of its operations and of today's schema. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type DefinitionNode, Kind, parse, print, validate } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/schema.ts';

const recipe = 'test/clients/relay';
const source = readFileSync(`${recipe}/operations.js`, 'utf8');
const definitions = [...source.matchAll(/graphql`([^`]*)`/g)].flatMap(([, text = '']) => [
  ...parse(text).definitions,
]);
const artifacts = new Map(
  readdirSync(`${recipe}/__generated__`).map((file) => [
    file.replace(/\.graphql\.js$/, ''),
    readFileSync(`${recipe}/__generated__/${file}`, 'utf8'),
  ]),
);
const manifest: Record<string, string> = JSON.parse(
  readFileSync(`${recipe}/persisted-documents.json`, 'utf8'),
);

function nameOf(definition: DefinitionNode): string {
  const named = definition.kind === Kind.FRAGMENT_DEFINITION || definition.kind === Kind.OPERATION_DEFINITION;
  return (named && definition.name?.value) || '';
}

const howToFix = 'run `npx relay-compiler relay.config.json` in test/clients/relay';

it('each artifact has the MD5 hash of its operation, and each belongs to an operation', () => {
  const expected = definitions.map((definition) => [
    nameOf(definition),
    createHash('md5').update(print(definition)).digest('hex'),
  ]);
  const actual = [...artifacts].map(([name, text]) => [name, /\.hash = "(\w+)"/.exec(text)?.[1]]);
  expect(actual.sort(), howToFix).toEqual(expected.sort());
});

it('the manifest has the text of each request under its SHA-256 hash, and the schema accepts it', () => {
  const ids = [...artifacts.values()].flatMap((text) => /"id": "([0-9a-f]{64})"/.exec(text)?.[1] ?? []);
  expect(Object.keys(manifest).sort(), howToFix).toEqual(ids.sort());
  for (const [hash, text] of Object.entries(manifest)) {
    expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
    expect(validate(schema, parse(text)), howToFix).toEqual([]);
  }
});
