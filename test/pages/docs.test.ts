/** The pages: every link has a target, every name exists, and every code block does what its page shows. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import GithubSlugger from 'github-slugger';
import { isEnumType, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { assumptions } from '../../scripts/prove/assumptions.ts';
import { configTable } from '../../src/config/variables.ts';
import { errorCodes, renewalAdvice } from '../../src/errors.ts';
import { schema } from '../../src/schema.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forTest } from '../support/lifetimes.ts';
import { type Page, readPage } from '../support/markdown.ts';

const pages = new Map<string, Page>(
  globSync('**/*.md', { exclude: ['**/node_modules/**', '**/dist/**'] }).map((file) => [
    file,
    readPage(readFileSync(file, 'utf8')),
  ]),
);

/** Without the changelog, which names what was removed. */
const current = [...pages].filter(([file]) => file !== 'CHANGELOG.md');

function blocksOf(kind: string): [file: string, text: string][] {
  return [...pages].flatMap(([file, { blocks }]) =>
    blocks.filter((block) => block.kind === kind).map(({ text }): [string, string] => [file, text]),
  );
}

/** The problem of a link; undefined when its target exists or is on another site. */
function problemOf(file: string, link: string): string | undefined {
  if (/^https?:\/\//.test(link)) return URL.canParse(link) ? undefined : 'is not an address';
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : normalize(join(dirname(file), path));
  if (target.startsWith('..') || path.startsWith('/')) return 'leads out of the repository';
  if (!existsSync(target)) return 'leads to no file';
  if (anchor === undefined) return undefined;
  if (statSync(target).isDirectory()) return 'has an anchor in a folder';
  return pages.get(target)?.anchors.has(anchor) ? undefined : 'leads to no heading';
}

/** Variables that Node.js, OpenTelemetry, the example and the tests read. */
const variablesOfOthers = [
  ...['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES'],
  ...['HEADERS', 'TIMEOUT', 'COMPRESSION', 'CERTIFICATE'].map((name) => `OTEL_EXPORTER_OTLP_${name}`),
  ...['API_KEY', 'ACCESS_TOKEN', 'GATEWAY', 'SANDBOX', 'SCREENSHOTS', 'OUTBOX_HISTORIES', 'OUTBOX_SEED'].map(
    (name) => `FOLIO_${name}`,
  ),
];

/** Names of a tab of the service, of a state of `settle`, and of errors of connections. */
const notInSchema = [
  'EXPORT_FAILED',
  'NOT_DONE',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_ABORTED',
  'UND_ERR_HTTP_PARSER',
];

describe('the pages', () => {
  it('of docs are all listed in their index, which the README links to', () => {
    const index = pages.get('docs/README.md')?.links;
    const names = globSync('docs/{,decisions/,reference/}*.md').map((file) => file.slice('docs/'.length));
    const listed = names.filter((name) => name !== 'README.md' && !/^decisions\/\d/.test(name));
    expect(listed.length).toBeGreaterThan(20);
    expect(index).toEqual(expect.arrayContaining(listed));
    expect(pages.get('README.md')?.links).toContain('docs/README.md');
  });

  it.each([...pages])('%s has no broken link', (file, { links }) => {
    const problems = links.flatMap((link) => {
      const problem = problemOf(file, link);
      return problem === undefined ? [] : [`${link} ${problem}`];
    });
    expect(problems).toEqual([]);
  });

  it('advise the same after UNAUTHENTICATED: to renew the token once, and to repeat the operation once', () => {
    expect(readFileSync('docs/retrying-safely.md', 'utf8')).toContain(renewalAdvice);
  });

  it.each(blocksOf('graphql'))('%s has only GraphQL that is valid for the schema', (_file, text) => {
    expect(validate(schema, parse(text))).toEqual([]);
  });

  it.each(blocksOf('json'))('%s has only JSON that can be parsed', (_file, text) => {
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it('describe each part of the service that a comment in the code cites', () => {
    const { anchors } = pages.get('docs/service.md') as Page;
    const files = globSync('{src,bench,test}/**/*.ts', { exclude: ['**/node_modules/**'] });
    const cited = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      expect([file, /\b[Ii]nterface document\b/.test(text) && file.startsWith('src/')]).toEqual([
        file,
        false,
      ]);
      return [...text.matchAll(/docs\/service\.md,\s+(?:\*\s+)?"([^"]+)"/g)].map(
        ([, title]) => title as string,
      );
    });
    expect(cited.length).toBeGreaterThan(15);
    const slug = (title: string) => new GithubSlugger().slug(title);
    expect(cited.filter((title) => !anchors.has(slug(title)))).toEqual([]);
  });

  it('give each heading of the schema an anchor of its own, so that the link to a type leads to it', () => {
    const { anchors } = pages.get('docs/reference/schema.md') as Page;
    expect([...anchors].filter((anchor) => /-\d+$/.test(anchor))).toEqual([]);
  });

  it('name a test for each promise', () => {
    const rows = readFileSync('docs/promises.md', 'utf8').match(/^\| .*/gm) ?? [];
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.slice(2).filter((row) => !/`([\w.-]+\.test\.ts|npm run soak[^`]*)`/.test(row))).toEqual([]);
  });

  it('name only files and folders of the repository that exist', () => {
    const folder = /^(?:bench|docs|examples|ops|packages|scripts|src|test|test-kit)\/[\w./-]+$/;
    const source = /^[\w./-]+\.(?:tsx?|cjs|mjs)$/;
    const files = globSync('{bench,examples,packages,scripts,src,test,test-kit}/**/*.{ts,tsx,cjs,mjs}', {
      exclude: ['**/node_modules/**'],
    });
    // A source file is often named by the end of its path.
    const exists = (page: string, name: string) =>
      existsSync(name) ||
      existsSync(join(dirname(page), name)) ||
      (source.test(name) && files.some((path) => path.endsWith(`/${name}`)));
    const named = current.flatMap(([page, { codeSpans }]) =>
      codeSpans.filter((span) => folder.test(span) || source.test(span)).map((span) => [page, span] as const),
    );
    expect(named.length).toBeGreaterThan(300);
    expect(named.filter(([page, name]) => !exists(page, name))).toEqual([
      ['bench/README.md', 'bench/W1.cpuprofile'],
    ]);
  });

  it('walk through the folders of the code in existing files', () => {
    const text = readFileSync('docs/architecture.md', 'utf8');
    const rows = [...text.matchAll(/^\| `([\w./-]+\/)` \| ([\w.-]+\.ts(?:, [\w.-]+\.ts)*) \|/gm)];
    expect(rows.length).toBeGreaterThan(20);
    for (const [, folder = '', files = ''] of rows)
      for (const file of files.split(', '))
        expect([folder, file, existsSync(join('src', folder, file))]).toEqual([folder, file, true]);
  });

  it('list every decision record in their index', () => {
    const records = globSync('docs/decisions/[0-9]*.md').map((file) => file.slice('docs/decisions/'.length));
    expect(records.length).toBeGreaterThan(8);
    expect(pages.get('docs/decisions/README.md')?.links.toSorted()).toEqual(records.toSorted());
  });

  it('name existing files and functions for each assumption about the service', () => {
    for (const { id, changedBy } of assumptions) {
      const named = /`(\w+)` in `(src\/[^`]+)`/.exec(changedBy);
      if (named) expect(readFileSync(named[2] as string, 'utf8')).toContain(named[1]);
      for (const [, file = ''] of changedBy.matchAll(/`(src\/[^`]+)`/g))
        expect([id, file, existsSync(file)]).toEqual([id, file, true]);
    }
  });

  it('name only variables, error codes and enum values that exist', () => {
    const known = new Set<string>([
      ...variablesOfOthers,
      ...notInSchema,
      ...configTable.map(({ name }) => name),
      ...errorCodes,
      ...Object.values(schema.getTypeMap()).flatMap((type) =>
        isEnumType(type) ? type.getValues().map(({ name }) => name) : [],
      ),
    ]);
    const named = current.flatMap(([, { codeSpans }]) =>
      codeSpans.flatMap((span) => /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+(?==|$)/.exec(span)?.[0] ?? []),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('name only metrics that exist, and an operation of the manifest', async () => {
    const gateway = forTest(await startTestGateway());
    const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
    const named = current.flatMap(([, { codeSpans }]) =>
      codeSpans.flatMap((span) => span.match(/\bfolio_\w+/g) ?? []),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !metrics.includes(`# TYPE ${name} `))).toEqual([]);
    const { blocks } = pages.get('docs/production.md') as Page;
    const hash = blocks.map(({ text }) => /[0-9a-f]{64}/.exec(text)?.[0]).find(Boolean);
    expect(readFileSync('examples/persisted-operations.json', 'utf8')).toContain(`"${hash}"`);
  });
});

it('the page of the recipes names the versions that they are tested with', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const installed: Record<string, string> = { ...dependencies, ...devDependencies };
  const rows = [
    ...readFileSync('examples/clients/README.md', 'utf8').matchAll(/^\| `([^`]+)` \| (\d\S*) \|/gm),
  ];
  expect(rows.length).toBeGreaterThan(5);
  for (const [, name = '', version] of rows) expect([name, version]).toEqual([name, installed[name]]);
});
