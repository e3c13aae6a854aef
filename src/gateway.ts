/** The composition root: a configuration becomes a running gateway. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import packageJson from '../package.json' with { type: 'json' };
import type { Config } from './config.ts';
import { createPipeline } from './graphql/pipeline.ts';
import { schema } from './graphql/schema.ts';
import { createHttpServer } from './http/server.ts';
import { startSandbox } from './sandbox/server.ts';
import { createIdempotencyLedger } from './state/idempotency-ledger.ts';
import { createLaneMaker } from './state/lane.ts';
import { createRateLimit } from './state/rate-limit.ts';
import type { SharedRedis } from './state/redis.ts';
import { createRedisLedger } from './state/redis-ledger.ts';
import { createRedisStatusBus } from './state/redis-status-bus.ts';
import { createSealedBox, type SealedBox } from './state/sealed-box.ts';
import { createLocalStatusBus } from './state/status-bus.ts';
import type { Log } from './telemetry/log.ts';
import { createUpstreamClient } from './upstream/client.ts';

export interface Gateway {
  /** Where GraphQL is served. */
  readonly url: string;
  /** The service's address: the sandbox's, when it answers. */
  readonly serviceUrl: string;
  /** Finishes what is under way, within the grace time, and stops. */
  close(): Promise<void>;
}

/** Resolves once the gateway accepts requests. */
export async function startGateway(config: Config, log: Log): Promise<Gateway> {
  const { service } = config;
  const shared = await connectShared(config, log);
  const sandbox =
    service.kind === 'sandbox'
      ? await startSandbox({ port: service.port, speed: service.speed, controls: !config.production })
      : undefined;
  const baseUrl = service.kind === 'remote' ? service.baseUrl : new URL((sandbox as { url: string }).url);
  const dispatcher = new Pool(baseUrl.origin, {
    connections: config.upstream.connections,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: 5_000 },
  });
  const upstream = createUpstreamClient({
    ...config.upstream,
    dispatcher,
    baseUrl,
    userAgent: `folio/${packageJson.version}`,
    onDrift: (operation, drift) => log.debug({ operation, ...drift }, 'drift'),
  });
  const closing = new AbortController();
  const laneOf = createLaneMaker(config.laneSecret);
  const services = {
    config,
    upstream,
    laneOf,
    ...createState(config, shared),
    closing: closing.signal,
  };
  const pipeline = createPipeline({ schema, services, log });
  const server = createHttpServer({
    config,
    pipeline,
    laneOf,
    log,
    degraded: () => [
      ...upstream.openBreakers().map((operation) => `breaker open: ${operation}`),
      ...(shared?.redis.isLost() ? ['redis lost'] : []),
    ],
  });
  const port = await server.listen();
  server.becomeReady();

  return {
    url: `http://${urlHost(config.listen.host)}:${port}/graphql`,
    serviceUrl: baseUrl.href,
    async close() {
      const over = sleep(config.shutdownGraceMs, undefined, { ref: false });
      await server.drain(config.shutdownGraceMs);
      closing.abort();
      // Writes whose callers have left run to their end all the same.
      await Promise.race([upstream.settled(), over]);
      await dispatcher.destroy();
      shared?.redis.close();
      await sandbox?.close();
    },
  };
}

interface Shared {
  readonly redis: SharedRedis;
  readonly box: SealedBox;
}

/** What the gateways of a fleet share; undefined for one alone. Loaded only where it is asked for. */
async function connectShared({ redisUrl, laneSecret }: Config, log: Log): Promise<Shared | undefined> {
  if (redisUrl === undefined || laneSecret === undefined) return undefined;
  const { connectRedis } = await import('./state/redis.ts');
  return { redis: await connectRedis(redisUrl, laneSecret, log), box: createSealedBox(laneSecret) };
}

function createState({ idempotencyTtlMs: ttlMs, limits }: Config, shared: Shared | undefined) {
  return {
    ledger: shared
      ? createRedisLedger(shared.redis, shared.box, { ttlMs })
      : createIdempotencyLedger({ ttlMs }),
    rateLimit: createRateLimit(limits.rateLimitPerMinute, shared?.redis.commands),
    statusBus: shared ? createRedisStatusBus(shared.redis, shared.box) : createLocalStatusBus(),
  };
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
