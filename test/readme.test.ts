import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configTable } from '../src/config.ts';
import { errorCodes } from '../src/errors.ts';
import { schema } from '../src/graphql/schema.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { aPng } from './support/png.ts';

const readme = readFileSync('README.md', 'utf8');

/** The README's code blocks in order, each with the words behind its fence. */
const blocks = [...readme.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}));

describe('the README', () => {
  it('has its two commands in its first block', () => {
    expect(blocks[0]?.text).toMatch(/^npm ci && npm start .*\nnpm ci && npm test /);
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

  it('says what to do about every code that callers can meet', () => {
    const later = ['PERSISTED_QUERY_NOT_FOUND', 'PERSISTED_QUERY_ONLY'];
    for (const code of errorCodes) if (!later.includes(code)) expect(readme).toContain(`\`${code}\``);
  });
});

describe('the README’s shell blocks, run one after the other, answer what stands below them', () => {
  let gateway: TestGateway;
  let folder: string;
  beforeAll(async () => {
    gateway = await startTestGateway({
      SANDBOX_SPEED: '4',
      MALAYSIA_POLL_MIN_MS: '20',
      MALAYSIA_POLL_MAX_MS: '40',
    });
    folder = mkdtempSync(join(tmpdir(), 'readme-'));
    writeFileSync(join(folder, 'card.png'), aPng(40, 30));
  });
  afterAll(() => gateway.close());

  const runs = blocks.flatMap((block, index) => {
    const answer = blocks[index + 1];
    return block.kind === 'sh run' && answer ? [{ command: block.text, answer }] : [];
  });

  it('are five', () => {
    expect(runs).toHaveLength(5);
  });

  it.each(runs.map((run, index) => [index, run] as const))(
    'block %i',
    async (_index, { command, answer }) => {
      const here = command.replaceAll('http://127.0.0.1:4000', gateway.origin);
      const { stdout } = await promisify(execFile)('bash', ['-c', here], { cwd: folder });
      if (answer.kind === 'json')
        expect(withWildcards(JSON.parse(stdout), JSON.parse(answer.text))).toEqual(JSON.parse(answer.text));
      else expect(events(stdout)).toEqual(events(answer.text));
    },
  );
});

/** The value, with `…` wherever the README shows that any text may stand. */
function withWildcards(value: unknown, pattern: unknown): unknown {
  if (pattern === '…') return typeof value === 'string' && value !== '' ? '…' : value;
  if (Array.isArray(value) && Array.isArray(pattern))
    return value.map((item, index) => withWildcards(item, pattern[index]));
  if (typeof value !== 'object' || value === null || typeof pattern !== 'object' || pattern === null)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      withWildcards(member, (pattern as Record<string, unknown>)[name]),
    ]),
  );
}

function events(text: string): string[] {
  return text.split('\n').filter((line) => /^(event: |data: \{)/.test(line));
}
