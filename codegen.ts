/**
 * Writes the generated files: `schema.graphql` (sorted), the pages of `docs/reference`, `.env.example`, and for `examples`
 * the typed documents, the schema for client caches and the manifest of persisted operations. With `--check` it writes
 * nothing, and exits with 1 when a file is out of date.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addTypenameSelectionDocumentTransform, preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { lexicographicSortSchema, parse, printSchema } from 'graphql';
import graphqlTag from 'graphql-tag';
import clientCodegen from './examples/clients/codegen.config.ts';
import { clientsSchema } from './scripts/clients-schema.ts';
import { configurationPage } from './scripts/configuration-page.ts';
import { envExample } from './scripts/env-example.ts';
import { errorsPage } from './scripts/errors-page.ts';
import { manifestOf } from './scripts/manifest.ts';
import { ruleKeys, rulesPage } from './scripts/rules-page.ts';
import { schemaPage } from './scripts/schema-page.ts';
import { testKitTypes } from './scripts/test-kit-types.ts';
import { schema } from './src/schema.ts';

/** The configuration that front ends copy. The tests build uploads themselves and send documents as text. */
const clientConfig = clientCodegen.generates['src/gql/'];
const testConfig = {
  ...clientConfig.config,
  scalars: { ...clientConfig.config.scalars, Upload: 'null' },
  documentMode: 'string',
};

interface Target {
  /** Folder with `.graphql` files on any level. */
  readonly operations: string;
  readonly generated: string;
  readonly config: object;
  /** Whether the documents get hashes, with a manifest next to them. */
  readonly isPersisted: boolean;
}

const targets: readonly Target[] = [
  { operations: 'examples/operations', generated: 'test/generated/', config: testConfig, isPersisted: false },
  {
    operations: 'examples/operations',
    generated: 'examples/clients/gql/',
    config: clientConfig.config,
    isPersisted: true,
  },
  {
    operations: 'examples/web/src',
    generated: 'examples/web/src/graphql/',
    config: clientConfig.config,
    isPersisted: true,
  },
];

const manifestFile = 'examples/persisted-operations.json';

async function generated(): Promise<Map<string, string>> {
  const sdl = `${printSchema(lexicographicSortSchema(schema))}\n`;
  const contents = new Map([
    ['schema.graphql', sdl],
    ['docs/reference/schema.md', schemaPage(schema)],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/rules.md', rulesPage()],
    ['examples/web/src/graphql/rules.ts', ruleKeys()],
    ['docs/configuration.md', configurationPage()],
    ['.env.example', envExample()],
    ['examples/clients/shared/schema.ts', clientsSchema(schema)],
    ['test-kit/schema-types.ts', testKitTypes(schema)],
  ]);
  for (const target of targets) {
    // The preset parses with graphql-tag, which warns of a fragment that another target writes in another way.
    graphqlTag.resetCaches();
    const files = await typedDocuments(target, sdl);
    // Together: the manifest is complete when the documents are.
    const texts = await Promise.all(files.map(codegen));
    for (const [index, { filename }] of files.entries()) contents.set(filename, texts[index] as string);
  }
  const persisted = documentsIn('examples/operations').map(({ document }) => document);
  contents.set(manifestFile, manifestOf(persisted, schema));
  return contents;
}

async function typedDocuments({ operations, generated, config, isPersisted }: Target, sdl: string) {
  const documents = documentsIn(operations);
  const { transform } = addTypenameSelectionDocumentTransform;
  const files = await preset.buildGeneratesSection({
    baseOutputDir: generated,
    schema: parse(sdl),
    documents: isPersisted ? await transform({ documents, schema: parse(sdl), config: {} }) : documents,
    config,
    presetConfig: isPersisted ? clientConfig.presetConfig : { fragmentMasking: false },
    plugins: [],
    pluginMap: {},
    documentTransforms: [],
    profiler: { run: (task: () => unknown) => Promise.resolve(task()), collect: () => [] },
  } as unknown as Parameters<typeof preset.buildGeneratesSection>[0]);
  // The other files of the preset look documents up by their text. Here documents are imported by name.
  const names = ['graphql.ts', ...(isPersisted ? ['persisted-documents.json'] : [])];
  return names.map((name) => {
    const file = files.find(({ filename }) => filename.endsWith(`/${name}`));
    if (file === undefined) throw new Error(`The preset made no ${name} for ${operations}.`);
    return file;
  });
}

function documentsIn(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => {
      const rawSDL = readFileSync(join(folder, file), 'utf8');
      return { location: join(folder, file), document: parse(rawSDL), rawSDL };
    });
}

function current(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

const stale = [...(await generated())].filter(([file, content]) => current(file) !== content);
if (process.argv.includes('--check')) {
  for (const [file] of stale) console.error(`${file} is out of date: run npm run generate`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [file, content] of stale) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    console.log(`wrote ${file}`);
  }
}
