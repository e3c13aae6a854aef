/** Runs a workload of HTTP requests: compares the responses with LIMIT's, warms the contenders up, measures slices. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { answerTo, askOne, type ContenderServer, startContender } from './contender-server.ts';
import { type Contender, contenders, limit } from './contenders.ts';
import { interleave, type Measured, type Slice, spreadOf } from './interleave.ts';
import { runWrk, writeRequests } from './load/wrk.ts';
import { cpuMs } from './processes.ts';
import { goalLine, median, spread, table } from './table.ts';
import { startUpstream, type Upstream } from './upstream/upstream.ts';
import type { RunOptions } from './workloads/runnable.ts';
import type { HttpWorkload, Requests } from './workloads/workload.ts';

export interface HttpResult {
  readonly measured: ReadonlyMap<string, Measured>;
  /** A line for each contender that could not run. */
  readonly absent: readonly string[];
}

export async function runHttpWorkload(workload: HttpWorkload, options: RunOptions): Promise<HttpResult> {
  const { present, absent } = participants(workload.contenders, options);
  const folder = mkdtempSync(join(tmpdir(), 'folio-bench-'));
  const upstream = await startUpstream(options.upstream, { delayMs: workload.delayMs ?? 0 });
  const servers = new Map<string, ContenderServer>();
  try {
    for (const contender of [limit, ...present]) {
      const requests = requestsFor(workload, contender);
      servers.set(contender.name, await startContender(contender, upstream.url, workload.name, requests));
      writeRequests(join(folder, contender.name), requests);
    }
    const bytes = await compareAnswers(workload, [...servers.values()], upstream);
    options.say(`${workload.name}: ${servers.size} contenders return the same responses`);

    const slice = async (name: string, seconds = options.seconds): Promise<Slice> => {
      const { process, url } = servers.get(name) as ContenderServer;
      const [cpuBefore, callsBefore] = [cpuMs(process.pid), await upstream.calls()];
      const load = await runWrk(url, join(folder, name), workload.connections, seconds);
      const [cpu, calls] = [cpuMs(process.pid) - cpuBefore, (await upstream.calls()) - callsBefore];
      if (load.requests === 0) throw new Error(`${name} sent no response in ${seconds} s`);
      if (load.failures > 0) throw new Error(`${name} failed ${load.failures} requests under load`);
      if (load.bytes / load.requests < 0.9 * (bytes.get(name) as number))
        throw new Error(`${name} sends shorter responses under load: ${load.bytes / load.requests} bytes`);
      // Requests in flight at the end are not counted, though on average half of their work was done.
      const worked = load.requests + workload.connections / 2;
      return {
        cpuMicroseconds: (cpu * 1_000) / worked,
        requestsPerSecond: load.requests / load.seconds,
        p50Ms: load.p50Ms,
        p99Ms: load.p99Ms,
        calls: calls / worked,
      };
    };
    for (const name of servers.keys()) await slice(name, workload.warmupSeconds ?? 10);
    const measured = await interleave(
      present.map(({ name }) => name),
      options.slices,
      async (name) => {
        const result = await slice(name);
        options.say(`${workload.name} ${name}: ${result.cpuMicroseconds.toFixed(1)} µs per request`);
        return result;
      },
    );
    return { measured, absent };
  } finally {
    for (const server of servers.values()) await server.stop();
    await upstream.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The named contenders that can run here, and a line about each of the others. */
export function participants(names: readonly string[], { only }: Pick<RunOptions, 'only'>) {
  const chosen = contenders.filter(({ name }) => names.includes(name) && (only?.includes(name) ?? true));
  return {
    present: chosen.filter((contender) => contender.unavailable() === undefined),
    absent: chosen.flatMap((contender) => {
      const reason = contender.unavailable();
      return reason ? [`${contender.label}: ${reason}`] : [];
    }),
  };
}

function requestsFor(workload: HttpWorkload, { isWire }: Contender): Requests {
  return isWire && workload.wire ? workload.wire.requests : workload.requests;
}

const samples = 20;

/** Throws when a contender's responses differ from LIMIT's. Returns the mean length of its responses (bytes). */
async function compareAnswers(
  workload: HttpWorkload,
  servers: readonly ContenderServer[],
  upstream: Upstream,
): Promise<Map<string, number>> {
  const [first] = servers as [ContenderServer];
  const lengths = new Map<string, number>();
  for (const { contender, url } of servers) {
    const { contentType, bodies } = requestsFor(workload, contender);
    const count = Math.min(samples, bodies.length);
    let bytes = 0;
    for (let index = 0; index < count; index += 1) {
      const answer = await answerTo(url, contentType, bodies[index] as string | Buffer);
      const expected =
        contender.isWire && workload.wire
          ? workload.wire.expected(index)
          : await askOne(first.url, workload.requests, index);
      if (!isDeepStrictEqual(answer.data, expected)) {
        const [got, wanted] = [answer.data, expected].map((data) => JSON.stringify(data).slice(0, 800));
        throw new Error(`${contender.name} responds differently from LIMIT:\n${got}\n${wanted}`);
      }
      bytes += answer.bytes;
    }
    lengths.set(contender.name, bytes / count);
  }
  for (const { contender, url } of servers) {
    const { calls } = workload;
    if (!calls?.contenders.includes(contender.name)) continue;
    const before = await upstream.calls();
    await askOne(url, requestsFor(workload, contender), samples);
    const made = (await upstream.calls()) - before;
    if (made !== calls.count) throw new Error(`${contender.name} makes ${made} calls, not ${calls.count}`);
  }
  return lengths;
}

export function httpReport(workload: HttpWorkload, { measured, absent }: HttpResult): string {
  const judgedBy = workload.judgedBy ?? 'cpu';
  const labels = new Map(contenders.map(({ name, label }) => [name, label]));
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
  ];
  return [
    table(head, rows),
    '',
    ...goalResults(workload, measured).map(({ name, of, value, factor }) =>
      goalLine(name, `÷ ${labels.get(of)}`, value, factor),
    ),
    ...absent.map((line) => `- not measured: ${line}`),
  ].join('\n');
}

/** The gateway's median divided by that of each contender that ran. */
export function goalResults(workload: HttpWorkload, measured: ReadonlyMap<string, Measured>) {
  const judgedBy = workload.judgedBy ?? 'cpu';
  const ratio = (name: string) => spreadOf(measured.get(name)?.ratios[judgedBy] ?? []).median;
  return workload.goals
    .filter(({ of }) => measured.has(of) && measured.has('gateway'))
    .map((goal) => ({ ...goal, value: ratio('gateway') / ratio(goal.of) }));
}
