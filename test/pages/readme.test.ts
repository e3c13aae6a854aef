import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/schema.ts';

const readme = readFileSync('README.md', 'utf8');

describe('the README', () => {
  it('has its two commands in its first block', () => {
    expect(readme).toMatch(/```sh\nnpm ci && npm start .*\nnpm ci && npm test /);
  });

  it('names every root field of the schema in its table of operations, with its REST call', () => {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    for (const field of roots.flatMap((type) => Object.values(type?.getFields() ?? {}))) {
      const row = readme
        .split('\n')
        .find((line) => line.startsWith('|') && line.includes(`\`${field.name}\``));
      expect(row, field.name).toBeDefined();
      const call = /REST: `((?:GET|POST) [^`]+)`/.exec(field.description ?? '')?.[1];
      if (call) expect(row).toContain(call);
    }
  });

  it('has at most 150 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('links its section Changes to CHANGELOG.md, which lists the changes of this version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(readme).toMatch(/^## Changes\n\n\[CHANGELOG\.md\]\(CHANGELOG\.md\) /m);
    expect(/^## \[(\d\S*)\]/m.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1]).toBe(version);
  });
});
