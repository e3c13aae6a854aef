/**
 * What each mechanism for speed gains: the gateway with one of them switched off, next to the whole, in one run. A
 * mechanism is switched off by a change of the source's text in a copy, so that the gateway needs no switches.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Contender, folio, gateway, gatewaySource } from './contenders.ts';
import { runHttpWorkload } from './http-workload.ts';
import { spreadOf } from './interleave.ts';
import { circumstances } from './report.ts';
import { table } from './table.ts';
import { w1, w2 } from './workloads/mexico.ts';
import type { RunOptions } from './workloads/runnable.ts';
import { measureWatching, watchings } from './workloads/subscriptions.ts';
import type { HttpWorkload } from './workloads/workload.ts';
import { w3, w5a, w5b } from './workloads/writes.ts';

interface Mechanism {
  readonly name: string;
  readonly label: string;
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

const mechanisms: readonly Mechanism[] = [
  {
    name: 'without-executor',
    label: 'planned executor',
    file: 'src/operation/executor/planned-executor.ts',
    before: 'const plan = isPlannable ? planOf(args) : undefined;',
    after: 'const plan = isPlannable && args === undefined ? planOf(args) : undefined;',
  },
  {
    name: 'without-json-road',
    label: 'JSON responses without Yoga',
    file: 'src/http/graphql/json.ts',
    before: "return method === 'POST' && mediaTypeFor",
    after:
      "return headers['content-type']?.startsWith('multipart') === true && method === 'POST' && mediaTypeFor",
  },
  {
    name: 'without-shared-events',
    label: 'events executed once for all subscribers',
    file: 'src/operation/subscription.ts',
    before: '    ofEvent.set(selection, result);',
    after: '',
  },
  {
    name: 'without-log-batches',
    label: 'log lines written in batches',
    file: 'src/telemetry/log-output.ts',
    before: 'if (waitingLength >= batchLength) writeWaiting();\n      },',
    after: 'writeWaiting();\n      },',
  },
  {
    name: 'without-line-serializer',
    label: "serializer of an operation's log line",
    file: 'src/telemetry/log.ts',
    before: 'const text = operationLine(line);',
    after: 'const text = line.requestId ? undefined : operationLine(line);',
  },
  {
    name: 'without-connection-lanes',
    label: 'one lane per connection',
    file: 'src/http/connection-lanes.ts',
    before: '    previous.set(request.socket, identity);',
    after: '',
  },
  {
    name: 'without-counted-once',
    label: 'cost counted once for each document',
    file: 'src/operation/cost.ts',
    before: '  if (!counter.dependsOnVariables) countedOnce.set(operation.operation, counted);',
    after: '',
  },
  {
    name: 'without-plain-csv',
    label: 'reader of plain CSV',
    file: 'src/document-export/csv.ts',
    before: 'readPlainCsv(csv, maxRows + 2) ?? parseCsv',
    after: '(csv === undefined ? readPlainCsv(csv, maxRows + 2) : undefined) ?? parseCsv',
  },
];

const root = dirname(import.meta.dirname);
const workloads: readonly HttpWorkload[] = [w1, w2, w3, w5a, w5b];

/** The bundle of a copy in which the mechanism is switched off. */
function variantOf({ name, label, file, before, after }: Mechanism, folder: string): Contender {
  const copy = join(folder, name);
  mkdirSync(join(copy, 'examples'), { recursive: true });
  for (const part of ['src', 'scripts', 'package.json', 'examples/operations'])
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

/** A table: CPU time without each mechanism divided by that of the whole, for each workload. */
export async function runAblation(folder: string, options: RunOptions): Promise<string> {
  const variants = [
    ...mechanisms.map((mechanism) => variantOf(mechanism, folder)),
    { ...gatewaySource, label: 'bundle' },
  ];
  const factors = new Map(variants.map(({ name }) => [name, [] as string[]]));
  for (const workload of workloads) {
    const { measured } = await runHttpWorkload(workload, { ...options, variants });
    const ratio = (name: string) => spreadOf(measured.get(name)?.ratios.cpu ?? []).median;
    for (const { name } of variants) factors.get(name)?.push((ratio(name) / ratio(gateway.name)).toFixed(2));
  }
  const [watching] = watchings;
  const whole = (await measureWatching(gateway, watching)).cpuMicroseconds;
  for (const variant of variants) {
    const { cpuMicroseconds } = await measureWatching(variant, watching);
    factors.get(variant.name)?.push((cpuMicroseconds / whole).toFixed(2));
  }
  const said = `${options.slices} processes each, a slice of ${options.seconds} s in each after ${options.warmupSeconds} s of warm-up; W7 with ${watching.documents} documents, once.`;
  return [
    circumstances(said),
    '',
    'CPU time without the mechanism, divided by that of the whole gateway:',
    '',
    table(
      ['mechanism', ...workloads.map(({ name }) => name), 'W7'],
      variants.map(({ name, label }) => [label, ...(factors.get(name) ?? [])]),
    ),
  ].join('\n');
}
