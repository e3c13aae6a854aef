import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configTable } from '../src/config/config.ts';
import { errorCodes } from '../src/errors.ts';
import { schema } from '../src/schema.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { aShellFolder, readPage, runShell, shellRuns } from './support/markdown.ts';

const readme = readFileSync('README.md', 'utf8');

const page = readPage(readme);

describe('the README', () => {
  it('has its two commands in its first block', () => {
    expect(page.blocks[0]?.text).toMatch(/^npm ci && npm start .*\nnpm ci && npm test /);
  });

  it('has the table of variables that the code has', () => {
    const table = /<!-- configuration -->\n([\s\S]*?)<!-- \/configuration -->/.exec(readme)?.[1];
    const rows = configTable.map((row) => `| \`${row.name}\` | ${row.default} | ${row.description} |\n`);
    expect(table).toBe(`\n| variable | default | meaning |\n| --- | --- | --- |\n${rows.join('')}\n`);
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

  it('names only tests that exist as proof of what it promises', () => {
    const promises = /## What it promises\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? '';
    const named = [...promises.matchAll(/`([\w-]+\.test\.ts)`/g)].map(([, file]) => file as string);
    expect(named.length).toBeGreaterThan(10);
    for (const file of named) expect(existsSync(join('test', file)), file).toBe(true);
  });

  it('lists the changes of this version, and so does CHANGELOG.md', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(/^## Changes\n[^-]*- (\S+):/m.exec(readme)?.[1]).toBe(version);
    expect(/^## \[(\d\S*)\]/m.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1]).toBe(version);
  });

  it('says what to do about every code that callers can meet', () => {
    for (const code of errorCodes) expect(readme).toContain(`\`${code}\``);
  });
});

describe('the README’s shell blocks, run one after the other, answer what stands below them', () => {
  let gateway: TestGateway;
  const folder = aShellFolder();
  beforeAll(async () => {
    gateway = await startTestGateway({
      SANDBOX_SPEED: '4',
      MALAYSIA_POLL_MIN_MS: '20',
      MALAYSIA_POLL_MAX_MS: '40',
    });
  });
  afterAll(() => gateway.close());

  const runs = shellRuns(page);

  it('are five', () => {
    expect(runs).toHaveLength(5);
  });

  it.each(runs.map((run, index) => [index, run] as const))('block %i', async (_index, run) => {
    const { actual, expected } = await runShell(run, gateway.origin, folder);
    expect(actual).toEqual(expected);
  });
});
