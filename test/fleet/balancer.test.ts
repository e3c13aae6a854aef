/** Three gateways behind nginx with ops/nginx.conf, and behind haproxy with ops/haproxy.cfg, all as real processes. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alice, post, scanOperation, webSocketClientAt } from '../support/gateway.ts';
import { hasHaproxy, startHaproxy } from '../support/haproxy.ts';
import { forTest, serviceForFile } from '../support/lifetimes.ts';
import { listen } from '../support/listen.ts';
import { metricOf } from '../support/metric.ts';
import { canResolve, hasNginx, startNginx, type TestNginx } from '../support/nginx.ts';
import { type GatewayProcess, killProcesses, startProcess } from '../support/process.ts';
import { form, openConnection } from '../support/raw-http.ts';
import { freePort } from '../support/redis.ts';
import * as does from '../support/service.ts';

const MiB = 1024 * 1024;
const uploadBytes = 40 * MiB;

const names = ['folio-1', 'folio-2', 'folio-3'] as const;
const create = 'mutation { createGroup(input: { name: "g" }) { ... on Group { id } } }';
const watch = 'subscription { malaysiaStatusChanged(documentId: "7") { state } }';

const service = await serviceForFile();

describe.skipIf(!hasNginx())('three gateways behind nginx', () => {
  let status: string;
  let port: number;
  let nginx: TestNginx;
  const gateways = new Map<string, GatewayProcess>();
  const addresses = new Map<string, string>(names.map((name, index) => [name, `127.0.0.${index + 21}`]));
  const addressOf = (name: string) => addresses.get(name) as string;

  beforeAll(async () => {
    port = await freePort();
    await Promise.all(names.map(startGateway));
    nginx = await startNginx(addressOf, port);
  });
  beforeEach(() => {
    status = 'queued';
    service.will((request, response) => {
      const scanDocuments = { data: {}, docId: 9, status: 'COMPLETED' };
      does.json(200, { status, createGroup: { id: 7 }, scanDocuments })(request, response);
    });
  });
  afterAll(async () => {
    await nginx?.close();
    killProcesses();
  });

  async function startGateway(name: string): Promise<void> {
    const gateway = await startProcess({
      HOST: addressOf(name),
      PORT: String(port),
      UPSTREAM_URL: service.url,
      MAX_UPLOAD_BYTES: String(2 * uploadBytes),
      MALAYSIA_POLL_MIN_MS: '200',
      MALAYSIA_POLL_MAX_MS: '200',
      SHUTDOWN_GRACE_MS: '35000',
      LOG_LEVEL: 'warn',
    });
    gateways.set(name, gateway);
  }

  const write = (to: Pick<TestNginx, 'url'> = nginx) => post(to, { query: create });
  const writes = () => service.received.filter(({ path }) => path === '/v1/groups');

  it('receive an upload of 40 MiB while it is sent, without a file in nginx', async () => {
    const head = form.beforeFile(scanOperation, { file: null }) + form.file('');
    const end = `\r\n${form.end}`;
    const upload = request(nginx.url, {
      method: 'POST',
      headers: { ...alice, ...form.headers, 'content-length': head.length + uploadBytes + end.length },
    });
    const responded = once(upload, 'response');
    upload.write(head);
    const chunk = Buffer.alloc(MiB, 'a');
    upload.write(chunk);
    // Most of the file is not sent yet.
    await expect.poll(() => service.received[0]?.body.length).toBeGreaterThan(MiB / 2);
    expect(nginx.bufferedFiles()).toEqual([]);
    for (let sent = MiB; sent < uploadBytes; sent += MiB) {
      if (!upload.write(chunk)) await once(upload, 'drain');
      if (sent % (4 * MiB) === 0) expect(nginx.bufferedFiles()).toEqual([]);
    }
    upload.end(end);
    const [response] = await responded;
    expect(JSON.parse(Buffer.concat(await response.toArray()).toString())).toEqual({
      data: { scanIdentityCard: { documentId: '9' } },
    });
    expect(service.received).toHaveLength(1);
    expect(service.received[0]?.body.length).toBeGreaterThan(uploadBytes);
  });

  it('that do not respond leave a line in the log of nginx without the variables of a GET request', async () => {
    const gateway = await listen(createServer((_request, response) => response.end()));
    const balancer = forTest(await startNginx(() => '127.0.0.1', gateway.port));
    await gateway.close();
    const url = `${balancer.url}?query={__typename}&variables={"documentId":"planted-4711"}`;
    expect((await fetch(url, { headers: { referer: 'http://planted-4711' } })).status).toBe(502);
    await expect.poll(balancer.errors).toMatch(/ 502 GET \/graphql from 127\.0\.0\.1:\d+/);
    expect(balancer.errors()).not.toContain('planted-4711');
  });

  it('leave no variables in the log of nginx where that has no files left for connections to them', async () => {
    const silent = createServer(({ url }, response) => url?.includes('__typename') && response.end());
    const gateway = forTest(await listen(silent));
    const files = 'worker_rlimit_nofile 40;';
    const balancer = forTest(
      await startNginx(() => '127.0.0.1', gateway.port, ['worker_rlimit_nofile'], files),
    );
    const connections = await Promise.all(Array.from({ length: 20 }, () => openConnection(balancer.url)));
    for (const { socket } of connections)
      socket.write('GET /graphql?variables=planted-4711 HTTP/1.1\r\nhost: a\r\n\r\n');
    await expect.poll(balancer.errors).toMatch(/ 500 GET \/graphql from /);
    for (const { close } of connections) close();
    expect(balancer.errors()).not.toContain('planted-4711');
  });

  it('send the events of a stream and of a WebSocket as they happen', async () => {
    const events: string[] = [];
    const stream = await post(nginx, { query: watch }, { ...alice, accept: 'text/event-stream' });
    const reading = (async () => {
      for await (const chunk of stream.body as ReadableStream<Uint8Array>)
        events.push(
          ...(Buffer.from(chunk)
            .toString()
            .match(/(?<="state":")\w+/g) ?? []),
        );
    })();
    const states: string[] = [];
    const client = webSocketClientAt(nginx);
    const completed = (async () => {
      for await (const { data } of client.iterate<any>({ query: watch }))
        states.push(data.malaysiaStatusChanged.state);
    })();
    await expect.poll(() => [events, states]).toEqual([['QUEUED'], ['QUEUED']]);
    status = 'validated';
    await expect.poll(() => [events.at(-1), states.at(-1)]).toEqual(['VALIDATED', 'VALIDATED']);
    await Promise.all([reading, completed]);
    await client.dispose();
  });

  /** Sends writes, 10 at a time and at most 50 per second, until it is stopped; returns all results. */
  function writeAlways(to: Pick<TestNginx, 'url'> = nginx) {
    const results: string[] = [];
    let isStopped = false;
    const workers = Array.from({ length: 10 }, async () => {
      while (!isStopped) {
        const result = await write(to).then(
          async (response) => `${response.status} ${await response.text()}`,
          (error: Error) => `failed ${error.cause}`,
        );
        results.push(result);
        await sleep(200);
      }
    });
    return {
      results,
      async stop() {
        isStopped = true;
        await Promise.all(workers);
      },
    };
  }

  const succeeded = '200 {"data":{"createGroup":{"id":"7"}}}';

  /** All but a few requests succeed. The others were refused by a gateway that stops, or lost with its connection. */
  function expectFewLost(results: readonly string[]): void {
    const others = results.filter((result) => result !== succeeded);
    expect(others.length).toBeLessThan(results.length / 10);
    for (const other of others) expect(other).toMatch(/SHUTTING_DOWN.*"sideEffect":"NONE"|^50[23] /);
    expect(writes()).toHaveLength(results.length - others.length);
  }

  const balancers: [name: string, start: () => Promise<Pick<TestNginx, 'url'>>][] = [
    ['nginx', async () => nginx],
  ];
  if (hasHaproxy()) balancers.push(['haproxy', async () => forTest(await startHaproxy(addressOf, port))]);

  it.each(balancers)(
    'send each write once behind %s while one of them is stopped and started again',
    async (_name, start) => {
      const load = writeAlways(await start());
      await expect.poll(() => load.results.length).toBeGreaterThan(20);
      const { process, exited } = gateways.get('folio-2') as GatewayProcess;
      process.kill('SIGTERM');
      expect(await exited).toBe(0);
      const before = load.results.length;
      await expect.poll(() => load.results.length).toBeGreaterThan(before + 20);
      await startGateway('folio-2');
      const restarted = load.results.length;
      await expect.poll(() => load.results.length).toBeGreaterThan(restarted + 20);
      await load.stop();
      expectFewLost(load.results);
    },
  );

  it.runIf(canResolve())(
    'send each write once while one of them is replaced at another address',
    async () => {
      const load = writeAlways();
      const { process, exited } = gateways.get('folio-2') as GatewayProcess;
      addresses.set('folio-2', '127.0.0.32');
      await startGateway('folio-2');
      process.kill('SIGTERM');
      await exited;
      const isUsed = async () => {
        const metrics = await fetch(new URL('/metrics', gateways.get('folio-2')?.url));
        return (await metrics.text()).includes('createGroup');
      };
      await expect.poll(isUsed).toBe(true);
      await load.stop();
      expectFewLost(load.results);
    },
  );

  it('send no write again when its gateway is killed', async () => {
    const held: (() => void)[] = [];
    const created = does.json(200, { createGroup: { id: 7 } });
    service.will((request, response) => void held.push(() => created(request, response)));
    const statuses: number[] = [];
    const results = Array.from({ length: 12 }, async () => statuses.push((await write()).status));
    await expect.poll(() => held).toHaveLength(12);
    const busy = new Map<GatewayProcess, number>();
    for (const gateway of gateways.values())
      busy.set(gateway, await metricOf(gateway.metrics, 'folio_service_calls_in_flight'));
    const [[killed, calls]] = [...busy].sort(([, one], [, other]) => other - one) as [
      [GatewayProcess, number],
    ];
    killed.process.kill('SIGKILL');
    await expect.poll(() => statuses).toEqual(Array(calls).fill(502));
    for (const respond of held) respond();
    await Promise.all(results);
    expect(statuses.slice(calls)).toEqual(Array(12 - calls).fill(200));
    expect(held).toHaveLength(12);
  });
});
