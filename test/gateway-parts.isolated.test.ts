import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { type Gateway, startGateway } from '../src/gateway.ts';
import { startParts } from '../src/gateway-parts.ts';
import type { SubscriptionResults } from '../src/operation/subscription-results.ts';
import { createLog } from '../src/telemetry/log.ts';
import { Resources } from '../src/tools/resources.ts';
import { forTest } from './support/lifetimes.ts';
import { isListening, listen } from './support/listen.ts';
import { holder } from './support/shares.ts';

const failing = vi.hoisted(() => new Set<'the connection pool' | 'the metrics server'>());
/** The ports of the last gateway that was started, also when its start failed. */
const ports = vi.hoisted(() => ({ metrics: 0, sandbox: 0 }));

vi.mock('../src/upstream/dispatcher.ts', async (load) => {
  const module = await load<typeof import('../src/upstream/dispatcher.ts')>();
  return {
    createDispatcher(...args: Parameters<typeof module.createDispatcher>) {
      ports.sandbox = Number(args[1].port);
      const dispatcher = module.createDispatcher(...args);
      const destroy = dispatcher.destroy.bind(dispatcher) as (...parameters: unknown[]) => Promise<void>;
      // undici calls `destroy` itself, with parameters.
      const failingDestroy = (...parameters: unknown[]) =>
        parameters.length > 0 ? destroy(...parameters) : failAfter('the connection pool', destroy);
      return Object.assign(dispatcher, { destroy: failingDestroy });
    },
  };
});

vi.mock('../src/http/metrics-server.ts', async (load) => {
  const module = await load<typeof import('../src/http/metrics-server.ts')>();
  return {
    async startMetricsServer(...args: Parameters<typeof module.startMetricsServer>) {
      const server = await module.startMetricsServer(...args);
      ports.metrics = server.port;
      return { ...server, close: () => failAfter('the metrics server', async () => server.close()) };
    },
  };
});

async function failAfter(part: 'the connection pool' | 'the metrics server', close: () => Promise<void>) {
  await close();
  if (failing.has(part)) throw new Error(`${part} was not closed`);
}

afterEach(() => failing.clear());

const notClosed = ['the connection pool was not closed', 'the metrics server was not closed'];

const listening = (...numbers: readonly number[]) => Promise.all(numbers.map(isListening));

function startOn(port: number, log: string[] = [], HOST = '127.0.0.1'): Promise<Gateway> {
  const environment = { HOST, METRICS_PORT: '0', SHUTDOWN_GRACE_MS: '1000' };
  const config = readConfig({ ...environment, PORT: String(port) });
  const destination = { write: (line: string) => void log.push(line) };
  return startGateway({ config, log: createLog({ level: 'info', production: false, destination }) });
}

const ofIPv6: [string, string][] = [
  ['::1', '[::1]'],
  ['::', 'localhost'],
];
it.each<[string, string]>([
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', 'localhost'],
  ...(JSON.stringify(networkInterfaces()).includes('"::1"') ? ofIPv6 : []),
])('a gateway that listens on %s has an address with the host %s', async (host, expected) => {
  const gateway = await startOn(0, [], host);
  expect(new URL(gateway.url).hostname).toBe(expected);
  await gateway.close();
});

it('a part that fails to close stops no other part, and close rejects with every failure', async () => {
  failing.add('the connection pool').add('the metrics server');
  const gateway = await startOn(0);
  const all = [Number(new URL(gateway.url).port), ports.metrics, ports.sandbox];
  expect(await listening(...all)).toEqual([true, true, true]);
  const failure = await gateway.close().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AggregateError);
  expect((failure as AggregateError).errors.map(({ message }) => message)).toEqual(notClosed);
  expect(await listening(...all)).toEqual([false, false, false]);
});

it('a part that fails to start closes the parts before it, and its error is the one reported', async () => {
  failing.add('the connection pool').add('the metrics server');
  const { port } = forTest(await listen(createServer()));
  const log: string[] = [];
  const starting = startOn(port, log);
  await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(await listening(ports.metrics, ports.sandbox)).toEqual([false, false]);
  expect(log.map((line) => JSON.parse(line).err?.message)).toEqual(notClosed);
});

it('the end of the parts ends every watch, also of a subscription whose socket is still open', async () => {
  const resources = forTest(new Resources());
  const log = createLog({ level: 'silent', production: false });
  const { pipeline } = (await startParts({ config: readConfig({}), log }, resources)).http;
  const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
  const caller = { ...holder('alice'), requestId: 'request-1', signal: new AbortController().signal };
  const results = await pipeline.subscribe(pipeline.prepare({ query }, caller.requestId), caller);
  const next = (results as SubscriptionResults).next();
  await resources.close();
  expect(await next).toEqual({ done: true, value: undefined });
});
