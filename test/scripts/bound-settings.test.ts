/** The setting that `folio why` names for a bound is one that moves it. */
import { expect, it } from 'vitest';
import { describeBound } from '../../scripts/why/bound-settings.ts';
import { boundNames, sharedBounds } from '../../src/bound-names.ts';
import { readConfig } from '../../src/config/config.ts';
import { configTable } from '../../src/config/variables.ts';
import { createSharesByBound, type SharesByBound } from '../../src/shares/bound-sizes.ts';

const MiB = 1024 * 1024;
const sharesWith = (env = {}, heapBytes = 256 * MiB) => createSharesByBound(readConfig(env, heapBytes));

/** What an operator can raise, by the words that name it. */
const raised: Readonly<Record<string, SharesByBound>> = {
  'the memory of the process': sharesWith({}, 512 * MiB),
  UPSTREAM_CONNECTIONS: sharesWith({ UPSTREAM_CONNECTIONS: '256' }),
  UPSTREAM_CONCURRENCY_PER_CALLER: sharesWith({ UPSTREAM_CONCURRENCY_PER_CALLER: '20' }),
  MAX_OPERATION_COST: sharesWith({ MAX_OPERATION_COST: '400' }),
};

/** Bounds that are reached by something else than their size: by time, by clients that do not read, by texts without a manifest. */
const byOtherMeans = ['admission', 'admission-owner', 'results-owner', 'documents-owner'];

const names = Object.keys(sharedBounds).filter((name) => name !== 'rate') as (keyof SharesByBound)[];
const parts = names.flatMap((name) => [
  [name, name, 'all'] as const,
  [`${name}-owner`, name, 'owner'] as const,
]);

it.each(parts.filter(([bound]) => !byOtherMeans.includes(bound)))(
  'folio why names the settings that raise the bound %s',
  (bound, name, part) => {
    const { setting } = describeBound(bound);
    const before = sharesWith()[name][part];
    const raising = Object.keys(raised).filter((words) => (raised[words]?.[name][part] ?? 0) > before);
    expect(raising).not.toEqual([]);
    for (const words of raising) expect(setting).toContain(words);
  },
);

it('folio why names only variables that exist', () => {
  const settings = boundNames.map((bound) => describeBound(bound).setting).join();
  const known = ['NODE_OPTIONS', ...configTable.map(({ name }) => name)];
  expect(known).toEqual(expect.arrayContaining(settings.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []));
});

it.each([
  ['request', 'MAX_REQUEST_BYTES'],
  ['file', 'MAX_UPLOAD_BYTES'],
  ['xml', 'MAX_XML_BYTES'],
  ['cost', 'MAX_OPERATION_COST'],
  ['sockets', 'MAX_SOCKETS'],
  ['shutdown', 'SHUTDOWN_DELAY_MS'],
  ['operation', 'Split the operation'],
  ['subscriptions-per-socket', 'another WebSocket'],
] as const)('folio why names for the bound %s: %s', (bound, setting) => {
  expect(describeBound(bound).setting).toContain(setting);
});

it('folio why names the settings with which fewer calls wait', () => {
  expect(describeBound('waiting').setting).toContain('UPSTREAM_CONNECTIONS');
  expect(describeBound('waiting-owner').setting).toContain('UPSTREAM_CONCURRENCY_PER_CALLER');
});
