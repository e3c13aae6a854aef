/** The operations of `examples/operations`, each file with its variables, as GraphiQL opens them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DocumentNode, Kind, parse, print, visit } from 'graphql';
import { operationsFolder } from './page-files.ts';

export interface ExampleOperations {
  /** The text of the file, with the fragments of other files that it uses. */
  readonly query: string;
  /** A JSON object: the variables of all operations of the file. Empty when they have none. */
  readonly variables: string;
}

/** The files that `order.json` lists, in that order. */
export async function readExampleOperations(): Promise<ExampleOperations[]> {
  const files = await readdir(operationsFolder);
  const read = (name: string) => readFile(join(operationsFolder, name), 'utf8');
  const texts = await Promise.all(files.filter((name) => name.endsWith('.graphql')).map(read));
  const fragments = fragmentsIn(texts.map((text) => parse(text)));
  const order: string[] = JSON.parse(await read('order.json'));
  return await Promise.all(
    order.map(async (name) => ({
      query: withFragments(await read(`${name}.graphql`), fragments),
      variables: files.includes(`${name}.json`) ? await read(`${name}.json`) : '',
    })),
  );
}

/** The fragments of all documents, by name. */
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
