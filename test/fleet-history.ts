/**
 * Records the history of keyed writes while gateways and Redis servers are killed, paused and failed over at random, and
 * checks it in the spirit of Jepsen:
 *
 *     npm run history -- 600 [seed]
 *
 * runs it for 600 seconds. Three gateways, one Redis primary with two replicas and three sentinels, `REDIS_REPLICAS=2`
 * and `appendfsync always`, as docs/several-gateways.md asks for. Requires redis-server on the PATH.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { alice } from './support/gateway.ts';
import { type GatewayProcess, killProcesses, startProcess } from './support/process.ts';
import { Random } from './support/random.ts';
import type { RedisGroup } from './support/redis-group.ts';
import { startSentinels } from './support/redis-sentinels.ts';
import * as does from './support/service.ts';

/** One request of a client. */
export interface Invocation {
  readonly key: string;
  /** Sent as x-request-id, and so by the gateway to the service. */
  readonly id: string;
  readonly begunAt: number;
  readonly endedAt: number;
  /** `group …` for a value, `code sideEffect` for an error, `lost` without a response. */
  readonly result: string;
}

/** One POST that the service received. */
export interface Post {
  readonly key: string;
  readonly requestId: string;
  readonly result: string;
}

export interface History {
  readonly invocations: readonly Invocation[];
  readonly posts: readonly Post[];
  readonly faults: readonly string[];
}

/** A sentence for each promise that the history breaks. */
export function violationsOf({ invocations, posts }: History): string[] {
  const found: string[] = [];
  const postOf = new Map<string, Post>();
  for (const post of posts) {
    if (postOf.has(post.key)) found.push(`${post.key} was sent twice: ${post.requestId}`);
    else postOf.set(post.key, post);
  }
  const senders = new Set(posts.map(({ requestId }) => requestId));
  /** When a value of the key was returned first. */
  const returnedAt = new Map<string, number>();
  for (const { key, id, result, endedAt } of invocations) {
    if (result.endsWith(' NONE') && senders.has(id)) found.push(`${id} was sent, and reported as ${result}`);
    if (!result.startsWith('group')) continue;
    if (postOf.get(key)?.result !== result)
      found.push(`${id} returned ${result}, which is not what was sent`);
    returnedAt.set(key, Math.min(endedAt, returnedAt.get(key) ?? Number.POSITIVE_INFINITY));
  }
  for (const { key, id, result, begunAt } of invocations) {
    const isLater = begunAt > (returnedAt.get(key) ?? Number.POSITIVE_INFINITY);
    if (isLater && !permittedLater.test(result)) found.push(`${id} returned ${result} after the value`);
  }
  return found;
}

/** What a repetition may get once the value was returned: the value, or no statement about the first request. */
const permittedLater =
  /^(group .*|lost|UPSTREAM_UNAVAILABLE NONE|SHUTTING_DOWN NONE|OUTCOME_UNKNOWN POSSIBLE)$/;

const gatewayCount = 3;
const clientCount = 12;
/** Longer than the lease of a reservation (10 s). */
const longPauseMs = 11_500;

/** Runs clients and faults for a time. The same seed makes the same choices; processes decide the rest. */
export async function recordHistory(seconds: number, seed: string): Promise<History> {
  const group = await startSentinels(2, { parameters: ['--appendonly', 'yes', '--appendfsync', 'always'] });
  const invocations: Invocation[] = [];
  const posts: Post[] = [];
  const faults: string[] = [];
  const delays = new Random(seed, 'service');
  const service = await does.startService(async (request, response) => {
    const requestId = String(request.headers['x-request-id']);
    const received = service.received.findLast(({ headers }) => headers['x-request-id'] === requestId);
    const { name } = JSON.parse(String(received?.body)) as { name: string };
    const result = posts.length + 1;
    posts.push({ key: name, requestId, result: `group ${result}` });
    await sleep(delays.chance(0.05) ? 3_000 : delays.below(200));
    does.json(200, { createGroup: { id: result } })(request, response);
  });
  const gateways = await Promise.all(
    Array.from({ length: gatewayCount }, () => startGateway(group, service)),
  );
  const until = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() >= until;

  const clients = Array.from({ length: clientCount }, async (_, index) => {
    const random = new Random(seed, 'client', index);
    for (let turn = 0; !isOver(); turn += 1) {
      // Recent keys of all clients, so that repetitions meet at different gateways.
      const key = `key-${random.below(clientCount)}-${Math.max(0, turn - random.below(4)) >> 2}`;
      const gateway = random.pick(gateways).url;
      invocations.push(await invoke(gateway, key, `history-${index}-${turn}`));
      await sleep(random.below(40));
    }
  });
  const attacks = [
    attackRedis(group, new Random(seed, 'redis'), faults, isOver),
    attackGateways(group, service, gateways, new Random(seed, 'gateways'), faults, isOver),
  ];
  try {
    await Promise.all([...clients, ...attacks]);
  } finally {
    killProcesses();
    for (const node of group.nodes) node.thaw();
    await group.stop();
    await service.close();
  }
  return { invocations, posts, faults };
}

function startGateway(group: RedisGroup, service: does.TestService): Promise<GatewayProcess> {
  return startProcess({
    UPSTREAM_URL: service.url,
    REDIS_URL: group.url,
    REDIS_REPLICAS: '2',
    LANE_SECRET: 'a secret of this fleet, 32 bytes or more',
    LOG_LEVEL: 'error',
  });
}

async function invoke(url: string, key: string, id: string): Promise<Invocation> {
  const begunAt = performance.now();
  const query = `mutation { createGroup(input: { name: "${key}", idempotencyKey: "${key}-of-history" }) { ... on Group { id } } }`;
  const result = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': id, ...alice },
    body: JSON.stringify({ query }),
    signal: AbortSignal.timeout(20_000),
  })
    .then((response) => response.json() as any)
    .then(({ data, errors }) => {
      const { code, sideEffect } = errors?.[0].extensions ?? {};
      return code ? `${code} ${sideEffect}` : `group ${data.createGroup.id}`;
    })
    .catch(() => 'lost');
  return { key, id, begunAt, endedAt: performance.now(), result };
}

async function attackRedis(
  group: RedisGroup,
  random: Random,
  faults: string[],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await sleep(2_000 + random.below(3_000));
    const [isPrimary, fault, ms] = [random.chance(0.6), random.below(3), 300 + random.below(4_000)];
    const node = isPrimary
      ? await group.primary().catch(() => random.pick(group.nodes))
      : random.pick(group.nodes);
    if (fault === 0) {
      faults.push(`kill redis ${node.port} for ${ms} ms`);
      await node.stop();
      await sleep(ms);
      await node.start();
    } else if (fault === 1) {
      faults.push(`pause redis ${node.port} for ${ms} ms`);
      node.freeze();
      await sleep(ms);
      node.thaw();
    } else {
      faults.push('fail over');
      await Promise.race([group.failover().catch(() => {}), sleep(5_000)]);
    }
  }
}

async function attackGateways(
  group: RedisGroup,
  service: does.TestService,
  gateways: GatewayProcess[],
  random: Random,
  faults: string[],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await sleep(2_000 + random.below(4_000));
    const index = random.below(gatewayCount);
    const { process, exited } = gateways[index] as GatewayProcess;
    if (random.chance(0.5)) {
      faults.push(`kill gateway ${index}`);
      process.kill('SIGKILL');
      await exited;
      gateways[index] = await startGateway(group, service);
    } else {
      const ms = random.chance(0.5) ? longPauseMs : 200 + random.below(2_000);
      faults.push(`pause gateway ${index} for ${ms} ms`);
      process.kill('SIGSTOP');
      await sleep(ms);
      process.kill('SIGCONT');
    }
  }
}

if (import.meta.main) {
  const [seconds = '600', seed = String(Date.now())] = process.argv.slice(2);
  const history = await recordHistory(Number(seconds), seed);
  const counts = new Map<string, number>();
  for (const { result } of history.invocations) {
    const kind = result.replace(/^group .*/, 'value');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const violations = violationsOf(history);
  console.log(`seed ${seed}: ${history.posts.length} writes, ${history.faults.length} faults`);
  console.log([...counts].map(([kind, count]) => `${kind}: ${count}`).join('\n'));
  console.log(violations.length > 0 ? violations.join('\n') : 'no violation');
  process.exitCode = violations.length > 0 ? 1 : 0;
}
