/**
 * Writes what is generated: `schema.graphql`, printed sorted from the built schema, and typed documents of
 * `examples/operations`. With `--check` it writes nothing and exits with 1 when something is out of date.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { lexicographicSortSchema, parse, printSchema } from 'graphql';
import { schema } from './src/graphql/schema.ts';

const operationsFolder = 'examples/operations';
const generatedFolder = 'test/generated/';

const scalars = {
  Date: 'string',
  DateTime: 'string',
  Decimal: { input: 'string | number', output: 'string' },
  JSONObject: 'Record<string, unknown>',
  UUID: 'string',
  Upload: 'null',
};

async function generated(): Promise<Map<string, string>> {
  const sdl = `${printSchema(lexicographicSortSchema(schema))}\n`;
  const documents = readdirSync(operationsFolder)
    .sort()
    .map((file) => {
      const rawSDL = readFileSync(join(operationsFolder, file), 'utf8');
      return { location: join(operationsFolder, file), document: parse(rawSDL), rawSDL };
    });
  const files = await preset.buildGeneratesSection({
    baseOutputDir: generatedFolder,
    schema: parse(sdl),
    documents,
    config: { scalars, documentMode: 'string', useTypeImports: true, enumsAsTypes: true },
    presetConfig: { fragmentMasking: false },
    plugins: [],
    pluginMap: {},
    documentTransforms: [],
    profiler: { run: (task: () => unknown) => Promise.resolve(task()), collect: () => [] },
  } as unknown as Parameters<typeof preset.buildGeneratesSection>[0]);
  const contents = new Map([['schema.graphql', sdl]]);
  // The preset's other files only look documents up by their text; tests import them by name.
  for (const file of files) {
    if (file.filename.endsWith('/graphql.ts')) contents.set(file.filename, await codegen(file));
  }
  return contents;
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
