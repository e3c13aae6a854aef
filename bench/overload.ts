/**
 * Sends five times as many queries of W2 as the gateway can execute, from 100 callers, next to ten calm callers:
 *
 *     npm run bench:overload -- 60 3000   # seconds and connections; default 60 and 1000
 *
 * Prints what was executed and refused, and whether the goals are met: the deadline of executed queries, the queries of calm
 * callers, and the time until it is as fast as before. Exits with 1 when a query failed otherwise.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { credentialHeaders } from '../src/caller.ts';
import { startContender } from './contender-server.ts';
import { gateway } from './contenders.ts';
import { credentials } from './load/wrk.ts';
import { prepare } from './prepare.ts';
import { goalLine, table } from './table.ts';
import { defaultUpstream, startUpstream } from './upstream/upstream.ts';
import { w2 } from './workloads/mexico.ts';

const seconds = Number(process.argv[2] ?? 60);
const busyCallers = 100;
const calmCallers = 10;
const factor = 5;
/** Connections of the load. A query that is due while all are in use is not sent. */
const connections = Number(process.argv[3] ?? 1_000);
/** Interval between two queries of one calm caller. */
const calmIntervalMs = 1_000;
/** `UPSTREAM_TIMEOUT_MS` by default. */
const deadlineMs = 10_000;
const recoveryGoalMs = 2_000;

type Outcome = 'executed' | 'refused' | 'failed';

interface Sent {
  readonly outcome: Outcome;
  readonly ms: number;
}

prepare();
const upstream = await startUpstream(defaultUpstream());
const server = await startContender(gateway, upstream.url, w2.name, w2.requests);
const pool = new Pool(new URL(server.url).origin, { connections: connections + calmCallers });
let inFlight = 0;

async function send(caller: string): Promise<Sent> {
  const startedAt = performance.now();
  inFlight += 1;
  const outcome = await outcomeFor(caller).catch((): Outcome => 'failed');
  inFlight -= 1;
  return { outcome, ms: performance.now() - startedAt };
}

async function outcomeFor(caller: string): Promise<Outcome> {
  const headers = {
    ...credentials,
    [credentialHeaders.apiKey]: caller,
    'content-type': w2.requests.contentType,
  };
  const body = w2.requests.bodies[0] as string;
  const response = await pool.request({ path: '/graphql', method: 'POST', headers, body });
  const text = await response.body.text();
  if (response.statusCode === 200) return text.includes('"errors"') ? 'failed' : 'executed';
  const claims = ['"code":"RATE_LIMITED"', '"retryable":true', '"sideEffect":"NONE"'];
  const isRefusal = response.statusCode === 503 && 'retry-after' in response.headers;
  return isRefusal && claims.every((claim) => text.includes(claim)) ? 'refused' : 'failed';
}

const sendBusy = (index: number) => send(`busy-${index % busyCallers}`);
const sendCalm = (index: number) => send(`calm-${index % calmCallers}`);
const each = (count: number, sendOne: (index: number) => Promise<Sent>) =>
  Promise.all(Array.from({ length: count }, (_, index) => sendOne(index)));

function timesOf(sent: readonly Sent[], wanted: Outcome): readonly number[] {
  return sent.filter(({ outcome }) => outcome === wanted).map(({ ms }) => ms);
}

/** The value that this part of all values does not exceed. */
function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? Number.NaN;
}

/** Queries executed per second while each caller sends the next one when the last has its response. */
async function capacity(forSeconds: number): Promise<number> {
  const until = performance.now() + forSeconds * 1_000;
  let executed = 0;
  await each(busyCallers, async (index) => {
    let last = await sendBusy(index);
    for (; performance.now() < until; last = await sendBusy(index))
      if (last.outcome === 'executed') executed += 1;
    return last;
  });
  return executed / forSeconds;
}

/** Time (ms) of the slowest of one query of each calm caller; infinite when one is not executed. */
async function slowestCalmMs(): Promise<number> {
  const times = timesOf(await each(calmCallers, sendCalm), 'executed');
  return times.length < calmCallers ? Number.POSITIVE_INFINITY : Math.max(...times);
}

// Warm, with all connections open, and with callers whom the service has accepted.
await capacity(20);
await each(connections + calmCallers, sendBusy);
const perSecond = await capacity(5);
const usualMs = percentile([await slowestCalmMs(), await slowestCalmMs(), await slowestCalmMs()], 1);

const busy: Promise<Sent>[] = [];
const calm: Promise<Sent>[] = [];
let due = 0;
const startedAt = performance.now();
for (let ms = 0; ms < seconds * 1_000; ms = performance.now() - startedAt) {
  for (; due < (ms / 1_000) * perSecond * factor; due += 1)
    if (inFlight < connections) busy.push(sendBusy(due));
  while (calm.length < (ms / calmIntervalMs) * calmCallers) calm.push(sendCalm(calm.length));
  await sleep(5);
}
const endedAt = performance.now();
while ((await slowestCalmMs()) > 2 * usualMs);
const recoveryMs = performance.now() - endedAt;
const [busySent, calmSent] = [await Promise.all(busy), await Promise.all(calm)];
await pool.destroy();
await server.stop();
await upstream.stop();

const row = (label: string, sent: readonly Sent[], outcome: Outcome) => {
  const times = timesOf(sent, outcome);
  const shown = [times.length / seconds, percentile(times, 0.5), percentile(times, 0.99)];
  return [label, ...shown.map((value) => value.toFixed(0))];
};
console.log(
  `Capacity: ${perSecond.toFixed(0)} queries/s. Sent: ${(busy.length / seconds).toFixed(0)}/s of ${(due / seconds).toFixed(0)}/s.\n`,
);
console.log(
  table(
    ['', 'per second', 'p50 ms', 'p99 ms'],
    [
      row('executed', busySent, 'executed'),
      row('refused', busySent, 'refused'),
      row('of calm callers, executed', calmSent, 'executed'),
    ],
  ),
);
const executedMs = percentile(timesOf(busySent, 'executed'), 0.99);
const calmLost = calmSent.length - timesOf(calmSent, 'executed').length;
console.log(`\n${goalLine('Deadline', 'p99 of executed queries, ms', executedMs, deadlineMs, 0)}`);
console.log(goalLine('Calm callers', 'queries not executed', calmLost, 0, 0));
console.log(goalLine('Recovery', 'ms until at most twice as slow as before', recoveryMs, recoveryGoalMs, 0));
const failed = [...busySent, ...calmSent].filter(({ outcome }) => outcome === 'failed').length;
if (failed > 0) {
  console.error(`${failed} queries were neither executed nor refused.`);
  process.exitCode = 1;
}
