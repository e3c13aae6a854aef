import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/** From the top down: a file may import from its own layer's files below it in this list, and from lower layers. */
const layers = [
  'main',
  'gateway',
  'http',
  'schema',
  'feature',
  'graphql',
  'upstream',
  'state',
  'telemetry',
  'errors',
];

const features = ['document-export', 'fapiao', 'group', 'malaysia', 'mexico', 'scan'];
const spine = ['http', 'graphql', 'upstream', 'state', 'telemetry'];

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));

const imports: Import[] = files.flatMap((from) =>
  [
    ...readFileSync(join('src', from), 'utf8').matchAll(
      /^(import|export)\s+(type\s)?[^;]*?['"](\.[^'"]+)['"]/gms,
    ),
  ]
    .map(([, , type, specifier]) => ({
      from,
      to: normalize(join(dirname(from), specifier as string)).replaceAll('\\', '/'),
      isType: type !== undefined,
    }))
    .filter(({ to }) => to.endsWith('.ts') && !to.startsWith('..')),
);

/** graphql/schema.ts stands above the features, the rest of graphql/ below them. */
function layerOf(file: string): string {
  const [folder = ''] = file.split('/');
  if (features.includes(folder)) return 'feature';
  if (file === 'graphql/schema.ts') return 'schema';
  return folder.replace(/\.ts$/, '');
}

function folderOf(file: string): string {
  return file.split('/')[0] as string;
}

const described = ({ from, to }: Import) => `${from} imports ${to}`;

describe('the direction of imports', () => {
  it('is downwards only', () => {
    const climbing = imports.filter(({ from, to, isType }) => {
      // The configuration is a leaf: anybody may know its shape, the gateway alone reads its functions.
      if (folderOf(to) === 'config') return from !== 'config.ts';
      if (to === 'config.ts') return !isType && from !== 'main.ts';
      if (folderOf(to) === 'sandbox') return folderOf(from) !== 'sandbox' && from !== 'gateway.ts';
      if (folderOf(from) === 'sandbox') return folderOf(to) !== 'sandbox';
      return layers.indexOf(layerOf(from)) > layers.indexOf(layerOf(to));
    });
    expect(climbing.map(described)).toEqual([]);
  });

  it('never leads from one feature to another', () => {
    const crossing = imports.filter(
      ({ from, to }) =>
        features.includes(folderOf(from)) &&
        features.includes(folderOf(to)) &&
        folderOf(from) !== folderOf(to),
    );
    expect(crossing.map(described)).toEqual([]);
  });

  it('leads from config.ts, errors.ts and the sandbox to nothing of ours', () => {
    const leaking = imports.filter(
      ({ from, to }) =>
        (from === 'config.ts' && folderOf(to) !== 'config') ||
        folderOf(from) === 'config' ||
        from === 'errors.ts' ||
        (folderOf(from) === 'sandbox' && folderOf(to) !== 'sandbox'),
    );
    expect(leaking.map(described)).toEqual([]);
  });

  it('has no cycle', () => {
    const next = new Map<string, string[]>();
    for (const { from, to, isType } of imports) if (!isType) next.set(from, [...(next.get(from) ?? []), to]);
    const cycles: string[] = [];
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) {
        cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
        return;
      }
      for (const to of next.get(file) ?? []) visit(to, [...trail, file]);
    };
    for (const file of files) visit(file, []);
    expect([...new Set(cycles)]).toEqual([]);
  });
});

describe('names', () => {
  it('of features stand in the spine in graphql/schema.ts alone', () => {
    const names = /\b(mexico|malaysia|fapiao|nric|identity ?card|document-export)\b/i;
    const naming = files
      .filter((file) => spine.includes(folderOf(file)) && file !== 'graphql/schema.ts')
      .filter((file) => names.test(withoutComments(readFileSync(join('src', file), 'utf8'))));
    expect(naming).toEqual([]);
  });

  it('of Pothos stand in no file that speaks to the service', () => {
    const naming = files
      .filter((file) => file.endsWith('.api.ts'))
      .filter((file) => /@pothos|graphql\//.test(readFileSync(join('src', file), 'utf8')));
    expect(naming).toEqual([]);
  });
});

it('only main.ts, and the sandbox started alone, touch the process', () => {
  const touching = files
    .filter((file) => file !== 'main.ts' && file !== 'sandbox/main.ts')
    .filter((file) => /\bprocess\.(env|exit|on|argv)\b/.test(readFileSync(join('src', file), 'utf8')));
  expect(touching).toEqual([]);
});

/** Prose may name an example; code may not depend on one. Descriptions of scalars are prose too. */
function withoutComments(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/'[^'\n]* [^'\n]*'/g, '')
    .replace(/`[^`]* [^`]*`/g, '');
}
