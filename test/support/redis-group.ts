/** Several Redis servers as production runs them: what a group with sentinels and a cluster have in common. */
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import type { TestNetwork } from './network.ts';
import { startRedis, type TestRedis } from './redis.ts';

/** Time without a reply after which a server counts as down (ms). */
export const downAfterMs = 1_000;

/** A replica that connects is sent the data without waiting for others. */
const atOnce = ['--repl-diskless-sync-delay', '0'];

export interface RedisGroup {
  /** The value of REDIS_URL. */
  readonly url: string;
  readonly nodes: readonly TestRedis[];
  /** Runs a command on one node. */
  run(node: TestRedis, command: string, ...parameters: (string | number)[]): Promise<unknown>;
  /** The present primary; of a cluster the one that holds the key. */
  primary(key?: string): Promise<TestRedis>;
  /** Demotes the present primary in an orderly way. */
  failover(key?: string): Promise<void>;
  close(): Promise<void>;
}

export interface GroupOptions {
  /** For each server. */
  readonly parameters?: readonly string[];
  /** The network through which the servers are reached: server n has the name `node-n`, the sentinels `sentinels`. */
  readonly network?: TestNetwork;
}

/** The address from which a server or the sentinels connect in a network. */
export const addressOf = (index: number | 'sentinels') =>
  `127.0.0.${index === 'sentinels' ? 10 : 11 + index}`;

/** Who connects from which address in the network of a group of `count` servers. */
export function addressesOf(count: number): Record<string, string> {
  const nodes = Array.from({ length: count }, (_, index) => [addressOf(index), `node-${index}`]);
  return { [addressOf('sentinels')]: 'sentinels', ...Object.fromEntries(nodes) };
}

/** A server, and the port at which the others reach it. */
export interface Member {
  readonly node: TestRedis;
  readonly port: number;
}

/** `announce`: the parameters by which the server announces this port. */
export async function startMember(
  index: number,
  { network, parameters = [] }: GroupOptions,
  announce: (port: number) => string[],
  ...more: string[]
): Promise<Member> {
  const all = [...atOnce, ...parameters, ...more];
  if (!network) {
    const node = await startRedis(...all);
    return { node, port: node.port };
  }
  const { port, leadTo } = await network.open(`node-${index}`);
  const node = await startRedis(...all, '--bind-source-addr', addressOf(index), ...announce(port));
  leadTo(node.port);
  return { node, port };
}

/** The prefix of REDIS_URL, and how commands are run on the port of a server. */
export function clientsOf({ parameters = [] }: GroupOptions) {
  const authority = parameters[parameters.indexOf('--tls-ca-cert-file') + 1];
  const isTls = parameters.includes('--tls-ca-cert-file');
  async function runOn(port: number, command: string, ...rest: (string | number)[]): Promise<unknown> {
    const tls = isTls && { tls: { ca: readFileSync(authority as string) } };
    const client = new Redis({
      port,
      lazyConnect: true,
      retryStrategy: () => null,
      commandTimeout: 2_000,
      ...tls,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.call(command, ...rest);
    } finally {
      client.disconnect();
    }
  }
  return { scheme: isTls ? 'rediss' : 'redis', isTls, runOn };
}

export function expectText(text: unknown, pattern: RegExp): void {
  if (!pattern.test(String(text))) throw new Error(`no ${pattern} in ${text}`);
}
