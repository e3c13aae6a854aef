import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { readSources, violationsOf } from './support/architecture.ts';

const sources = readSources('src');
const executorReadme = readFileSync('src/operation/executor/README.md', 'utf8');

it('every import points down, no file is in a cycle, and no shared folder names a feature', () => {
  expect(violationsOf(sources)).toEqual([]);
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
