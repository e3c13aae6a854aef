/** What a gateway keeps beyond one request, in its memory or in the Redis that it shares with others. */
import { once } from 'node:events';
import type { Config } from './config/config.ts';
import { followFile } from './config/secret-files.ts';
import { variables } from './config/variables.ts';
import { secretWarnings } from './config/warnings.ts';
import { LaneBudget } from './shares/lane-budget.ts';
import { createRateLimit } from './shares/rate-limit.ts';
import type { Shares } from './shares/shares.ts';
import { createFleetPollBudget } from './state/fleet-poll-budget.ts';
import { createFleetCounter } from './state/fleet-rate-limit.ts';
import { createFleetSecrets } from './state/fleet-secrets.ts';
import { createBoundedRedisStore } from './state/ledger/bounded-redis-store.ts';
import { createIdempotencyLedger } from './state/ledger/ledger.ts';
import { createMemoryStore } from './state/ledger/memory-store.ts';
import { createRedisEntries } from './state/ledger/redis-entries.ts';
import { createRedisRefusals } from './state/ledger/redis-refusals.ts';
import { createRedisStore } from './state/ledger/redis-store.ts';
import { createRotatingStore } from './state/ledger/rotating-store.ts';
import { createRedisMemory } from './state/redis-memory.ts';
import { createRedisWatchBus } from './state/redis-watch-bus.ts';
import { createSecretCheck } from './state/secret-check.ts';
import { localWatchBus } from './state/watch-bus.ts';
import type { Log } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';
import type { Resources } from './tools/resources.ts';

/** What several gateways share; undefined for a single one. Redis is loaded only where it is configured. */
async function connectShared(
  { redisAddress, laneSecret, secretFiles }: Config,
  log: Log,
  resources: Resources,
) {
  if (redisAddress === undefined || laneSecret === undefined) return undefined;
  const { connectRedis } = await import('./state/redis.ts');
  const redis = await connectRedis(redisAddress, log);
  resources.defer(() => redis.close());
  const secrets = createFleetSecrets(laneSecret);
  /** `use` returns why the content of the changed file cannot be used; undefined when it is used. */
  const follow = (name: keyof typeof secretFiles, use: (content: string) => string | undefined) =>
    resources.defer(
      followFile(secretFiles[name], (content) => {
        const variable = `${name}_FILE`;
        const reason = content === '' ? 'the file is empty or cannot be read' : use(content);
        if (reason === undefined) log.info({ variable }, 'a secret has changed');
        else log.error({ variable, reason }, 'the changed file cannot be used, the previous value stays');
      }),
    );
  const must = (name: keyof typeof secretFiles) =>
    `its content must be ${variables[name].schema.description}`;
  follow('LANE_SECRET', (content) => {
    const { data: secret } = variables.LANE_SECRET.schema.safeParse(content);
    if (!secret) return must('LANE_SECRET');
    Object.assign(secrets, createFleetSecrets(secret));
    for (const warning of secretWarnings(secret)) log.warn(warning);
    return undefined;
  });
  follow('REDIS_URL', (content) => {
    const { data: address } = variables.REDIS_URL.schema.safeParse(content);
    if (!address) return must('REDIS_URL');
    return redis.changeAddress(address) ? undefined : 'another kind of address needs a restart';
  });
  return {
    redis,
    /** Of the secret with which the process has started: watches and limits keep it. */
    keys: secrets.current,
    /** For the ledger. */
    secrets,
  };
}

/** How long an idempotency key counts as held after its gateway has last renewed it (ms). */
const leaseMs = 10_000;

/** Time between two checks of Redis (ms). */
const checkMs = 5_000;

/** Runs the checks now and again and again, until the returned function is called. Each one fails while Redis is lost. */
function checkAgain(...checks: readonly (() => Promise<void>)[]): () => void {
  const run = () => {
    for (const check of checks) check().catch(() => {});
  };
  run();
  const timer = setInterval(run, checkMs);
  return () => clearInterval(timer);
}

/** What must be closed is added to `resources`. */
export async function createSharedState(
  config: Config,
  metrics: Metrics,
  log: Log,
  shares: Shares,
  resources: Resources,
) {
  const { idempotencyTtlMs: ttlMs, limits, redisReplicas: replicas, watch } = config;
  const shared = await connectShared(config, log, resources);
  const redis = shared?.redis;
  metrics.gauge('folio_redis_lost', () => (redis?.isLost() ? 1 : 0));
  const refusals = createRedisRefusals(metrics, log);
  const entries = redis && createRedisEntries(redis, { ttlMs, leaseMs, replicas });
  const sharedStore =
    shared &&
    entries &&
    createBoundedRedisStore(
      createRotatingStore(shared.secrets, (keys) =>
        createRedisStore(shared.redis, keys, { entries, refusals, metrics }),
      ),
      shared.redis.commands,
      (whose) => shared.keys.keyOf('stored', whose),
      ttlMs,
      shares,
    );
  const store = sharedStore ?? createMemoryStore(ttlMs, new LaneBudget(shares.of.ledger, shares), metrics);
  const joins = new LaneBudget(shares.of.joins, shares);
  const ledger = createIdempotencyLedger(store, metrics, joins, shares.scheduler);
  const readMemory = createRedisMemory(redis, metrics, sharedStore?.exchange);
  if (shared) {
    const checkSecrets = createSecretCheck(shared.redis, shared.secrets, log);
    // The first message shows nothing if its reply came too late, as in the first second of a process.
    resources.defer(checkAgain(shared.redis.tryMessage, readMemory, checkSecrets));
  }
  return {
    ledger,
    joins,
    /** Resolves when the writes in progress have ended and their outcomes are stored, or when the signal is aborted. */
    async outcomesStored(signal: AbortSignal) {
      if (!signal.aborted) await Promise.race([ledger.settled(), once(signal, 'abort')]);
      await entries?.storeMissing(signal);
    },
    /** Why Redis does not do what gateways need of it. */
    redisProblems: () => [
      ...(redis?.isLost() ? ['redis lost'] : []),
      ...(redis?.isEvicting() ? ['redis evicts'] : []),
      ...(redis?.isSilent() ? ['redis refuses: messages'] : []),
      // A cluster can have lost some of its nodes.
      ...refusals
        .recent()
        .flatMap((reason) => (reason === 'lost' && redis?.isLost() ? [] : `redis refuses: ${reason}`)),
    ],
    rateLimit: createRateLimit(
      limits.rateLimitPerMinute,
      shares.acceptedLanes,
      redis && createFleetCounter(redis, log),
    ),
    fleetBudget:
      shared &&
      createFleetPollBudget(shared.redis, shared.keys.keyOf('budget', 'polls'), watch.pollBudgetPerSecond),
    watchBus: shared ? createRedisWatchBus(shared.redis, shared.keys) : localWatchBus,
  };
}
