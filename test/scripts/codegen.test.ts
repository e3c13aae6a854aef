/** `codegen.ts` is a configuration of graphql-codegen, and its CLI writes the files that are in the repository. */
import { execFile } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/lifetimes.ts';

it('npx graphql-codegen --config codegen.ts writes what npm run generate writes', async () => {
  const folder = temporaryFolder();
  const read = ['codegen.ts', 'schema.graphql', 'package.json', 'examples/operations', 'examples/web/src'];
  for (const name of [...read, 'examples/clients/codegen.config.ts'])
    cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  rmSync(join(folder, 'examples/web/src/graphql'), { recursive: true });
  const cli = resolve('node_modules/.bin/graphql-codegen');
  await promisify(execFile)(process.execPath, [cli, '--config', 'codegen.ts'], { cwd: folder });
  const folders = ['packages/client/src/gql', 'examples/web/src/graphql'];
  const written = folders.flatMap((name) => globSync(`${name}/*`, { cwd: folder })).sort();
  const here = globSync(folders.map((name) => `${name}/*`)).sort();
  // The names of the rules are written from the code.
  expect(written).toEqual(here.filter((file) => file !== 'examples/web/src/graphql/rules.ts'));
  for (const file of written)
    expect([file, readFileSync(join(folder, file), 'utf8')]).toEqual([file, readFileSync(file, 'utf8')]);
});
