/** Runs a workload of HTTP requests: compares the responses with LIMIT's, then measures processes that are loaded in turn. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareResponses, requestsFor } from './compare-responses.ts';
import { type ContenderServer, startContender } from './contender-server.ts';
import { type Contender, callersOf, contenders, earlier, gateway, limit } from './contenders.ts';
import { inTurn, interleave, type Measured, type Slice, spreadOf } from './interleave.ts';
import { type LoadOptions, runWrk, writeRequests } from './load/wrk.ts';
import { cpuMs } from './processes.ts';
import { goalLine, median, spread, table } from './table.ts';
import { startUpstream } from './upstream/upstream.ts';
import type { RunOptions } from './workloads/runnable.ts';
import { type HttpWorkload, sliceSeconds } from './workloads/workload.ts';

export interface HttpResult {
  readonly measured: ReadonlyMap<string, Measured>;
  /** A line for each contender that could not run. */
  readonly absent: readonly string[];
}

/** Contenders whose responses were compared, with the upstream and the requests of a workload. */
interface Race {
  /** Starts a process of the contender and warms it up. */
  start(name: string): Promise<ContenderServer>;
  /** Load at saturation, or at `rate` requests per second. */
  load(server: ContenderServer, seconds: number, rate?: number): Promise<Load>;
  end(): Promise<void>;
}

type Load = Omit<Slice, 'cpuAtRateMicroseconds' | 'p99AtRateMs'>;

/** Longest warm-up of a process, and the length of its slices. */
const maxWarmupMs = 30_000;
const warmupSeconds = 2;

/** Tries to load a contender until it responds: a machine that is shared can stall for a second. */
const maxTries = 3;

async function startRace(
  workload: HttpWorkload,
  all: readonly Contender[],
  { upstream: kind, warmupRequests, say }: RunOptions,
): Promise<Race> {
  const folder = mkdtempSync(join(tmpdir(), 'folio-bench-'));
  const upstream = await startUpstream(kind, { delayMs: workload.delayMs ?? 0 });
  const end = async () => {
    await upstream.stop();
    rmSync(folder, { recursive: true });
  };
  try {
    for (const { name, ...contender } of all) {
      writeRequests(join(folder, name), requestsFor(workload, contender));
    }
    const bytes = await compareResponses(workload, all, upstream);
    say(`${workload.name}: ${all.length} contenders return the same responses`);

    const load = async (
      server: ContenderServer,
      seconds: number,
      rate?: number,
      tries = maxTries,
    ): Promise<Load> => {
      const { contender, process, url } = server;
      const { name } = contender;
      const [cpuBefore, callsBefore] = [cpuMs(process.pid), await upstream.calls()];
      const settings: LoadOptions = {
        connections: workload.connections,
        seconds,
        callers: callersOf(contender, workload),
        ...(rate === undefined ? {} : { requestsPerSecond: rate }),
      };
      const result = await runWrk(url, join(folder, name), settings);
      const [cpu, calls] = [cpuMs(process.pid) - cpuBefore, (await upstream.calls()) - callsBefore];
      if (result.requests === 0) {
        if (tries === 1) throw new Error(`${name} sent no response in ${seconds} s`);
        return await load(server, seconds, rate, tries - 1);
      }
      if (result.failures > 0) throw new Error(`${name} failed ${result.failures} requests under load`);
      if (result.bytes / result.requests < 0.9 * (bytes.get(name) as number))
        throw new Error(
          `${name} sends shorter responses under load: ${result.bytes / result.requests} bytes`,
        );
      // Requests in flight at the end are not counted, though on average half of their work was done.
      const worked = result.requests + (rate === undefined ? workload.connections / 2 : 0);
      return {
        cpuMicroseconds: (cpu * 1_000) / worked,
        requestsPerSecond: result.requests / result.seconds,
        p50Ms: result.p50Ms,
        p99Ms: result.p99Ms,
        calls: calls / worked,
      };
    };
    const start = async (name: string) => {
      const contender = all.find((one) => one.name === name) as Contender;
      const requests = requestsFor(workload, contender);
      const server = await startContender(contender, upstream.url, workload.name, requests);
      const end = performance.now() + maxWarmupMs;
      for (let served = 0; served < warmupRequests && performance.now() < end; ) {
        const { requestsPerSecond } = await load(server, warmupSeconds);
        served += requestsPerSecond * warmupSeconds;
      }
      return server;
    };
    return { start, load, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Slices of each process: short ones in turn, so that all contenders have the same conditions. */
const slicesOfProcess = 8;

/** Each contender runs in `options.slices` processes, one after the other. */
export async function runHttpWorkload(workload: HttpWorkload, options: RunOptions): Promise<HttpResult> {
  const { present, absent } = participants(workload.contenders, options);
  const race = await startRace(workload, [limit, ...present], options);
  const processes: ReadonlyMap<string, Measured>[] = [];
  try {
    for (let round = 0; round < options.slices; round += 1) {
      const names = inTurn(
        present.map(({ name }) => name),
        round,
      );
      processes.push(await runProcesses(race, workload, ['limit', ...names], options));
    }
    return { measured: joined(processes), absent };
  } finally {
    await race.end();
  }
}

/** Starts one process of each contender, loads them in turn, and then at the fixed rate those that can serve that many. */
async function runProcesses(
  race: Race,
  workload: HttpWorkload,
  names: readonly string[],
  { seconds, say }: RunOptions,
): Promise<ReadonlyMap<string, Measured>> {
  const servers = new Map<string, ContenderServer>();
  const rate = workload.requestsPerSecond;
  const loadAt = (name: string, rate?: number) =>
    race.load(servers.get(name) as ContenderServer, sliceSeconds(workload, seconds), rate);
  try {
    for (const name of names) servers.set(name, await race.start(name));
    const measured = await interleave(names.slice(1), slicesOfProcess, async (name) => {
      const load = await loadAt(name);
      return { ...load, cpuAtRateMicroseconds: Number.NaN, p99AtRateMs: Number.NaN };
    });
    const result = new Map([...measured].map(([name, each]) => [name, medianOf(each)]));
    const sliceOf = (name: string) => result.get(name)?.slices[0] as Slice;
    for (const [name, { ratios }] of result) {
      say(
        `${workload.name} ${name}: ${sliceOf(name).cpuMicroseconds.toFixed(1)} µs per request, ${ratios.cpu[0]?.toFixed(2)}`,
      );
    }
    if (!rate) return result;
    const fast = names.slice(1).filter((name) => sliceOf(name).requestsPerSecond > 1.2 * rate);
    const paced = await interleave(fast, slicesOfProcess, async (name) => {
      const { cpuMicroseconds, p99Ms } = await loadAt(name, rate);
      return { ...sliceOf(name), cpuAtRateMicroseconds: cpuMicroseconds, p99AtRateMs: p99Ms };
    });
    for (const [name, each] of paced) {
      const { slices, ratios } = medianOf(each);
      result.set(name, {
        slices,
        ratios: { ...(result.get(name) as Measured).ratios, cpuAtRate: ratios.cpuAtRate },
      });
    }
    return result;
  } finally {
    for (const server of servers.values()) await server.stop();
  }
}

/** The slices of one process as one, whose measurements are their medians. */
function medianOf({ slices, ratios }: Measured): Measured {
  const median = (values: readonly number[]) => spreadOf(values).median;
  const metrics = Object.keys(slices[0] as Slice) as (keyof Slice)[];
  const slice = Object.fromEntries(
    metrics.map((metric) => [metric, median(slices.map((each) => each[metric]))]),
  ) as unknown as Slice;
  const { cpu, p99, cpuAtRate } = ratios;
  return {
    slices: [slice],
    ratios: { cpu: [median(cpu)], p99: [median(p99)], cpuAtRate: [median(cpuAtRate)] },
  };
}

/** The processes of each contender. */
function joined(processes: readonly ReadonlyMap<string, Measured>[]): Map<string, Measured> {
  const names = [...(processes[0]?.keys() ?? [])];
  const ofName = (name: string) => processes.flatMap((each) => each.get(name) ?? []);
  const ratiosOf = (name: string, ratio: keyof Measured['ratios']) =>
    ofName(name).flatMap(({ ratios }) => ratios[ratio]);
  return new Map(
    names.map((name) => [
      name,
      {
        slices: ofName(name).flatMap(({ slices }) => slices),
        ratios: {
          cpu: ratiosOf(name, 'cpu'),
          p99: ratiosOf(name, 'p99'),
          cpuAtRate: ratiosOf(name, 'cpuAtRate'),
        },
      },
    ]),
  );
}

/** Slices of one second, so that both of a pair have the same conditions. */
const pairedSeconds = 1;
const pairsOfProcess = 12;

/**
 * The CPU time of each variant divided by that of the gateway, in pairs of short slices that follow one another. All
 * processes run at the same time and are loaded in turn; `options.slices` is the number of processes of each. `rate`: of the
 * requests per second, instead of as many as possible.
 */
export async function compareWithGateway(
  workload: HttpWorkload,
  variants: readonly Contender[],
  options: RunOptions,
  rate?: number,
): Promise<Map<string, readonly number[]>> {
  const race = await startRace(workload, [limit, gateway, ...variants], options);
  const ratios = new Map(variants.map(({ name }) => [name, [] as number[]]));
  try {
    for (let round = 0; round < options.slices; round += 1) {
      const servers: ContenderServer[] = [];
      try {
        for (const { name } of [gateway, ...variants]) servers.push(await race.start(name));
        const [whole, ...others] = servers as [ContenderServer, ...ContenderServer[]];
        for (let pair = 0; pair < pairsOfProcess; pair += 1) {
          for (const other of others) {
            const cpu = new Map<ContenderServer, number>();
            for (const server of inTurn([whole, other], pair)) {
              cpu.set(server, (await race.load(server, pairedSeconds, rate)).cpuMicroseconds);
            }
            ratios.get(other.contender.name)?.push((cpu.get(other) ?? 0) / (cpu.get(whole) ?? 0));
          }
        }
      } finally {
        for (const server of servers) await server.stop();
      }
      for (const [name, each] of ratios)
        options.say(`${workload.name} ${name}: ${spreadOf(each).median.toFixed(2)}`);
    }
    return ratios;
  } finally {
    await race.end();
  }
}

/** The named contenders that can run here, and a line about each of the others. */
export function participants(
  names: readonly string[],
  { only, against }: Pick<RunOptions, 'only' | 'against'>,
) {
  const chosen = contenders.filter(({ name }) => names.includes(name) && (only?.includes(name) ?? true));
  if (against) chosen.push(earlier);
  return {
    present: chosen.filter((contender) => contender.unavailable() === undefined),
    absent: chosen.flatMap((contender) => {
      const reason = contender.unavailable();
      return reason ? [`${contender.label}: ${reason}`] : [];
    }),
  };
}

const labels = new Map([...contenders, earlier].map(({ name, label }) => [name, label]));

export function httpReport(workload: HttpWorkload, { measured, absent }: HttpResult): string {
  const judgedBy = workload.judgedBy ?? 'cpu';
  const rate = workload.requestsPerSecond;
  const rows = [...measured].map(([name, { slices, ratios }]) => {
    const all = (metric: keyof Slice) => slices.map((slice) => slice[metric]);
    return [
      labels.get(name) ?? name,
      name === 'limit' ? '1' : spread(ratios[judgedBy], 2),
      spread(all('cpuMicroseconds'), 0),
      spread(all('requestsPerSecond'), 0),
      median(all('p50Ms'), 1),
      median(all('p99Ms'), 1),
      median(all('calls'), 1),
      ...(rate ? [spread(ratios.cpuAtRate, 2), median(all('p99AtRateMs'), 1)] : []),
    ];
  });
  const head = [
    'contender',
    `${judgedBy === 'cpu' ? 'CPU' : 'p99'} ÷ LIMIT`,
    'CPU µs per request',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'calls per request',
    ...(rate ? [`CPU ÷ LIMIT at ${rate}/s`, `p99 ms at ${rate}/s`] : []),
  ];
  return [
    ...besidePeers(measured, judgedBy),
    table(head, rows),
    '',
    ...goalResults(workload, measured).map(({ name, of, value, factor }) =>
      goalLine(name, `÷ ${labels.get(of)}`, value, factor),
    ),
    ...absent.map((line) => `- not measured: ${line}`),
  ].join('\n');
}

/** What a team compares that would build the API itself, in one sentence and first of all. */
function besidePeers(measured: ReadonlyMap<string, Measured>, judgedBy: 'cpu' | 'p99'): string[] {
  const peers = ['mercurius-production', 'apollo'].filter((name) => measured.has(name));
  if (peers.length === 0 || !measured.has('gateway')) return [];
  const said = peers.map(
    (name) => `**${ratioTo(name, measured, judgedBy).toFixed(2)}** of ${labels.get(name)}`,
  );
  return [`Folio takes ${said.join(', and ')} (${judgedBy === 'cpu' ? 'CPU time' : 'p99'}).`, ''];
}

/** The gateway's median divided by that of a contender. */
function ratioTo(name: string, measured: ReadonlyMap<string, Measured>, judgedBy: 'cpu' | 'p99'): number {
  const medianOfAll = (one: string) => spreadOf(measured.get(one)?.ratios[judgedBy] ?? []).median;
  return medianOfAll('gateway') / medianOfAll(name);
}

/** The gateway's median divided by that of each contender that ran. */
export function goalResults(workload: HttpWorkload, measured: ReadonlyMap<string, Measured>) {
  const judgedBy = workload.judgedBy ?? 'cpu';
  return workload.goals
    .filter(({ of }) => measured.has(of) && measured.has('gateway'))
    .map((goal) => ({ ...goal, value: ratioTo(goal.of, measured, judgedBy) }));
}
