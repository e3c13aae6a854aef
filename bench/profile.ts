/**
 * Profiles the gateway under a workload:
 *
 *     npm run profile -- W1 [seconds]
 *
 * Prints the shares of busy time by package and by function, and keeps the profile for a viewer.
 */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startContender } from './contender-server.ts';
import { gatewaySource, withSettings } from './contenders.ts';
import { runWrk, writeRequests } from './load/wrk.ts';
import { prepare } from './prepare.ts';
import { table } from './table.ts';
import { defaultUpstream, startUpstream } from './upstream/upstream.ts';
import { w1, w2, w9 } from './workloads/mexico.ts';
import { w3, w4, w5a, w5b } from './workloads/writes.ts';

/** The profile that V8 writes (the inspector protocol's Profile). Times in microseconds. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const workloads = [w1, w2, w3, w4, w5a, w5b, w9];
const warmupSeconds = 5;
/** The profile is written when the process ends, which takes some seconds. */
const graceMs = 60_000;

const [name = 'W1', seconds = '10'] = process.argv.slice(2);
const workload = workloads.find((each) => each.name.toLowerCase() === name.toLowerCase());
if (!workload) {
  console.error(`npm run profile -- ${workloads.map((each) => each.name).join('|')} [seconds]`);
  process.exit(2);
}

prepare();
const folder = mkdtempSync(join(tmpdir(), 'folio-bench-'));
const upstream = await startUpstream(defaultUpstream(), { delayMs: workload.delayMs ?? 0 });
const started = performance.now();
// The source: its profile names files and packages.
const profiled = withSettings(gatewaySource, { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` });
const server = await startContender(profiled, upstream.url, workload.name, workload.requests);
const requestsPath = join(folder, 'requests');
writeRequests(requestsPath, workload.requests);
const loadFor = (seconds: number) => ({ connections: workload.connections, seconds, callers: 1 });
await runWrk(server.url, requestsPath, loadFor(warmupSeconds));
const fromMs = performance.now() - started;
const { requests } = await runWrk(server.url, requestsPath, loadFor(Number(seconds)));
const toMs = performance.now() - started;
await server.stop(graceMs);
await upstream.stop();

const written = readdirSync(folder).find((file) => file.endsWith('.cpuprofile'));
if (!written) throw new Error('the gateway wrote no profile');
const kept = join(root, 'bench', `${workload.name}.cpuprofile`);
copyFileSync(join(folder, written), kept);
rmSync(folder, { recursive: true });

const busy = busyTime(JSON.parse(readFileSync(kept, 'utf8')) as Profile);
const total = [...busy.values()].reduce((sum, { microseconds }) => sum + microseconds, 0);
console.log(
  `${workload.name}: ${workload.title}; ${requests} requests, ${(total / requests).toFixed(0)} µs busy each\n`,
);
console.log(`${shares('package', (frame) => frame.owner, 25)}\n`);
console.log(`${shares('function', (frame) => frame.place, 25)}\n`);
console.log(`profile: ${relative(process.cwd(), kept)}`);

interface Busy {
  readonly owner: string;
  readonly place: string;
  microseconds: number;
}

/** Self time of each function while the load ran, without idle time. */
function busyTime({ nodes, samples, timeDeltas }: Profile): Map<number, Busy> {
  const times = new Map<number, Busy>();
  for (const { id, callFrame } of nodes) {
    if (callFrame.functionName === '(idle)') continue;
    const owner = ownerOf(callFrame.url, callFrame.functionName);
    const line =
      callFrame.url === '' ? '' : ` ${owner} ${callFrame.url.split('/').at(-1)}:${callFrame.lineNumber + 1}`;
    times.set(id, { owner, place: `${callFrame.functionName || '(anonymous)'}${line}`, microseconds: 0 });
  }
  let atMs = 0;
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0;
    atMs += delta / 1_000;
    const busy = times.get(id);
    if (busy && atMs >= fromMs && atMs <= toMs) busy.microseconds += delta;
  }
  return times;
}

/** The package, the part of Node, or our folder that a function belongs to. */
function ownerOf(url: string, functionName: string): string {
  // In parentheses: the garbage collector, and code that V8 cannot name.
  if (url === '') return functionName.startsWith('(') ? functionName : '(native code)';
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/');
  const modules = url.lastIndexOf('/node_modules/');
  if (modules !== -1) {
    const [scope = '', name = ''] = url.slice(modules + '/node_modules/'.length).split('/');
    return scope.startsWith('@') ? `${scope}/${name}` : scope;
  }
  if (url.startsWith('file:')) return relative(root, dirname(fileURLToPath(url)));
  return url;
}

function shares(head: string, key: (frame: Busy) => string, count: number): string {
  const sums = new Map<string, number>();
  for (const frame of busy.values()) {
    sums.set(key(frame), (sums.get(key(frame)) ?? 0) + frame.microseconds);
  }
  const sorted = [...sums].sort(([, a], [, b]) => b - a).slice(0, count);
  return table(
    [head, '% of busy time'],
    sorted.map(([name, microseconds]) => [name, ((100 * microseconds) / total).toFixed(1)]),
  );
}
