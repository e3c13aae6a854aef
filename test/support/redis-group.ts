/** Several Redis servers as production runs them: replicas with sentinels, and a cluster. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort, startRedis, type TestRedis } from './redis.ts';

/** Time without a reply after which a server counts as down (ms). */
const downAfterMs = 1_000;

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
  stop(): Promise<void>;
}

const hostOf = ({ port }: TestRedis) => `127.0.0.1:${port}`;

async function runOn(
  port: number,
  command: string,
  parameters: readonly (string | number)[],
): Promise<unknown> {
  const client = new Redis({ port, lazyConnect: true, retryStrategy: () => null, commandTimeout: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await client.call(command, ...parameters);
  } finally {
    client.disconnect();
  }
}

/** One primary, `replicas` replicas and three sentinels. `parameters`: for each server. */
export async function startSentinels(replicas = 2, ...more: string[]): Promise<RedisGroup> {
  const parameters = [...atOnce, ...more];
  const name = 'mymaster';
  const first = await startRedis(...parameters);
  const others = Array.from({ length: replicas }, () =>
    startRedis('--replicaof', '127.0.0.1', String(first.port), ...parameters),
  );
  const nodes = [first, ...(await Promise.all(others))];
  const run: RedisGroup['run'] = ({ port }, command, ...rest) => runOn(port, command, rest);
  await eventually(async () => {
    expectText(await run(first, 'INFO', 'replication'), new RegExp(`connected_slaves:${replicas}\\b`));
    for (const node of nodes.slice(1)) expectText(await run(node, 'INFO', 'replication'), /link_status:up/);
  });
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(name, first.port)));
  const ask = (...rest: string[]) => runOn(sentinels[0]?.port as number, 'SENTINEL', rest);
  await eventually(async () => {
    for (const { port } of sentinels) {
      const master = ((await runOn(port, 'SENTINEL', ['MASTER', name])) as string[]).join(' ');
      expectText(master, new RegExp(`num-slaves ${replicas} num-other-sentinels 2\\b`));
    }
  });

  async function primary(): Promise<TestRedis> {
    const [, port] = (await ask('GET-MASTER-ADDR-BY-NAME', name)) as string[];
    return nodes.find((node) => node.port === Number(port)) as TestRedis;
  }

  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${name}`,
    nodes,
    run,
    primary,
    async failover() {
      const before = await primary();
      await ask('FAILOVER', name);
      await eventually(async () => {
        if ((await primary()) === before) throw new Error('no failover yet');
      });
    },
    async stop() {
      for (const { child } of sentinels) child.kill('SIGKILL');
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

async function startSentinel(
  name: string,
  primaryPort: number,
): Promise<{ port: number; child: ChildProcess }> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'sentinel-'));
  const file = join(folder, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor ${name} 127.0.0.1 ${primaryPort} 2`,
    `sentinel down-after-milliseconds ${name} ${downAfterMs}`,
    `sentinel failover-timeout ${name} 4000`,
  ];
  writeFileSync(file, lines.join('\n'));
  const child = spawn('redis-server', [file, '--sentinel']);
  await lineOf(child, '+monitor');
  return { port, child };
}

async function lineOf(child: ChildProcess, text: string): Promise<void> {
  const lines = createInterface(child.stdout as NodeJS.ReadableStream);
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.includes(text) && resolve());
    once(child, 'exit').then(() => reject(new Error('redis-server ended')), reject);
  });
}

/** A node of a cluster that has not formed yet. Tried again when another process has taken a port meanwhile. */
async function startMember(
  parameters: readonly string[],
  tries = 3,
): Promise<{ busPort: number; node: TestRedis }> {
  const busPort = await freePort();
  const options = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(downAfterMs)];
  try {
    const node = await startRedis(...options, '--cluster-port', String(busPort), ...atOnce, ...parameters);
    return { busPort, node };
  } catch (error) {
    if (tries === 1) throw error;
    return await startMember(parameters, tries - 1);
  }
}

/** Three primaries with a replica each. `parameters`: for each server. */
export async function startCluster(...parameters: string[]): Promise<RedisGroup> {
  const started = Array.from({ length: 6 }, () => startMember(parameters));
  const members = await Promise.all(started);
  const nodes = members.map(({ node }) => node);
  const run: RedisGroup['run'] = ({ port }, command, ...rest) => runOn(port, command, rest);
  const [first] = nodes as [TestRedis];
  const ranges = [
    [0, 5_460],
    [5_461, 10_922],
    [10_923, 16_383],
  ] as const;
  for (const [index, node] of nodes.entries()) {
    await run(node, 'CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
    if (ranges[index]) await run(node, 'CLUSTER', 'ADDSLOTSRANGE', ...ranges[index]);
  }
  for (const { node, busPort } of members.slice(1)) {
    await run(first, 'CLUSTER', 'MEET', '127.0.0.1', node.port, busPort);
  }
  const lines = async (node: TestRedis) =>
    String(await run(node, 'CLUSTER', 'NODES'))
      .trim()
      .split('\n');
  const isJoined = (line: string) => line.includes(' connected') && !line.includes('handshake');
  await eventually(async () => {
    for (const node of nodes) {
      if ((await lines(node)).filter(isJoined).length < nodes.length) throw new Error('not joined');
    }
  });
  for (const [index, node] of nodes.slice(3).entries()) {
    await run(node, 'CLUSTER', 'REPLICATE', String(await run(nodes[index] as TestRedis, 'CLUSTER', 'MYID')));
  }
  await eventually(async () => {
    for (const node of nodes) {
      expectText(await run(node, 'CLUSTER', 'INFO'), /cluster_state:ok/);
      if ((await lines(node)).filter((line) => line.includes('slave')).length < 3)
        throw new Error('no replicas');
    }
    for (const node of nodes.slice(3)) expectText(await run(node, 'INFO', 'replication'), /link_status:up/);
  });

  /** The nodes of the shard that holds the key: the primary first. */
  async function shardOf(key: string): Promise<TestRedis[]> {
    const errors: unknown[] = [];
    for (const node of nodes) {
      try {
        const slot = Number(await run(node, 'CLUSTER', 'KEYSLOT', key));
        const slots = (await run(node, 'CLUSTER', 'SLOTS')) as [number, number, ...[string, number][]][];
        const [, , ...members] = slots.find(([from, to]) => from <= slot && slot <= to) ?? [0, 0];
        const ports = members.map(([, port]) => port);
        return ports.map((port) => nodes.find((member) => member.port === port) as TestRedis);
      } catch (error) {
        errors.push(error);
      }
    }
    throw new AggregateError(errors);
  }
  const primary = async (key = '') => (await shardOf(key))[0] as TestRedis;

  return {
    url: `redis+cluster://${nodes.slice(0, 2).map(hostOf).join(',')}`,
    nodes,
    run,
    primary,
    async failover(key = '') {
      const [before, replica] = (await shardOf(key)) as [TestRedis, TestRedis];
      await run(replica, 'CLUSTER', 'FAILOVER');
      await eventually(async () => {
        if ((await primary(key)) === before) throw new Error('no failover yet');
      });
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

function expectText(text: unknown, pattern: RegExp): void {
  if (!pattern.test(String(text))) throw new Error(`no ${pattern} in ${text}`);
}

/** Repeats a check until it does not reject, for at most a minute. Also used outside of vitest. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const until = performance.now() + 60_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(50);
    }
  }
}
