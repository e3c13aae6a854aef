/**
 * What each mechanism for speed gains: the gateway with one of them switched off, next to the whole, in one run. A
 * mechanism is switched off by a change of the source's text in a copy, so that the gateway needs no switches.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Contender, folio, gateway, gatewaySource } from './contenders.ts';
import { compareWithGateway } from './http-workload.ts';
import { type Mechanism, mechanisms } from './mechanisms.ts';
import { circumstances } from './report.ts';
import { spread, table } from './table.ts';
import { w1, w2 } from './workloads/mexico.ts';
import type { RunOptions } from './workloads/runnable.ts';
import { measureWatching, watchings } from './workloads/subscriptions.ts';
import type { HttpWorkload } from './workloads/workload.ts';
import { w5b } from './workloads/writes.ts';

const root = dirname(import.meta.dirname);
const workloads: readonly HttpWorkload[] = [w1, w2, w5b];

/** The bundle of a copy in which the mechanism is switched off. */
function variantOf({ name, label, file, before, after }: Mechanism, folder: string): Contender {
  const copy = join(folder, name);
  mkdirSync(join(copy, 'examples'), { recursive: true });
  for (const part of ['src', 'scripts', 'package.json', 'examples/operations', 'docs'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const text = readFileSync(join(copy, file), 'utf8');
  if (text.split(before).length !== 2) throw new Error(`${file} does not contain "${before}" once`);
  writeFileSync(
    join(copy, file),
    text.replace(before, () => after),
  );
  const { status, stderr } = spawnSync(process.execPath, [join(copy, 'scripts/build.ts'), '--to', 'dist'], {
    cwd: copy,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${name} could not be built:\n${stderr}`);
  return folio(name, label, [process.execPath, join(copy, 'dist/main.js')], copy);
}

/** The gateway from its source instead of the bundle. */
const withoutBundle = { ...gatewaySource, label: 'bundle', workloads: ['W1', 'W2'] };

/** A table: CPU time without each mechanism divided by that of the whole, for the workloads in which it takes part. */
export async function runAblation(folder: string, options: RunOptions): Promise<string> {
  const variants = [
    ...mechanisms.map((mechanism) => ({
      ...variantOf(mechanism, folder),
      workloads: mechanism.workloads,
    })),
    withoutBundle,
  ];
  const takingPart = (workload: string) => variants.filter(({ workloads }) => workloads.includes(workload));
  const factors = new Map<string, ReadonlyMap<string, readonly number[]>>();
  for (const workload of workloads) {
    factors.set(workload.name, await compareWithGateway(workload, takingPart(workload.name), options));
  }
  factors.set('W7', await compareWatching(takingPart('W7'), options));
  const said = `Medians with the smallest and the largest of pairs of slices of a second, ${options.slices} processes of each after ${options.warmupRequests} requests or 30 s of warm-up, which run at the same time and are loaded in turn; W7 with 10 documents, ${options.slices} times.`;
  return [
    circumstances(said),
    '',
    'CPU time without the mechanism, divided by that of the whole gateway:',
    '',
    table(
      ['mechanism', ...factors.keys()],
      variants.map(({ name, label }) => [
        label,
        ...[...factors.values()].map((ofWorkload) => spread(ofWorkload.get(name) ?? [], 2)),
      ]),
    ),
  ].join('\n');
}

async function compareWatching(
  variants: readonly Contender[],
  { slices, say }: RunOptions,
): Promise<Map<string, readonly number[]>> {
  const [watching] = watchings;
  const ratios = new Map(variants.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < slices; round += 1) {
    const whole = (await measureWatching(gateway, watching)).cpuMicroseconds;
    for (const variant of variants) {
      const { cpuMicroseconds } = await measureWatching(variant, watching);
      ratios.get(variant.name)?.push(cpuMicroseconds / whole);
      say(`W7 ${variant.name}: ${(cpuMicroseconds / whole).toFixed(2)}`);
    }
  }
  return ratios;
}
