/** Whether the shared Redis can be used, before a gateway is started. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import type { RedisAddress } from '../config/redis-address.ts';
import { acknowledgementMs } from './ledger/replica-acknowledgements.ts';
import { openCommands, tryName } from './redis-clients.ts';
import { isTimeout, replyCodeOf, replyMessageOf, sentinelErrorOf } from './redis-error.ts';
import { readPolicies } from './redis-eviction.ts';

/** Longest wait for the connection and the reply (ms). */
const longestMs = 2_000;
const notInTime = 'it does not reply in time';

/** What a gateway does with an entry. ARGV[1]: PUBLISH or SPUBLISH. The key is gone after a second, if not at once. */
const tryScript = `
redis.call('HSET', KEYS[1], 'holder', '')
redis.call('PEXPIRE', KEYS[1], 1000)
redis.call(ARGV[1], KEYS[1], '')
redis.call('DEL', KEYS[1])`;

/**
 * Why Redis cannot be used: it does not reply within 2 s, refuses an entry or a message, evicts keys, or has fewer than
 * `replicas` replicas. Undefined if it can. Contains no address and no credentials.
 */
export async function redisProblem(address: RedisAddress, replicas: number): Promise<string | undefined> {
  const commands = openCommands(address);
  const failed = Promise.withResolvers<string>();
  commands.on('error', (error) => failed.resolve(reasonOf(error)));
  const isCluster = commands instanceof Cluster;
  const isTls = address.kind === 'server' ? address.url.startsWith('rediss:') : address.isTls;
  const tried = async () => {
    await commands.connect();
    await commands.ping();
    await commands.eval(tryScript, 1, tryName, isCluster ? 'SPUBLISH' : 'PUBLISH');
    const primaries = isCluster ? commands.nodes('master') : [commands];
    const policies = await readPolicies(primaries, { warn() {} });
    const evicting = policies.find((policy) => policy !== 'noeviction');
    if (evicting) return `its maxmemory-policy is ${evicting} instead of noeviction`;
    if (replicas === 0) return undefined;
    const counts = await Promise.all(primaries.map((primary) => primary.wait(replicas, acknowledgementMs)));
    const fewest = Math.min(...counts);
    return fewest < replicas
      ? `${fewest} of its replicas acknowledge a write, and REDIS_REPLICAS is ${replicas}`
      : undefined;
  };
  try {
    return await Promise.race([
      tried().catch(reasonOf),
      failed.promise,
      sleep(longestMs, isTls ? `${notInTime}, as a server without TLS` : notInTime, { ref: false }),
    ]);
  } finally {
    if (isCluster) for (const node of commands.nodes()) node.disconnect();
    commands.disconnect();
  }
}

/** What Redis replies where REDIS_URL has the form of another kind of server, or another database. */
const ofOtherKinds: readonly (readonly [reply: RegExp, what: string])[] = [
  [/unknown command '?sentinel/i, 'it is not a sentinel: use redis://'],
  [
    /unknown command '?(?:eval|cluster|select)/i,
    'it lacks commands of Redis: for a sentinel use redis+sentinel://',
  ],
  [/cluster support disabled/, 'it is not a cluster: use redis://'],
  [/^MOVED |not allowed in cluster mode/, 'it is a node of a cluster: use redis+cluster://'],
  [/DB index is out of range/, 'it has no database of this number'],
];

/** What to correct in REDIS_URL; Redis's own first word, e.g. WRONGPASS, or the code of the connection's error. */
function reasonOf(error: unknown): string {
  const reply = replyCodeOf(error);
  const ofSentinel = sentinelErrorOf(error);
  const message = replyMessageOf(error) ?? '';
  const ofKind = ofOtherKinds.find(([form]) => form.test(message));
  if (ofKind) return ofKind[1];
  if (ofSentinel === '') return 'its sentinels know no primary of this name';
  if (ofSentinel !== undefined) {
    const isAccess = ['WRONGPASS', 'NOAUTH', 'NOPERM'].includes(reply ?? '');
    const advice = isAccess ? ': check sentinelUsername and sentinelPassword' : '';
    return reply ? `a sentinel replied ${reply}${advice}` : 'none of its sentinels can be reached';
  }
  if (reply) return `it replied ${reply}`;
  if (error instanceof Error && 'lastNodeError' in error) return 'none of its nodes can be reached';
  const { code } = error as NodeJS.ErrnoException;
  if (code) return `it cannot be reached (${code})`;
  return isTimeout(error)
    ? notInTime
    : 'it ends connections, as above its maxclients, in protected mode, or where it expects TLS (rediss://)';
}
