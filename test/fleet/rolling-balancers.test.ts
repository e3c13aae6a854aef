/** Three gateways behind the balancers of ops/ are restarted one after the other under load: nothing is refused or lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from 'graphql-ws';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { alice } from '../support/gateway.ts';
import { hasHaproxy, startHaproxy } from '../support/haproxy.ts';
import { redisForFile, serviceForFile } from '../support/lifetimes.ts';
import { hasNginx, startNginx } from '../support/nginx.ts';
import { type GatewayProcess, killProcesses, startProcess } from '../support/process.ts';
import { fleetOf, freePort, hasRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const names = ['folio-1', 'folio-2', 'folio-3'] as const;
/** WebSockets during the restarts. It takes minutes and most of two cores, so it runs only where this is set: 300. */
const socketCount = Number(process.env['FOLIO_ROLLING_SOCKETS'] ?? 0);
/** Under the rate that nginx allows for one address. */
const newSocketMs = 15;
const json = { ...alice, 'content-type': 'application/json' };
const scan =
  'mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "1" }) { ... on ScanResult { documentId } } }';

const redis = await redisForFile();
const service = await serviceForFile((request, response) => {
  const scanDocuments = { data: {}, docId: 9, status: 'COMPLETED' };
  const createGroup = { id: service.received.length };
  const respond = does.json(200, { status: 'queued', createGroup, scanDocuments });
  setTimeout(() => respond(request, response), 20);
});

describe.skipIf(!hasRedis() || socketCount === 0)('a rolling restart', () => {
  afterEach(killProcesses);

  it.each([
    ['nginx', hasNginx, startNginx, {}],
    ['haproxy', hasHaproxy, startHaproxy, { SHUTDOWN_DELAY_MS: '2000' }],
  ] as const)(
    'behind %s refuses, loses and repeats nothing',
    async (_what, isInstalled, startBalancer, more) => {
      if (!isInstalled()) return;
      const port = await freePort();
      const addressOf = (name: string) => `127.0.0.${20 + Number(name.slice(-1))}`;
      const start = (name: string) =>
        startProcess({
          HOST: addressOf(name),
          PORT: String(port),
          UPSTREAM_URL: service.url,
          ...fleetOf(redis),
          SHUTDOWN_GRACE_MS: '35000',
          LOG_LEVEL: 'warn',
          ...more,
        });
      const gateways = new Map<string, GatewayProcess>();
      for (const name of names) gateways.set(name, await start(name));
      const balancer = await startBalancer(addressOf, port);

      const closedAt: number[] = [];
      const backMs: number[] = [];
      let connected = 0;
      const clients: Client[] = [];
      for (let index = 0; index < socketCount; index += 1) {
        let lostAt: number | undefined;
        await sleep(newSocketMs);
        const client = createClient({
          url: balancer.url.replace('http', 'ws'),
          webSocketImpl: WebSocket,
          connectionParams: alice,
          lazy: false,
          retryAttempts: 1_000,
          shouldRetry: () => true,
          retryWait: () => sleep(50 + (index % 50)),
          onNonLazyError: () => {},
          on: {
            connected() {
              connected += 1;
              if (lostAt !== undefined) backMs.push(performance.now() - lostAt);
              lostAt = undefined;
            },
            closed() {
              connected -= 1;
              lostAt ??= performance.now();
              closedAt.push(lostAt);
            },
          },
        });
        clients.push(client);
      }
      await vi.waitFor(() => expect(connected).toBe(socketCount), { timeout: 60_000, interval: 50 });

      const failures: string[] = [];
      let sent = 0;
      let isOver = false;
      async function send(what: string, init: RequestInit): Promise<void> {
        sent += 1;
        try {
          const response = await fetch(balancer.url, { method: 'POST', ...init });
          const { errors } = (await response.json()) as { errors?: { extensions?: { code: string } }[] };
          if (errors) failures.push(`${what}: ${response.status} ${errors[0]?.extensions?.code}`);
        } catch (error) {
          failures.push(`${what}: ${String((error as Error).cause ?? error)}`);
        }
      }
      const ask = (what: string, query: string) =>
        send(what, { headers: json, body: JSON.stringify({ query }) });
      const upload = () => {
        const form = new FormData();
        form.set('operations', JSON.stringify({ query: scan, variables: { file: null } }));
        form.set('map', '{"0":["variables.file"]}');
        form.set('0', new Blob([new Uint8Array(100_000)]), 'card.png');
        return send('upload', { headers: { ...alice, 'x-graphql-yoga-csrf': '1' }, body: form });
      };
      let keys = 0;
      const write = () => {
        keys += 1;
        const input = `{ name: "w-${keys}", idempotencyKey: "rolling-${_what}-${keys}" }`;
        return ask('write', `mutation { createGroup(input: ${input}) { ... on Group { id } } }`);
      };
      const read = () => ask('read', '{ malaysiaStatus(documentId: "1") { state } }');
      const load = [write, write, read, upload].map(async (request) => {
        const pending: Promise<void>[] = [];
        while (!isOver) {
          pending.push(request());
          await sleep(150);
        }
        await Promise.all(pending);
      });

      for (const name of names) {
        const old = gateways.get(name) as GatewayProcess;
        old.process.kill('SIGTERM');
        expect(await old.exited).toBe(0);
        gateways.set(name, await start(name));
        // The balancer finds it again.
        await sleep(1_500);
      }
      isOver = true;
      await Promise.all(load);
      await vi.waitFor(() => expect(connected).toBe(socketCount), { timeout: 60_000, interval: 50 });
      for (const client of clients) await client.dispose();
      await balancer.close();

      const sorted = backMs.toSorted((a, b) => a - b);
      const [median, worst] = [sorted[sorted.length >> 1] ?? 0, sorted.at(-1) ?? 0];
      console.info(
        `${_what}: ${sent} requests, ${failures.length} failed; ${backMs.length} sockets back after ${Math.round(median)} ms (median), ${Math.round(worst)} ms (worst)`,
      );
      expect(failures).toEqual([]);
      const posts = service.received
        .filter(({ path }) => path === '/v1/groups')
        .map(({ body }) => String(body));
      expect(new Set(posts).size).toBe(posts.length);
      expect(posts).toHaveLength(keys);
      expect(sent).toBeGreaterThan(100);
      expect(backMs.length).toBeGreaterThanOrEqual(socketCount * 0.9);
      expect(median).toBeLessThan(1_000);
    },
  );
});
