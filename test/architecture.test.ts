import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readSource, readSources, violationsOf } from './support/architecture.ts';

const sources = readSources('src');
const copy = mkdtempSync(join(tmpdir(), 'folio-architecture-'));
cpSync('src', copy, { recursive: true });
afterAll(() => rmSync(copy, { recursive: true }));

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
  ['an import upwards', 'state/extra.ts', "import '../http/server.ts';", 'imports point down'],
  [
    'a type import upwards',
    'upstream/extra.ts',
    "import type { Context } from '../graphql/context.ts';",
    'imports point down',
  ],
  [
    'an import type in an annotation',
    'telemetry/extra.ts',
    "export type A = import('../caller.ts').Caller;",
    'imports point down',
  ],
  ['an export upwards', 'telemetry/extra.ts', "export * from '../caller.ts';", 'imports point down'],
  ['a file outside the layers', 'extra.ts', 'export const a = 1;', 'belongs to no layer'],
  [
    'a dynamic import upwards',
    'graphql/extra.ts',
    "export const a = () => import('../schema.ts');",
    'imports point down',
  ],
  [
    'an import from one feature to another',
    'features/mexico/extra.ts',
    "import '../group/group.api.ts';",
    'features never import features',
  ],
  [
    'a feature that reads the configuration',
    'features/scan/extra.ts',
    "import { readConfig } from '../../config/config.ts'; readConfig({});",
    'the configuration is known by type only',
  ],
  [
    'an import out of the sandbox',
    'sandbox/extra.ts',
    "import '../errors.ts';",
    'the sandbox imports nothing',
  ],
  [
    'the sandbox in a feature',
    'features/group/extra.ts',
    "import '../../sandbox/store.ts';",
    'only the gateway starts',
  ],
  [
    'Pothos where the service is called',
    'features/group/extra.api.ts',
    "import '@pothos/core';",
    'knows no GraphQL',
  ],
  [
    'the schema builder where the service is called',
    'features/group/extra.api.ts',
    "import '../../graphql/builder.ts';",
    'knows no GraphQL',
  ],
  [
    'a cycle of two types',
    'errors.ts',
    "import type { A } from './errors.ts'; export type B = A;",
    'cycle: ',
  ],
  [
    'a feature’s name between two short literals',
    'http/extra.ts',
    "export const tabs = ['a b', 'mexico', 'c d'];",
    'names a feature: mexico',
  ],
  [
    'a feature’s name in an identifier',
    'state/extra.ts',
    'export const malaysiaStatus = 1;',
    'names a feature',
  ],
  ['a feature’s name in a template', 'operation/extra.ts', 'export const a = `fapiao`;', 'names a feature'],
  ['a use of the process', 'http/extra.ts', 'process.exit(1);', 'uses process'],
])('finds %s', (_title, path, text, expected) => {
  const found = violationsWith(path, text);
  expect(found).toContain(path);
  expect(found).toContain(expected);
});

it('a feature’s name in a comment or in prose is not a violation', () => {
  const text = "/** mexico */\nexport const description = 'Returns a malaysia status.';\n";
  expect(violationsWith('operation/extra.ts', text)).not.toContain('operation/extra.ts');
});
