/**
 * Measures workloads side by side:
 *
 *     npm run bench -- --workload W1
 *     npm run bench -- --workload all --slices 3 --report bench/RESULTS.md
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runAblation } from './ablation.ts';
import { httpReport, runHttpWorkload } from './http-workload.ts';
import { prepare } from './prepare.ts';
import { circumstances, writeSection } from './report.ts';
import { defaultUpstream, type UpstreamKind } from './upstream/upstream.ts';
import { w1, w2, w9, w10 } from './workloads/mexico.ts';
import type { Runnable, RunOptions } from './workloads/runnable.ts';
import { w8 } from './workloads/start.ts';
import { w7 } from './workloads/subscriptions.ts';
import { w6 } from './workloads/uploads.ts';
import { type HttpWorkload, sliceSeconds } from './workloads/workload.ts';
import { w3, w4, w5a, w5b } from './workloads/writes.ts';

const http = (workload: HttpWorkload): Runnable => ({
  name: workload.name,
  title: workload.title,
  run: async (options) => {
    const said = `Medians over ${options.slices} processes of each contender with the smallest and the largest: in each 8 slices of ${sliceSeconds(workload, options.seconds)} s after ${options.warmupRequests} requests or 30 s of warm-up, in turn with those of the others; ${workload.connections} connections, upstream ${options.upstream}.`;
    return `${circumstances(said)}\n\n${httpReport(workload, await runHttpWorkload(workload, options))}`;
  },
});

const runnables: readonly Runnable[] = [
  ...[w1, w2, w3, w4, w5a, w5b].map(http),
  w6,
  w7,
  w8,
  http(w9),
  http(w10),
];

const { values } = parseArgs({
  options: {
    workload: { type: 'string' },
    slices: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    warmup: { type: 'string', default: '60000' },
    against: { type: 'string' },
    contenders: { type: 'string' },
    upstream: { type: 'string', default: defaultUpstream() },
    report: { type: 'string' },
    ablation: { type: 'boolean', default: false },
  },
});

const asked = values.workload?.split(',') ?? [];
const chosen = runnables.filter(({ name }) =>
  asked.some((one) => one === 'all' || new RegExp(`^${one}[ab]?$`, 'i').test(name)),
);
if ((chosen.length === 0 && !values.ablation) || !['nginx', 'node'].includes(values.upstream)) {
  console.error(
    'npm run bench -- --workload W1[,W2…|all] [--slices 5] [--seconds 1] [--contenders gateway,yoga]',
  );
  console.error(
    '                 [--upstream nginx|node] [--against FOLDER] [--report bench/RESULTS.md] [--ablation]\n',
  );
  for (const { name, title } of runnables) console.error(`${name.padEnd(4)} ${title}`);
  process.exit(2);
}

prepare(values.against);
const options: RunOptions = {
  slices: Number(values.slices),
  seconds: Number(values.seconds),
  warmupRequests: Number(values.warmup),
  against: values.against !== undefined,
  upstream: values.upstream as UpstreamKind,
  only: values.contenders?.split(','),
  say: (line) => console.error(line),
};
if (values.ablation) {
  const folder = mkdtempSync(join(tmpdir(), 'folio-ablation-'));
  const body = await runAblation(folder, options).finally(() => rmSync(folder, { recursive: true }));
  console.log(body);
  if (values.report) writeSection(values.report, 'Ablation: the gain of each mechanism for speed', body);
}
for (const { name, title, run } of chosen) {
  try {
    const body = await run(options);
    console.log(`\n## ${name}: ${title}\n\n${body}\n`);
    if (values.report) writeSection(values.report, `${name}: ${title}`, body);
  } catch (error) {
    // The other workloads are measured nevertheless.
    console.error(`${name} was not measured:`, error);
    process.exitCode = 1;
  }
}
