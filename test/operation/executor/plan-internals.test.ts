import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { readSources } from '../../support/architecture.ts';

const readme = readFileSync('src/operation/executor/README.md', 'utf8');

it('internal modules of graphql-js are imported by the executor only, and its README lists each of them', () => {
  const importers = readSources('src').flatMap(({ path, imports }) =>
    imports
      .filter(({ to }) => to.startsWith('graphql/') && to.endsWith('.js'))
      .map(({ to }) => ({ path, to })),
  );
  const outside = importers.filter(({ path }) => !path.startsWith('operation/executor/'));
  const listed = [...readme.matchAll(/^\| `(graphql\/\S+)` \|/gm)].map(([, name]) => name);
  expect(outside).toEqual([]);
  expect(listed.sort()).toEqual([...new Set(importers.map(({ to }) => to))].sort());
});

it('graphql is pinned to the exact version that the executor’s README names', () => {
  const { graphql } = packageJson.dependencies;
  expect(graphql).toMatch(/^\d+\.\d+\.\d+$/);
  expect(packageJson.overrides.graphql).toBe('$graphql');
  expect(readme).toContain(`pins graphql to exactly ${graphql}`);
});
