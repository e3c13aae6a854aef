/** The operations of `examples/operations`, each file with its variables, as GraphiQL opens them. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { concatAST, Kind, parse, print, separateOperations } from 'graphql';
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
  const names = files.filter((name) => name.endsWith('.graphql')).map((name) => basename(name, '.graphql'));
  const texts = await Promise.all(names.sort().map((name) => read(`${name}.graphql`)));
  const documents = texts.map((text) => parse(text));
  // Each operation with all fragments that it uses.
  const operations = Object.values(separateOperations(concatAST(documents)));
  const examples = new Map<string, ExampleOperations>();
  for (const [index, { definitions }] of documents.entries()) {
    const own = new Set(definitions);
    const used = operations
      .map((operation) => operation.definitions)
      .filter((all) => all.some((one) => one.kind === Kind.OPERATION_DEFINITION && own.has(one)))
      .flat();
    if (used.length === 0) continue;
    const missing = [...new Set(used).difference(own)].map((fragment) => `${print(fragment)}\n`);
    const name = names[index] as string;
    const variables = files.includes(`${name}.json`) ? await read(`${name}.json`) : '';
    examples.set(name, { query: [texts[index], ...missing].join('\n'), variables });
  }
  const order = new Set<string>([...JSON.parse(await read('order.json')), ...examples.keys()]);
  return [...order].map((name) => examples.get(name) as ExampleOperations);
}
