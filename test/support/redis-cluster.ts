/** A Redis Cluster of three primaries with a replica each. */
import { eventually } from './eventually.ts';
import { freePort, type TestRedis } from './redis.ts';
import {
  clientsOf,
  downAfterMs,
  expectText,
  type GroupOptions,
  type Member,
  type RedisGroup,
  startMember,
} from './redis-group.ts';

const slotRanges = [
  [0, 5_460],
  [5_461, 10_922],
  [10_923, 16_383],
] as const;

interface ClusterMember extends Member {
  /** The port at which the other nodes reach its bus. */
  readonly busPort: number;
}

/** A node of a cluster that has not formed yet. Tried again when another process has taken a port meanwhile. */
async function startClusterMember(index: number, options: GroupOptions, tries = 3): Promise<ClusterMember> {
  const realBusPort = await freePort();
  const bus = await options.network?.open(`node-${index}`);
  bus?.leadTo(realBusPort);
  const busPort = bus?.port ?? realBusPort;
  const { isTls } = clientsOf(options);
  const announce = (port: number) => [
    ...['--cluster-announce-ip', '127.0.0.1', '--cluster-announce-port', String(port)],
    ...['--cluster-announce-bus-port', String(busPort)],
  ];
  const parameters = [
    ...['--cluster-enabled', 'yes', '--cluster-node-timeout', String(downAfterMs)],
    ...['--cluster-port', String(realBusPort), ...(isTls ? ['--tls-cluster', 'yes'] : [])],
  ];
  try {
    return { ...(await startMember(index, options, announce, ...parameters)), busPort };
  } catch (error) {
    if (tries === 1) throw error;
    return await startClusterMember(index, options, tries - 1);
  }
}

/** Makes a cluster of its nodes. Resolves when each shard has a replica that is in sync. */
async function formCluster(members: readonly ClusterMember[], run: RedisGroup['run']): Promise<void> {
  const nodes = members.map(({ node }) => node);
  const [first] = nodes as [TestRedis];
  for (const [index, node] of nodes.entries()) {
    await run(node, 'CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
    if (slotRanges[index]) await run(node, 'CLUSTER', 'ADDSLOTSRANGE', ...slotRanges[index]);
  }
  for (const { port, busPort } of members.slice(1)) {
    await run(first, 'CLUSTER', 'MEET', '127.0.0.1', port, busPort);
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
    // A primary that did not respond for a moment may have become the replica of its shard.
    const replication = await Promise.all(nodes.map((node) => run(node, 'INFO', 'replication')));
    if (replication.filter((text) => String(text).includes('master_link_status:up')).length < 3)
      throw new Error('a replica is not in sync');
  });
}

/** Three primaries with a replica each. */
export async function startCluster(options: GroupOptions = {}): Promise<RedisGroup> {
  const { runOn, scheme } = clientsOf(options);
  const run: RedisGroup['run'] = ({ port }, command, ...rest) => runOn(port, command, ...rest);
  const members = await Promise.all(
    Array.from({ length: 6 }, (_, index) => startClusterMember(index, options)),
  );
  const nodes = members.map(({ node }) => node);
  const close = async () => {
    await Promise.all(nodes.map((node) => node.close()));
  };
  try {
    await formCluster(members, run);
  } catch (error) {
    await close();
    throw error;
  }

  /** The nodes of the shard that holds the key: the primary first. */
  async function shardOf(key: string): Promise<TestRedis[]> {
    const errors: unknown[] = [];
    for (const node of nodes) {
      try {
        const slot = Number(await run(node, 'CLUSTER', 'KEYSLOT', key));
        const slots = (await run(node, 'CLUSTER', 'SLOTS')) as [number, number, ...[string, number][]][];
        const [, , ...shard] = slots.find(([from, to]) => from <= slot && slot <= to) ?? [0, 0];
        const ports = shard.map(([, port]) => port);
        return ports.map((port) => members.find((member) => member.port === port)?.node as TestRedis);
      } catch (error) {
        errors.push(error);
      }
    }
    throw new AggregateError(errors);
  }
  const primary = async (key = '') => (await shardOf(key))[0] as TestRedis;

  return {
    url: `${scheme}+cluster://${members
      .slice(0, 2)
      .map(({ port }) => `127.0.0.1:${port}`)
      .join(',')}`,
    nodes,
    run,
    primary,
    async failover(key = '') {
      const before = await eventually(async () => {
        const [primary, replica] = await shardOf(key);
        if (!primary || !replica) throw new Error('no replica is known yet');
        await run(replica, 'CLUSTER', 'FAILOVER');
        return primary;
      });
      await eventually(async () => {
        if ((await primary(key)) === before) throw new Error('no failover yet');
      });
    },
    close,
  };
}
