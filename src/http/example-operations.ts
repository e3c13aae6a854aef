/** The operations of `examples/operations`, each file with its variables, as GraphiQL opens them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DocumentNode, Kind, parse, print, visit } from 'graphql';
import { operationsFolder } from './graphiql-folders.ts';

interface ExampleOperations {
  /** The text of the file, with the fragments of other files that it uses. */
  readonly query: string;
  /** A JSON object: the variables of all operations of the file. Empty when they have none. */
  readonly variables: string;
}

/** Every file that has an operation: first those that `order.json` lists, then the others by name. */
export async function readExampleOperations(): Promise<ExampleOperations[]> {
  const files = await readdir(operationsFolder);
  const read = (name: string) => readFile(join(operationsFolder, name), 'utf8');
  const texts = new Map<string, string>();
  for (const name of files.filter((name) => name.endsWith('.graphql')).sort())
    texts.set(name.slice(0, -'.graphql'.length), await read(name));
  const fragments = fragmentsIn([...texts.values()].map((text) => parse(text)));
  const hasOperation = ([, text]: [string, string]) =>
    parse(text).definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const names = [...texts].filter(hasOperation).map(([name]) => name);
  const order = new Set<string>([...JSON.parse(await read('order.json')), ...names]);
  return await Promise.all(
    [...order].map(async (name) => ({
      query: withFragments(texts.get(name) as string, fragments),
      variables: files.includes(`${name}.json`) ? await read(`${name}.json`) : '',
    })),
  );
}

function fragmentsIn(documents: readonly DocumentNode[]): ReadonlyMap<string, string> {
  const fragments = new Map<string, string>();
  for (const definition of documents.flatMap(({ definitions }) => definitions)) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, print(definition));
  }
  return fragments;
}

/** The text, followed by the fragments that it uses and does not define. */
function withFragments(text: string, fragments: ReadonlyMap<string, string>): string {
  const document = parse(text);
  const used = new Set<string>();
  visit(document, { FragmentSpread: ({ name }) => void used.add(name.value) });
  const missing = used.difference(fragmentsIn([document]));
  if (missing.size === 0) return text;
  const added = [...missing].map((name) => fragments.get(name) ?? '');
  return withFragments(`${text}\n${added.join('\n\n')}\n`, fragments);
}
