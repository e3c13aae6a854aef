import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/schema.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { aShellFolder, readPage, runShell, shellRuns } from '../support/markdown.ts';

const readme = readFileSync('README.md', 'utf8');

const page = readPage(readme);

describe('the README', () => {
  it('has its two commands in its first block', () => {
    expect(page.blocks[0]?.text).toMatch(/^npm ci && npm start .*\nnpm ci && npm test /);
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

describe('the shell blocks of the README, run one after the other, print the block below them', () => {
  let gateway: TestGateway;
  const folder = aShellFolder();
  beforeAll(async () => {
    gateway = await startTestGateway({
      MALAYSIA_POLL_MIN_MS: '20',
      MALAYSIA_POLL_MAX_MS: '40',
    });
  });
  afterAll(() => gateway.close());

  const runs = shellRuns(page);

  it('there are five of them', () => {
    expect(runs).toHaveLength(5);
  });

  it.each(runs.map((run, index) => [index, run] as const))('block %i', async (_index, run) => {
    const { actual, expected } = await runShell(run, gateway, folder);
    expect(actual).toEqual(expected);
  });
});
