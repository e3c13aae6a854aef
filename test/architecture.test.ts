/** The structure of `src`, read from its syntax trees: it follows docs/architecture.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };

interface Import {
  /** Path below the source folder, or the name of a package. */
  readonly to: string;
  readonly isType: boolean;
}

interface SourceFile {
  /** Path below the source folder, with slashes. */
  readonly path: string;
  /** Every static and dynamic import, `export … from` and `import('…')` type. */
  readonly imports: readonly Import[];
  /** Identifiers, and the texts of literals that contain no blank: code, not prose. */
  readonly words: readonly string[];
}

/** From the top down: a file imports from its own layer and from the layers below it. */
const layers = [
  ...'main handler gateway gateway-parts shared-state http operation schema feature graphql'.split(' '),
  ...'watch upstream state shares caller telemetry errors input-problems texts bound-names tools'.split(' '),
];

const sharedFolders = 'http operation graphql watch upstream state shares telemetry texts'.split(' ');
/** Features whose names are also words of the shared folders. */
const generalNames = 'gateway-info group scan write-outcome'.split(' ');
const ownNames = readdirSync('src/features').filter((name) => !generalNames.includes(name));
const featureNames = new RegExp([...ownNames, 'nric', 'identity-card'].join('|').replaceAll('-', '-?'), 'i');

const sources: readonly SourceFile[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))
  .sort()
  .map(readSource);

function readSource(path: string): SourceFile {
  const { program, errors } = parseSync(path, readFileSync(join('src', path), 'utf8'));
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const imports: Import[] = [];
  const words: string[] = [];
  for (const node of nodesOf(program)) {
    const { type, name, value } = node;
    const specifier = (node['source'] as Node | null | undefined)?.['value'];
    if (typeof specifier === 'string') {
      const to = specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : specifier;
      const isType = [node['importKind'], node['exportKind']].includes('type') || type === 'TSImportType';
      imports.push({ to: to.replaceAll('\\', '/'), isType });
    } else if (type === 'ImportExpression') throw new Error(`${path} imports a computed path.`);
    for (const word of [name, value, (value as Node | null | undefined)?.['cooked']])
      if (typeof word === 'string' && /^[^.\s]\S*$/.test(word)) words.push(word);
  }
  return { path, imports, words };
}

type Node = Readonly<Record<string, unknown>>;

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesOf(item);
  } else if (typeof value === 'object' && value !== null) {
    const node = value as Node;
    if (typeof node['type'] === 'string') yield node;
    for (const member of Object.values(node)) yield* nodesOf(member);
  }
}

/** A sentence for each import that the rules forbid. */
function* forbiddenImports(): Generator<string> {
  const own = new Set(sources.map(({ path }) => path));
  for (const { path: from, imports } of sources) {
    for (const { to, isType } of imports) {
      const reason = own.has(to) ? forbidsOwn(from, to, isType) : forbidsPackage(from, to);
      if (reason) yield `${from} imports ${to}: ${reason}`;
    }
  }
}

function forbidsOwn(from: string, to: string, isType: boolean): string | undefined {
  const [source, target] = [roomOf(from), roomOf(to)];
  if (source === target) return undefined;
  if (source === 'sandbox') return 'the sandbox imports nothing of ours';
  if (target === 'sandbox')
    return from === 'gateway-parts.ts' ? undefined : 'only the gateway starts the sandbox';
  if (source === 'config') return 'the configuration imports nothing of ours';
  if (target === 'config') {
    return isType || ['main.ts', 'handler.ts', 'shared-state.ts'].includes(from)
      ? undefined
      : 'the configuration is known by type only';
  }
  if (layerOf(from) === 'feature' && layerOf(to) === 'feature') return 'features never import features';
  if (from.endsWith('.api.ts') && target === 'graphql') return 'what calls the service knows no GraphQL';
  return layers.indexOf(layerOf(from)) > layers.indexOf(layerOf(to)) ? 'imports point down' : undefined;
}

function forbidsPackage(from: string, name: string): string | undefined {
  return from.endsWith('.api.ts') && /^(@pothos|graphql)/.test(name)
    ? 'what calls the service knows no GraphQL'
    : undefined;
}

function* cycles(): Generator<string> {
  const targets = new Map(sources.map(({ path, imports }) => [path, imports.map(({ to }) => to)]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push(`cycle: ${[...trail.slice(start), path].join(' → ')}`);
    if (start >= 0 || done.has(path)) return;
    for (const to of targets.get(path) ?? []) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  yield* found;
}

/** The text of a file, and its path. */
function* forbiddenFiles(): Generator<string> {
  for (const { path, words } of sources) {
    const name = sharedFolders.includes(roomOf(path)) && words.find((word) => featureNames.test(word));
    if (name) yield `${path} names a feature: ${name}`;
    if (!isInLayer(path)) yield `${path} belongs to no layer`;
    const mayUseProcess = path === 'main.ts' || path === 'sandbox/main.ts';
    if (words.includes('process') && !mayUseProcess) yield `${path} uses process`;
  }
}

function isInLayer(path: string): boolean {
  return layers.includes(layerOf(path)) || ['config', 'sandbox'].includes(roomOf(path));
}

/** The folder of a feature, or else the first folder of a path. */
function roomOf(path: string): string {
  return (/^features\/[^/]+(?=\/)/.exec(path) ?? /^[^/]+/.exec(path))?.[0] as string;
}

function layerOf(path: string): string {
  const room = roomOf(path);
  return room.startsWith('features/') ? 'feature' : room.replace(/\.ts$/, '');
}

const executorReadme = readFileSync('src/operation/executor/README.md', 'utf8');

it('every import points down, no file is in a cycle, and no shared folder names a feature', () => {
  expect([...forbiddenImports(), ...cycles(), ...forbiddenFiles()]).toEqual([]);
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
