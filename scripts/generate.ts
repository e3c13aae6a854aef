/**
 * Writes the generated files: `schema.graphql` (sorted), the pages of `docs/reference`, README's table of operations, `.env.example`, and for `examples`
 * the typed documents, the schema for client caches and the manifest of persisted operations. With `--check` it writes
 * nothing, and exits with 1 when a file is out of date.
 */
import { globSync, readFileSync } from 'node:fs';
import { codegen } from '@graphql-codegen/core';
import type { Types } from '@graphql-codegen/plugin-helpers';
import { buildSchema, parse, printSchema } from 'graphql';
import codegenConfig from '../codegen.ts';
import { schema } from '../src/schema.ts';
import { clientTexts } from './client-texts.ts';
import { clientsSchema } from './clients-schema.ts';
import { configurationPage } from './configuration-page.ts';
import { envExample } from './env-example.ts';
import { errorsPage } from './errors-page.ts';
import { writeGenerated } from './generated-files.ts';
import { manifestOf } from './manifest.ts';
import { mappingPage } from './mapping-page.ts';
import { metricsPage } from './metrics-page.ts';
import { prometheusRules } from './prometheus-rule.ts';
import { readmePage } from './readme-table.ts';
import { rulesPage } from './rules-page.ts';
import { sandboxPage } from './sandbox-page.ts';
import { schemaPage } from './schema-page.ts';
import { servicePage } from './service-page.ts';
import { testKitTypes } from './test-kit-types.ts';

const manifestFile = 'examples/persisted-operations.json';

async function generated(): Promise<Map<string, string>> {
  // Pothos sorts types and fields.
  const sdl = `${printSchema(schema)}\n`;
  const contents = new Map([
    ['schema.graphql', sdl],
    // A schema from text has its default values as literals.
    ['docs/reference/schema.md', schemaPage(buildSchema(printSchema(schema)))],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/mapping.md', mappingPage(schema)],
    ['docs/reference/metrics.md', metricsPage()],
    ['docs/reference/rules.md', rulesPage()],
    ['README.md', readmePage(schema, readFileSync('README.md', 'utf8'))],
    ['docs/sandbox.md', sandboxPage(readFileSync('docs/sandbox.md', 'utf8'))],
    ['docs/service.md', servicePage(readFileSync('docs/service.md', 'utf8'))],
    ['docs/configuration.md', configurationPage()],
    ['.env.example', envExample()],
    ['packages/client/src/schema.ts', clientsSchema(schema)],
    ['test-kit/schema-types.ts', testKitTypes(schema)],
    ...prometheusRules(),
    clientTexts(),
  ]);
  for (const [folder, output] of Object.entries(codegenConfig.generates)) {
    const files = await typedDocuments(folder, output, sdl);
    // Together: the manifest is complete when the documents are.
    const texts = await Promise.all(files.map(codegen));
    for (const [index, { filename }] of files.entries()) contents.set(filename, texts[index] as string);
  }
  const persisted = documentsIn('examples/operations/**/*.graphql').map(({ document }) => document);
  contents.set(manifestFile, manifestOf(persisted, schema));
  return contents;
}

type Output = (typeof codegenConfig.generates)[string];

/** What the CLI of graphql-codegen does with an output of `codegen.ts`, in a fortieth of its time. */
async function typedDocuments(folder: string, output: Output, sdl: string) {
  let documents: Types.DocumentFile[] = documentsIn(output.documents);
  for (const { transform } of output.documentTransforms ?? []) {
    documents = await transform({ documents, schema: parse(sdl), config: {} });
  }
  return await output.preset.buildGeneratesSection({
    baseOutputDir: folder,
    schema: parse(sdl),
    documents,
    config: output.config ?? {},
    presetConfig: output.presetConfig ?? {},
    plugins: [],
    pluginMap: {},
    documentTransforms: [],
    profiler: { run: (task: () => unknown) => Promise.resolve(task()), collect: () => [] },
  } as unknown as Parameters<typeof output.preset.buildGeneratesSection>[0]);
}

function documentsIn(pattern: string) {
  return globSync(pattern)
    .sort()
    .map((location) => {
      const rawSDL = readFileSync(location, 'utf8');
      return { location, document: parse(rawSDL), rawSDL };
    });
}

writeGenerated(await generated());
