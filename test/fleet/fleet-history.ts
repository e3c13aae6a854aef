/**
 * Records the history of keyed writes and watched statuses while gateways and Redis servers are killed, paused, cut off and failed over at
 * random, and checks it in the spirit of Jepsen:
 *
 *     npm run history -- 600 [seed] [--topology sentinel|cluster] [--previous folder]
 *
 * runs it for 600 seconds. Three gateways with a primary, two replicas and three sentinels, or with a cluster of three
 * primaries and a replica each; the seed chooses if no topology is given. `REDIS_REPLICAS` is the number of replicas of a
 * primary, and `appendfsync` is `always`, as docs/several-gateways.md asks for. With `--previous` gateways of this release and
 * of another one, whose source is in that folder, replace each other at one Redis, which has no faults: an upgrade, and the
 * way back, again and again. Requires redis-server on the PATH.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { alice, post } from '../support/gateway.ts';
import {
  type Fault,
  type History,
  type Invocation,
  type Post,
  type Seen,
  violationsOf,
} from '../support/history.ts';
import {
  type Attack,
  attackGateways,
  attackNetwork,
  attackRedis,
  replaceGateways,
} from '../support/history-faults.ts';
import { pollSettings, respondWithStatus, startWatching, statusPath } from '../support/history-watches.ts';
import { startNetwork } from '../support/network.ts';
import { startProcess } from '../support/process.ts';
import { Random } from '../support/random.ts';
import { fleetSecret, startRedis } from '../support/redis.ts';
import { startCluster } from '../support/redis-cluster.ts';
import { addressesOf, type RedisGroup } from '../support/redis-group.ts';
import { startSentinels } from '../support/redis-sentinels.ts';
import * as does from '../support/service.ts';

const topologies = ['sentinel', 'cluster'] as const;
type Topology = (typeof topologies)[number];

const gatewayCount = 3;
const clientCount = 12;
/** How often a request is sent when all faults have ended. */
const maxCalmTries = 100;

/** Runs clients and faults for a time. The same seed makes the same choices; processes decide the rest. */
export async function recordHistory(
  seconds: number,
  seed: string,
  topology: Topology,
  previous?: string,
): Promise<History> {
  const network = startNetwork(addressesOf(6));
  const group = previous === undefined ? await startGroup(topology, network) : await startOne();
  const history = {
    invocations: [] as Invocation[],
    posts: [] as Post[],
    faults: [] as Fault[],
    seen: [] as Seen[],
  } satisfies History;
  const { invocations, posts, faults } = history;
  const service = await startCountingService(posts, new Random(seed, 'service'));
  let processes = 0;
  const start = async (index: number) => {
    const user = `gateway-${index}`;
    const environment = {
      UPSTREAM_URL: service.url,
      REDIS_URL: group.url.replace('://', `://${user}:pass@`),
      LANE_SECRET: fleetSecret,
      SHUTDOWN_GRACE_MS: '35000',
      LOG_LEVEL: 'error',
      ...pollSettings,
    };
    const replicas = { REDIS_REPLICAS: topology === 'sentinel' ? '2' : '1' };
    processes += 1;
    const started = await (previous === undefined
      ? startProcess({ ...environment, ...replicas })
      : startProcess(environment, processes % 2 === 0 ? `${previous}/src/main.ts` : undefined));
    return { ...started, name: `${user}-${processes}` };
  };
  const gateways = await Promise.all(Array.from({ length: gatewayCount }, (_, index) => start(index)));
  // The previous release did not promise the order of statuses.
  const stopWatching = previous === undefined ? startWatching(gateways, history.seen) : async () => {};
  const until = performance.now() + seconds * 1_000;
  const attack: Attack = {
    group,
    network,
    gateways,
    faults,
    async restart(index) {
      gateways[index] = await start(index);
    },
    isOver: () => performance.now() >= until,
  };

  /** The previous release returns no results of its own. */
  const hasFind = previous === undefined;
  async function invoke(
    random: Random,
    key: string,
    id: string,
    isCalm: boolean,
    ask = write,
  ): Promise<string> {
    const { url, name: gateway } = random.pick(gateways);
    const begunAt = performance.now();
    const result = await ask(url, key, id);
    invocations.push({ key, id, gateway, begunAt, endedAt: performance.now(), result, isCalm });
    return result;
  }

  const clients = Array.from({ length: clientCount }, async (_, index) => {
    const random = new Random(seed, 'client', index);
    for (let turn = 0; !attack.isOver(); turn += 1) {
      // Recent keys of all clients, so that repetitions meet at different gateways, and sometimes an old one.
      const old = random.below(turn + 1);
      const recent = Math.max(0, turn - random.below(4));
      const key = `key-${random.below(clientCount)}-${(random.chance(0.1) ? old : recent) >> 2}`;
      await invoke(
        random,
        key,
        `history-${index}-${turn}`,
        false,
        hasFind && random.chance(0.2) ? find : write,
      );
      await sleep(random.below(40));
    }
  });
  const attacks =
    previous === undefined
      ? [
          attackRedis(attack, new Random(seed, 'redis')),
          attackNetwork(attack, new Random(seed, 'network')),
          attackGateways(attack, new Random(seed, 'gateways')),
        ]
      : [replaceGateways(attack, new Random(seed, 'gateways'))];

  /** Repeats all keys once the gateways can write again. */
  async function repeatAll(): Promise<void> {
    for (const { url, name } of gateways) {
      let result = 'not sent';
      for (let tries = 0; !result.startsWith('group'); tries += 1) {
        if (tries > maxCalmTries) throw new Error(`${name} does not write again: ${result}`);
        result = await write(url, `calm-${name}-${tries}`, 'calm');
        await sleep(100);
      }
    }
    const keys = [...new Set(invocations.map(({ key }) => key))];
    const random = new Random(seed, 'calm');
    await Promise.all(
      Array.from({ length: clientCount }, async () => {
        for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
          for (let tries = 0; tries < maxCalmTries; tries += 1) {
            const result = await invoke(random, key, `calm-${key}-${tries}`, true);
            if (result !== 'lost' && !result.endsWith(' NONE')) break;
            await sleep(50);
          }
        }
      }),
    );
  }

  try {
    await Promise.all([...clients, ...attacks]);
    await repeatAll();
  } finally {
    await stopWatching();
    for (const { process } of gateways) process.kill('SIGKILL');
    for (const node of group.nodes) node.thaw();
    await group.close();
    await service.close();
    await network.close();
  }
  return history;
}

/** `appendfsync always`, and a user for each gateway. */
const parametersOfServers = [
  ...['--appendonly', 'yes', '--appendfsync', 'always'],
  ...Array.from({ length: gatewayCount }, (_, index) => [
    ...['--user', `gateway-${index}`, 'on', '>pass', '~*', '&*', '+@all'],
  ]).flat(),
];

async function startOne(): Promise<RedisGroup> {
  const node = await startRedis(...parametersOfServers);
  const unused = () => Promise.reject(new Error('A single server has no failover.'));
  return {
    url: node.url,
    nodes: [node],
    run: unused,
    primary: async () => node,
    failover: unused,
    close: node.close,
  };
}

function startGroup(topology: Topology, network: ReturnType<typeof startNetwork>): Promise<RedisGroup> {
  return topology === 'sentinel'
    ? startSentinels(2, { parameters: parametersOfServers, network })
    : startCluster({ parameters: parametersOfServers, network });
}

/** Responds to each POST with another id, at various speeds; sometimes it carries a write out without a response. */
async function startCountingService(posts: Post[], random: Random): Promise<does.TestService> {
  const service = await does.startService(async (request, response) => {
    if (request.url?.startsWith(statusPath)) return respondWithStatus(random, request, response);
    const requestId = String(request.headers['x-request-id']);
    const received = service.received.findLast(({ headers }) => headers['x-request-id'] === requestId);
    const { name: key } = JSON.parse(String(received?.body)) as { name: string };
    const id = posts.length + 1;
    const isReset = random.chance(0.03);
    posts.push({ key, requestId, at: performance.now(), result: isReset ? undefined : `group ${id}` });
    await sleep(random.chance(0.05) ? 3_000 : random.below(200));
    if (isReset) does.reset(request, response);
    else does.json(200, { createGroup: { id } })(request, response);
  });
  return service;
}

function write(url: string, key: string, id: string): Promise<string> {
  const query = `mutation { createGroup(input: { name: "${key}", idempotencyKey: "${key}-of-history" }) { ... on Group { id } } }`;
  return ask(url, query, id, ({ createGroup }) => createGroup?.id && `group ${createGroup.id}`);
}

/** Asks what became of the write under a key. */
function find(url: string, key: string, id: string): Promise<string> {
  const query = `{ writeOutcome(idempotencyKey: "${key}-of-history") { state result { ... on Group { id } } } }`;
  return ask(url, query, id, ({ writeOutcome: found }) => {
    if (!found) return 'unused';
    if (found.result) return `group ${found.result.id}`;
    return { IN_PROGRESS: 'running', OUTCOME_UNKNOWN: 'OUTCOME_UNKNOWN POSSIBLE' }[found.state as string];
  });
}

async function ask(
  url: string,
  query: string,
  id: string,
  resultOf: (data: any) => string | undefined,
): Promise<string> {
  try {
    const headers = { 'x-request-id': id, ...alice };
    const response = await post({ url }, { query }, headers, { signal: AbortSignal.timeout(20_000) });
    const { data, errors } = (await response.json()) as any;
    const { code, sideEffect } = errors?.[0].extensions ?? {};
    if (code) return `${code} ${sideEffect}`;
    return resultOf(data ?? {}) || `unexpected ${JSON.stringify(data)}`;
  } catch {
    return 'lost';
  }
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { topology: { type: 'string' }, previous: { type: 'string' } },
  });
  const [seconds = '600', seed = String(Date.now())] = positionals;
  const chosen = topologies.find((name) => name === values.topology);
  const topology = chosen ?? new Random(seed, 'topology').pick(topologies);
  const history = await recordHistory(Number(seconds), seed, topology, values.previous);
  const counts = new Map<string, number>();
  for (const { result } of history.invocations) {
    const kind = result.replace(/^group .*/, 'value');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const violations = violationsOf(history);
  const { posts, faults, seen } = history;
  console.log(
    `seed ${seed}, ${topology}: ${posts.length} writes, ${seen.length} statuses received, ${faults.length} faults`,
  );
  console.log([...counts].map(([kind, count]) => `${kind}: ${count}`).join('\n'));
  console.log(violations.length > 0 ? violations.join('\n') : 'no violation');
  process.exitCode = violations.length > 0 ? 1 : 0;
}
