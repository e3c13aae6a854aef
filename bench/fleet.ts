/**
 * Measures how many polls a fleet causes, and how late its subscribers receive a change:
 *
 *     npm run bench:fleet
 *
 * 1,000 documents, each watched through each of 1, 2 and 4 gateways with one Redis. Polls are counted at the service.
 * Lateness is the time from the response with a change to its delivery to a subscriber. Requires redis-server on the
 * PATH.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { alice } from '../test/support/gateway.ts';
import { killProcesses, startProcess } from '../test/support/process.ts';
import { startRedis } from '../test/support/redis.ts';
import * as does from '../test/support/service.ts';

const documents = 1_000;
const subscriptionsPerSocket = 100;
const intervalMs = 10_000;
const countingMs = 20_000;

async function measure(gateways: number): Promise<string> {
  const redis = await startRedis();
  const changedAt = new Map<string, number>();
  let changing = false;
  let polls = 0;
  const service = await does.startService((request, response) => {
    const id = request.url?.split('/').at(-1) as string;
    polls += 1;
    if (changing && !changedAt.has(id)) changedAt.set(id, performance.now());
    does.json(200, { status: changing ? 'submitted' : 'queued' })(request, response);
  });
  const forget = setInterval(() => {
    service.received.length = 0;
  }, 200);
  const started = await Promise.all(
    Array.from({ length: gateways }, () =>
      startProcess({
        UPSTREAM_URL: service.url,
        REDIS_URL: redis.url,
        LANE_SECRET: 'a secret of this fleet, 32 bytes or more',
        MALAYSIA_POLL_MIN_MS: String(intervalMs),
        MALAYSIA_POLL_MAX_MS: String(intervalMs),
        LOG_LEVEL: 'warn',
      }),
    ),
  );
  let received = 0;
  const lateness: number[] = [];
  for (const { url } of started) {
    for (let first = 0; first < documents; first += subscriptionsPerSocket) {
      const client = createClient({
        url: url.replace('http', 'ws'),
        webSocketImpl: WebSocket,
        connectionParams: alice,
        retryAttempts: 0,
      });
      for (let id = first; id < first + subscriptionsPerSocket; id += 1) {
        const query = `subscription { malaysiaStatusChanged(documentId: "${id}") { state } }`;
        client.subscribe<{ malaysiaStatusChanged: { state: string } }>(
          { query },
          {
            next({ data }) {
              received += 1;
              const { state } = data?.malaysiaStatusChanged ?? {};
              if (state === 'SUBMITTED') lateness.push(performance.now() - (changedAt.get(String(id)) ?? 0));
            },
            error() {},
            complete() {},
          },
        );
      }
    }
  }
  while (received < documents * gateways) await sleep(50);
  await sleep(intervalMs);
  polls = 0;
  await sleep(countingMs);
  const pollsPerSecond = polls / (countingMs / 1_000);
  changing = true;
  while (lateness.length < documents * gateways) await sleep(50);
  clearInterval(forget);
  killProcesses();
  await redis.stop();
  await service.close();
  lateness.sort((a, b) => a - b);
  const at = (share: number) => (lateness[Math.floor(lateness.length * share)] ?? Number.NaN).toFixed(0);
  return `| ${gateways} | ${documents * gateways} | ${pollsPerSecond.toFixed(1)} | ${at(0.5)} | ${at(0.99)} | ${at(0.9999)} |`;
}

console.log(
  '| gateways | subscribers | polls per second | lateness ms, median | p99 | last |\n| --- | --- | --- | --- | --- | --- |',
);
for (const gateways of [1, 2, 4]) console.log(await measure(gateways));
process.exit(0);
