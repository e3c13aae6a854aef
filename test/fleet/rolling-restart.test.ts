import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { askAt, webSocketClientAt } from '../support/gateway.ts';
import { forTest, serviceForFile } from '../support/lifetimes.ts';
import { listen } from '../support/listen.ts';
import { type GatewayProcess, killProcesses, startProcess } from '../support/process.ts';
import { fleetOf, hasRedis, startRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';

/** A load balancer that assigns connections to its gateways in turn. */
async function startBalancer(): Promise<{ url: string; targets: string[]; close(): void }> {
  const targets: string[] = [];
  let turn = 0;
  const server = createServer((client) => {
    turn += 1;
    const { hostname, port } = new URL(targets[turn % targets.length] as string);
    const gateway = connect(Number(port), hostname);
    client.pipe(gateway).pipe(client);
    client.on('error', () => gateway.destroy()).on('close', () => gateway.end());
    gateway.on('error', () => client.destroy()).on('close', () => client.end());
  });
  const { url } = await listen(server);
  return { url: `${url}/graphql`, targets, close: () => server.close() };
}

const service = await serviceForFile();

describe.skipIf(!hasRedis())('a rolling restart of three gateways', () => {
  afterEach(killProcesses);

  it('loses no write and no final status of 400 subscribers', async () => {
    const redis = forTest(await startRedis());
    let status = 'queued';
    service.will((request, response) =>
      does.json(200, { status, createGroup: { id: 7 } })(request, response),
    );
    const startGateway = () =>
      startProcess({
        UPSTREAM_URL: service.url,
        ...fleetOf(redis),
        MALAYSIA_POLL_MIN_MS: '500',
        MALAYSIA_POLL_MAX_MS: '500',
        SHUTDOWN_GRACE_MS: '6000',
        LOG_LEVEL: 'warn',
      });
    const balancer = forTest(await startBalancer());
    const gateways = await Promise.all([startGateway(), startGateway(), startGateway()]);
    balancer.targets.push(...gateways.map(({ url }) => url));

    const closings: { code: number; at: number }[] = [];
    const clients = Array.from({ length: 40 }, (_, index) =>
      webSocketClientAt(balancer, {
        retryAttempts: 50,
        retryWait: () => new Promise((resolve) => setTimeout(resolve, index)),
        on: { closed: (event) => closings.push({ code: (event as CloseEvent).code, at: Date.now() }) },
      }),
    );
    let received = 0;
    const last = clients.flatMap((client, index) =>
      Array.from({ length: 10 }, async (_, place) => {
        const documentId = `roll-${(index + place) % 40}`;
        const query = `subscription { malaysiaStatusChanged(documentId: "${documentId}") { state } }`;
        let state = '';
        for await (const { data } of client.iterate({ query }) as AsyncIterable<any>) {
          if (state === '') received += 1;
          state = data.malaysiaStatusChanged.state;
        }
        return state;
      }),
    );
    await expect.poll(() => received).toBe(400);

    let writing = true;
    const failedWrites: unknown[] = [];
    let writes = 0;
    const writer = (async () => {
      while (writing) {
        const answer = await askAt(balancer)('mutation { createGroup(input: {}) { ... on Group { id } } }');
        const extensions = answer.errors?.[0]?.extensions;
        // A retryable error without a side effect is not a failure: the write is sent again.
        if (extensions && !(extensions['retryable'] && extensions['sideEffect'] === 'NONE'))
          failedWrites.push(answer);
        if (!extensions) writes += 1;
      }
    })().catch((error: unknown) => failedWrites.push(error));

    for (const old of gateways as GatewayProcess[]) {
      const fresh = await startGateway();
      balancer.targets.push(fresh.url);
      balancer.targets.splice(balancer.targets.indexOf(old.url), 1);
      const begun = closings.length;
      expect(await old.stop()).toBe(0);
      const times = closings.slice(begun).map(({ at }) => at);
      if (times.length > 5) expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(500);
    }
    writing = false;
    await writer;
    expect(failedWrites).toEqual([]);
    expect(writes).toBeGreaterThan(50);
    expect(new Set(closings.map(({ code }) => code))).toEqual(new Set([1001]));

    status = 'validated';
    expect(new Set(await Promise.all(last))).toEqual(new Set(['VALIDATED']));
    for (const client of clients) await client.dispose();
  });
});
