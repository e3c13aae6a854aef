/** W7: 10,000 WebSocket subscribers of 10, 1,000 and 10,000 documents, all of one caller. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { startContender } from '../contender-server.ts';
import { type Contender, gateway, limitHub, withSettings } from '../contenders.ts';
import { cpuMs, freePort, nodeCommand, residentMb, startPinned } from '../processes.ts';
import { circumstances } from '../report.ts';
import { goalLine, table } from '../table.ts';
import { untilAnswered } from '../upstream/upstream.ts';
import type { Runnable, RunOptions } from './runnable.ts';
import { jsonRequests } from './workload.ts';

interface Watching {
  readonly documents: number;
  /** Interval between two polls of a document: MALAYSIA_POLL_MIN_MS and MALAYSIA_POLL_MAX_MS. */
  readonly intervalMs: number;
  /** Interval between two changes of a document. */
  readonly periodMs: number;
  /** Number of measured changes of each document. */
  readonly changes: number;
  /** Allowed p99 lateness beyond the interval. */
  readonly latenessBoundMs: number;
}

const subscribers = 10_000;
const statusService = new URL('../upstream/status.ts', import.meta.url);
const subscribersLoad = new URL('../load/subscribers.ts', import.meta.url);

export const watchings = [
  { documents: 10, intervalMs: 2_000, periodMs: 5_000, changes: 6, latenessBoundMs: 100 },
  { documents: 1_000, intervalMs: 2_000, periodMs: 5_000, changes: 6, latenessBoundMs: 100 },
  { documents: 10_000, intervalMs: 10_000, periodMs: 25_000, changes: 3, latenessBoundMs: 400 },
] as const satisfies readonly Watching[];

interface Result {
  readonly pollsPerSecond: number;
  readonly kilobytes: number;
  readonly deliveriesPerSecond: number;
  readonly cpuMicroseconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export async function measureWatching(contender: Contender, watching: Watching): Promise<Result> {
  const { documents, intervalMs, periodMs, changes } = watching;
  const seconds = Math.round((periodMs * changes) / 1_000);
  const port = await freePort();
  const service = startPinned(nodeCommand(statusService, { PORT: port, PERIOD_MS: periodMs }), 'load');
  const calls = async () => Number(await (await fetch(`http://127.0.0.1:${port}/calls`)).text());
  await untilAnswered(calls, service.complaint);
  const status = jsonRequests([{ query: '{ malaysiaStatus(documentId: "1") { state } }' }]);
  const polling = {
    MALAYSIA_POLL_MIN_MS: String(intervalMs),
    MALAYSIA_POLL_MAX_MS: String(intervalMs),
    MALAYSIA_POLL_BUDGET_PER_SECOND: '20000',
    // The caller stays a newcomer, as no call that requires both credentials succeeds: all newcomers have less than half of it.
    MAX_SOCKETS: '40000',
  };
  const server = await startContender(
    withSettings(contender, polling),
    `http://127.0.0.1:${port}`,
    'W7',
    status,
  );
  const { pid } = server.process;
  try {
    await sleep(2_000);
    const idleMb = residentMb(pid);
    const env = {
      URL: server.url.replace('http', 'ws'),
      SUBSCRIBERS: subscribers,
      DOCUMENTS: documents,
      SECONDS: seconds,
    };
    const load = startPinned(nodeCommand(subscribersLoad, env), 'load', 'pipe');
    const lines = createInterface(load.child.stdout as NodeJS.ReadableStream);
    const said = async () => {
      const gone = once(load.child, 'exit').then(() => Promise.reject(new Error(load.complaint())));
      return String((await Promise.race([once(lines, 'line'), gone]))[0]);
    };
    await said();
    const [cpuBefore, callsBefore] = [cpuMs(pid), await calls()];
    const received = JSON.parse(await said());
    const [cpu, polls] = [cpuMs(pid) - cpuBefore, (await calls()) - callsBefore];
    return {
      ...received,
      pollsPerSecond: polls / seconds,
      kilobytes: ((residentMb(pid) - idleMb) * 1_024) / subscribers,
      deliveriesPerSecond: received.deliveries / seconds,
      cpuMicroseconds: (cpu * 1_000) / received.deliveries,
    };
  } finally {
    await server.stop();
    await service.stop();
  }
}

async function run({ say }: RunOptions): Promise<string> {
  const rows: string[][] = [];
  const goals: string[] = [];
  for (const watching of watchings) {
    const documents = watching.documents.toLocaleString('en');
    let limitMicroseconds = Number.NaN;
    for (const contender of [limitHub, gateway]) {
      const result = await measureWatching(contender, watching);
      if (contender === limitHub) limitMicroseconds = result.cpuMicroseconds;
      say(`W7 ${documents} documents, ${contender.name}: p99 ${result.p99Ms} ms late`);
      rows.push([
        documents,
        `${watching.intervalMs / 1_000}`,
        contender.label,
        result.pollsPerSecond.toFixed(1),
        result.kilobytes.toFixed(1),
        result.deliveriesPerSecond.toFixed(0),
        result.cpuMicroseconds.toFixed(1),
        `${result.p50Ms} / ${result.p99Ms} / ${result.maxMs}`,
      ]);
      if (contender === gateway) goals.push(...goalsOf(watching, result, limitMicroseconds));
    }
  }
  const head = [
    'documents',
    'interval s',
    'contender',
    'polls/s',
    'kB per subscriber',
    'deliveries/s',
    'CPU µs per delivery',
    'lateness ms p50 / p99 / max',
  ];
  return [
    circumstances(
      `${subscribers.toLocaleString('en')} sockets of one caller; polls are part of the CPU time of a delivery.`,
    ),
    '',
    table(head, rows),
    '',
    ...goals,
  ].join('\n');
}

function goalsOf(
  { documents, intervalMs, latenessBoundMs }: Watching,
  result: Result,
  limitMicroseconds: number,
): string[] {
  const line = (said: string, value: number, bound: number, digits: number) =>
    goalLine('G7', `${documents.toLocaleString('en')} documents, ${said}`, value, bound, digits);
  // Each interval is random, within 10 % of the setting.
  const polls = result.pollsPerSecond / (documents / (intervalMs / 1_000));
  const perSubscriber =
    documents === 10
      ? [
          line('kB per subscriber', result.kilobytes, 16, 1),
          line('CPU of a delivery ÷ LIMIT', result.cpuMicroseconds / limitMicroseconds, 1.75, 2),
        ]
      : [];
  return [
    line('polls ÷ one per document and interval', polls, 1.1, 2),
    ...perSubscriber,
    line('p99 lateness ms', result.p99Ms, intervalMs + latenessBoundMs, 0),
  ];
}

export const w7: Runnable = { name: 'W7', title: '10,000 WebSocket subscribers', run };
