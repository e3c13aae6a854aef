/**
 * Writes what is generated: `schema.graphql`, printed sorted from the built schema; of `examples/operations`
 * typed documents and the manifest of persisted operations. With `--check` it writes nothing and exits with 1
 * when something is out of date.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import {
  concatAST,
  type DocumentNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  lexicographicSortSchema,
  OperationTypeNode,
  parse,
  print,
  printSchema,
  separateOperations,
} from 'graphql';
import { type CallsExtension, costOf } from './src/graphql/cost.ts';
import { hashOf } from './src/graphql/persisted-operations.ts';
import { schema } from './src/graphql/schema.ts';

const operationsFolder = 'examples/operations';
const manifestFile = 'examples/persisted-operations.json';
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
  contents.set(manifestFile, manifestOf(documents.map(({ document }) => document)));
  return contents;
}

/** Each operation with what it needs, by the hash of its text: what PERSISTED_OPERATIONS loads. */
function manifestOf(documents: readonly DocumentNode[]): string {
  const operations = Object.values(separateOperations(concatAST(documents)));
  const entries = operations.map((document) => [hashOf(print(document)), entryOf(document)] as const);
  const byName = entries.sort(([, a], [, b]) => a.name.localeCompare(b.name));
  return `${JSON.stringify({ version: 1, operations: Object.fromEntries(byName) }, null, 2)}\n`;
}

/** `cost`: the least; each member of a list given as a variable beyond the first adds to it. */
function entryOf(document: DocumentNode) {
  const operation = getOperationAST(document);
  if (!operation?.name) throw new Error('An operation for the manifest needs a name.');
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const byName = fragments.map((node: FragmentDefinitionNode) => [node.name.value, node]);
  return {
    name: operation.name.value,
    cost: costOf({
      schema,
      operation,
      fragmentDefinitions: Object.fromEntries(byName),
      variableValues: { sources: {}, coerced: {} },
    }),
    credentials: credentialsOf(operation.operation, document),
    writes: operation.operation === OperationTypeNode.MUTATION,
    document: print(document),
  };
}

/** The headers that the operation's root fields demand. */
function credentialsOf(type: OperationTypeNode, document: DocumentNode): string[] {
  const fields = schema.getRootType(type)?.getFields() ?? {};
  const selections = getOperationAST(document)?.selectionSet.selections ?? [];
  const demanded = selections.flatMap((selection) => {
    if (selection.kind !== Kind.FIELD) throw new Error('Root fields stand in the operation itself.');
    return (fields[selection.name.value]?.extensions as CallsExtension | undefined)?.credentials ?? [];
  });
  return [...new Set(demanded)].sort();
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
