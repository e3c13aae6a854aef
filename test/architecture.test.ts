import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { readSource, readSources, violationsOf } from './support/architecture.ts';
import { forFile, temporaryFolder } from './support/lifetimes.ts';

const sources = readSources('src');
const copy = temporaryFolder(forFile);
cpSync('src', copy, { recursive: true });
const executorReadme = readFileSync('src/operation/executor/README.md', 'utf8');

it('every import points down, no file is in a cycle, and no shared folder names a feature', () => {
  expect(violationsOf(sources)).toEqual([]);
});

/** The violations in a copy of `src` in which the file at `path` has this text. */
function violationsWith(path: string, text: string): string {
  writeFileSync(join(copy, path), text);
  const others = sources.filter((source) => source.path !== path);
  return violationsOf([...others, readSource(copy, path)]).join('\n');
}

it.each([
  ['state/extra.ts', "import '../http/server.ts';", 'imports point down'],
  ['upstream/extra.ts', "import type { Context } from '../graphql/context.ts';", 'imports point down'],
  ['telemetry/extra.ts', "export type A = import('../caller.ts').Caller;", 'imports point down'],
  ['telemetry/extra.ts', "export * from '../caller.ts';", 'imports point down'],
  ['graphql/extra.ts', "export const a = () => import('../schema.ts');", 'imports point down'],
  ['extra.ts', 'export const a = 1;', 'belongs to no layer'],
  ['features/mexico/extra.ts', "import '../group/group.api.ts';", 'features never import features'],
  ['features/scan/extra.ts', "import { a } from '../../config/config.ts'; a({});", 'is known by type only'],
  ['sandbox/extra.ts', "import '../errors.ts';", 'the sandbox imports nothing'],
  ['features/group/extra.ts', "import '../../sandbox/documents.ts';", 'only the gateway starts'],
  ['features/group/extra.api.ts', "import '@pothos/core';", 'knows no GraphQL'],
  ['features/group/extra.api.ts', "import '../../graphql/builder.ts';", 'knows no GraphQL'],
  ['errors.ts', "import type { A } from './errors.ts'; export type B = A;", 'cycle: '],
  ['http/extra.ts', "export const tabs = ['a b', 'mexico', 'c d'];", 'names a feature: mexico'],
  ['state/extra.ts', 'export const malaysiaStatus = 1;', 'names a feature'],
  ['operation/extra.ts', 'export const a = `fapiao`;', 'names a feature'],
  ['http/extra.ts', 'process.exit(1);', 'uses process'],
])('finds in %s: %s', (path, text, expected) => {
  const found = violationsWith(path, text);
  expect(found).toContain(path);
  expect(found).toContain(expected);
});

it('a feature’s name in a comment or in prose is not a violation', () => {
  const text = "/** mexico */\nexport const description = 'Returns a malaysia status.';\n";
  expect(violationsWith('operation/extra.ts', text)).not.toContain('operation/extra.ts');
});

it('internal modules of graphql-js are imported by the executor only, and its README lists each of them', () => {
  const importers = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ to }) => to.startsWith('graphql/') && to.endsWith('.js'))
      .map(({ to }) => ({ path, to })),
  );
  const outside = importers.filter(({ path }) => !path.startsWith('operation/executor/'));
  const listed = [...executorReadme.matchAll(/^\| `(graphql\/\S+)` \|/gm)].map(([, name]) => name);
  expect(outside).toEqual([]);
  expect(listed.sort()).toEqual([...new Set(importers.map(({ to }) => to))].sort());
});

it('graphql is pinned to the exact version that the executor’s README names', () => {
  const { graphql } = packageJson.dependencies;
  expect(graphql).toMatch(/^\d+\.\d+\.\d+$/);
  expect(packageJson.overrides.graphql).toBe('$graphql');
  expect(executorReadme).toContain(`pins graphql to exactly ${graphql}`);
});
