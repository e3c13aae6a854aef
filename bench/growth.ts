/**
 * Checks that the gateway's memory does not grow under W1 and the subscribers of W7 together:
 *
 *     npm run bench:growth -- 600        # seconds; default 600
 *
 * Prints the resident memory of each minute. Fails when the peak of the last minute exceeds that of the second one.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startContender } from './contender-server.ts';
import { gateway, withSettings } from './contenders.ts';
import { runWrk, writeRequests } from './load/wrk.ts';
import { prepare } from './prepare.ts';
import { freePort, nodeCommand, pinSelf, residentMb, startPinned } from './processes.ts';
import { median, table } from './table.ts';
import { untilAnswered } from './upstream/upstream.ts';
import { w1 } from './workloads/mexico.ts';

const seconds = Number(process.argv[2] ?? 600);
const subscribers = 1_000;
const documents = 100;
const connections = 8;
/** The first minute is the start. */
const firstMinute = 1;
/** Difference between two minutes without growth, by the time of a collection (MB). */
const toleranceMb = 16;

if (seconds < 180) {
  console.error('npm run bench:growth -- <seconds, at least 180>');
  process.exit(2);
}

prepare();
pinSelf();
const port = await freePort();
const service = startPinned(
  nodeCommand(new URL('upstream/status.ts', import.meta.url), { PORT: port, PERIOD_MS: 5_000 }),
  'load',
);
await untilAnswered(() => fetch(`http://127.0.0.1:${port}/calls`), service.complaint);
const polling = { MALAYSIA_POLL_MIN_MS: '2000', MALAYSIA_POLL_MAX_MS: '2000' };
const server = await startContender(
  withSettings(gateway, polling),
  `http://127.0.0.1:${port}`,
  'W1',
  w1.requests,
);
const folder = mkdtempSync(join(tmpdir(), 'folio-bench-'));
const requests = join(folder, 'requests');
writeRequests(requests, w1.requests);
const url = server.url.replace('http', 'ws');
const watching = startPinned(
  nodeCommand(new URL('load/subscribers.ts', import.meta.url), {
    URL: url,
    SUBSCRIBERS: subscribers,
    DOCUMENTS: documents,
    SECONDS: seconds,
  }),
  'load',
  'pipe',
);
const said = createInterface(watching.child.stdout as NodeJS.ReadableStream);
await once(said, 'line');

const minutes: number[][] = [];
const startedAt = performance.now();
const sampling = setInterval(() => {
  const minute = Math.floor((performance.now() - startedAt) / 60_000);
  minutes[minute] ??= [];
  minutes[minute].push(residentMb(server.process.pid));
}, 250);
const received = once(said, 'line');
const load = await runWrk(server.url, requests, { connections, seconds, callers: 1 });
clearInterval(sampling);
const { deliveries } = JSON.parse(String((await received)[0])) as { deliveries: number };
await server.stop();
await service.stop();
rmSync(folder, { recursive: true });

const whole = minutes.filter((samples) => samples.length > 200);
console.log(
  table(
    ['minute', 'resident MB, median', 'peak'],
    whole.map((samples, minute) => [String(minute + 1), median(samples, 0), Math.max(...samples).toFixed(0)]),
  ),
);
console.log(
  `\n${load.requests} requests, ${deliveries} deliveries to ${subscribers} subscribers, ${load.failures} failures`,
);
const grownMb = Math.max(...(whole.at(-1) ?? [])) - Math.max(...(whole[firstMinute] ?? []));
if (grownMb > toleranceMb || load.failures > 0) {
  console.error(`The peak grew by ${grownMb.toFixed(0)} MB; at most ${toleranceMb} MB are accepted.`);
  process.exitCode = 1;
}
