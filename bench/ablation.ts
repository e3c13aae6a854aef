/** What each mechanism for speed gains: the gateway built without one of them, next to the whole, in one run. */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Mechanism } from '../src/tools/speed-mechanisms.ts';
import { type Contender, folio, gateway, gatewaySource } from './contenders.ts';
import { compareWithGateway } from './http-workload.ts';
import { circumstances } from './report.ts';
import { spread, table } from './table.ts';
import { w1, w2, w10 } from './workloads/mexico.ts';
import type { RunOptions } from './workloads/runnable.ts';
import { measureWatching, watchings } from './workloads/subscriptions.ts';
import type { HttpWorkload } from './workloads/workload.ts';
import { w5b } from './workloads/writes.ts';

const root = dirname(import.meta.dirname);
const workloads: readonly HttpWorkload[] = [w1, w2, w5b, w10];
/** W1 at its fixed rate, at which fewer requests share a turn of the event loop. */
const w1AtRate = `W1 at ${w1.requestsPerSecond}/s`;

/** Each mechanism, with the workloads in which it takes part. */
const takingPart: Readonly<Record<Mechanism, { readonly label: string; readonly workloads: string[] }>> = {
  plannedExecutor: { label: 'plan and cost of documents', workloads: ['W1', 'W2', 'W5b', 'W7'] },
  objectTemplates: { label: 'objects from templates', workloads: ['W1', 'W2', 'W5b'] },
  sharedEvents: { label: 'events executed once for all subscribers', workloads: ['W7'] },
  directResults: { label: 'results of subscriptions sent directly', workloads: ['W7'] },
  sentTogether: {
    label: 'responses and calls of a turn sent together',
    workloads: ['W1', 'W2', 'W10', w1AtRate],
  },
  logBatches: { label: 'log lines written in batches', workloads: ['W1', w1AtRate] },
  rememberedIdentities: { label: 'remembered identities of callers', workloads: ['W1', 'W10'] },
};

const measured = Object.entries(takingPart).map(([name, mechanism]) => ({ name, ...mechanism }));

/** The bundle of the gateway without the mechanism. */
function variantOf({ name, label }: (typeof measured)[number], folder: string): Contender {
  const target = join(folder, name);
  const parameters = [join(root, 'scripts/build.ts'), '--to', target, '--without', name];
  const { status, stderr } = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} could not be built:\n${stderr}`);
  return folio(name, label, [process.execPath, join(target, 'main.js')]);
}

/** The gateway from its source instead of the bundle. */
const withoutBundle = { ...gatewaySource, label: 'bundle', workloads: ['W1', 'W2'] };

/** A table: CPU time without each mechanism divided by that of the whole, for the workloads in which it takes part. */
export async function runAblation(folder: string, options: RunOptions): Promise<string> {
  const variants = [
    ...measured.map((mechanism) => ({
      ...variantOf(mechanism, folder),
      workloads: mechanism.workloads,
    })),
    withoutBundle,
  ];
  const variantsIn = (workload: string) => variants.filter(({ workloads }) => workloads.includes(workload));
  const factors = new Map<string, ReadonlyMap<string, readonly number[]>>();
  for (const workload of workloads) {
    factors.set(workload.name, await compareWithGateway(workload, variantsIn(workload.name), options));
  }
  factors.set(w1AtRate, await compareWithGateway(w1, variantsIn(w1AtRate), options, w1.requestsPerSecond));
  factors.set('W7', await compareWatching(variantsIn('W7'), options));
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
