/** Everything in `src` that outlives a statement has a bound. A new Map, Set, timer or listener needs a row. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownBounds, sharedBounds } from '../../src/bound-names.ts';
import { inventory } from '../support/inventory.ts';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !path.startsWith('sandbox'),
);

const creation =
  /new (Map|Set|WeakMap)\b|\b(setInterval|setTimeout)\(|\.(?:on|once|addEventListener|prependListener)\('/g;

/** The numbers as the inventory writes them, e.g. `Map 2, listener 1`; empty when the file creates none. */
function createdIn(source: string): string {
  const counts = new Map<string, number>();
  for (const [, collection, timer] of source.matchAll(creation)) {
    const kind = collection ?? timer ?? 'listener';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts.keys()]
    .sort()
    .map((kind) => `${kind} ${counts.get(kind)}`)
    .join(', ');
}

it('every Map, Set, timer and listener in src is listed with the bound that holds it', () => {
  const created = sources
    .map((path) => [path, createdIn(readFileSync(join('src', path), 'utf8'))] as const)
    .filter(([, holds]) => holds !== '');
  const listed = Object.fromEntries(Object.entries(inventory).map(([path, [holds]]) => [path, holds]));
  expect(Object.fromEntries(created), 'add a row to test/support/inventory.ts, with its bound').toEqual(
    listed,
  );
});

/** A bound in an error, a drop or a log line, by its name. `shuttingDown()` names its own. */
const givenBound =
  /\bbound: '([\w-]+)'|\b(?:payloadTooLarge|codeWith)\(.*, '([\w-]+)'\)|\b(?:tryAgainLater|refusedBy|dropped)\((?:.* \? )?'([\w-]+)'|\bshuttingDown\(\)/g;

function boundsGivenIn(source: string): string[] {
  return [...source.matchAll(givenBound)].map(([, ...names]) =>
    (names.find(Boolean) ?? 'shutdown').replace(/-(newcomers|owner)$/, ''),
  );
}

it('every bound of the gateway names the files that hold it', () => {
  const source = readFileSync('src/bound-names.ts', 'utf8');
  const rows = [...source.matchAll(/\/\*\* (\S+\.ts(?:, \S+\.ts)*)(?:: [^*]*)? \*\/\n {2}'?([\w-]+)'?:/g)];
  const { service: _service, balancer: _balancer, ...bounds } = { ...sharedBounds, ...ownBounds };
  expect(rows.map(([, , name]) => name)).toEqual(Object.keys(bounds));
  const listed = rows.flatMap(([, list = '', name]) => list.split(', ').map((file) => `${name} ${file}`));
  const files = new Set(listed.map((row) => row.replace(/.* /, '')));
  expect([...files].filter((file) => !existsSync(join('src', file)))).toEqual([]);

  const given = sources
    .filter((path) => path !== 'errors.ts')
    .flatMap((path) =>
      boundsGivenIn(readFileSync(join('src', path), 'utf8')).map((name) => `${name} ${path}`),
    );
  const unlisted = given.filter((row) => !listed.includes(row));
  expect(unlisted, 'is not listed in src/bound-names.ts').toEqual([]);
  // operation/error-masking.ts gives the name of `operation`, and shares/ those of most parts of shared bounds.
  const { operation: _operation, ...givenByHolders } = ownBounds;
  const own = listed.filter((row) => Object.hasOwn(givenByHolders, row.replace(/ .*/, '')));
  const useless = own.filter((row) => !given.includes(row));
  expect(useless, 'does not give the name of the bound').toEqual([]);
});
