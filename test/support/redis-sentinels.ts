/** A Redis primary with replicas, and three sentinels that watch them. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePort, printed, type TestRedis } from './redis.ts';
import {
  addressOf,
  clientsOf,
  downAfterMs,
  expectText,
  type GroupOptions,
  type RedisGroup,
  startMember,
} from './redis-group.ts';

const name = 'mymaster';

const announce = (port: number) =>
  `--replica-announce-ip 127.0.0.1 --replica-announce-port ${port}`.split(' ');

/** One primary, `replicas` replicas and three sentinels. */
export async function startSentinels(replicas = 2, options: GroupOptions = {}): Promise<RedisGroup> {
  const { runOn, scheme } = clientsOf(options);
  const first = await startMember(0, options, announce);
  const others = Array.from({ length: replicas }, (_, index) =>
    startMember(index + 1, options, announce, '--replicaof', '127.0.0.1', String(first.port)),
  );
  const members = [first, ...(await Promise.all(others))];
  const nodes = members.map(({ node }) => node);
  const run: RedisGroup['run'] = ({ port }, command, ...rest) => runOn(port, command, ...rest);
  await eventually(async () => {
    expectText(await run(first.node, 'INFO', 'replication'), new RegExp(`connected_slaves:${replicas}\\b`));
    for (const node of nodes.slice(1)) expectText(await run(node, 'INFO', 'replication'), /link_status:up/);
  });
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(first.port, options)));
  const ask = (...rest: string[]) => runOn(sentinels[0]?.port as number, 'SENTINEL', ...rest);
  await eventually(async () => {
    for (const { port } of sentinels) {
      const master = ((await runOn(port, 'SENTINEL', 'MASTER', name)) as string[]).join(' ');
      expectText(master, new RegExp(`num-slaves ${replicas} num-other-sentinels 2\\b`));
    }
  });

  async function primary(): Promise<TestRedis> {
    const [, port] = (await ask('GET-MASTER-ADDR-BY-NAME', name)) as string[];
    return members.find((member) => member.port === Number(port))?.node as TestRedis;
  }

  return {
    url: `${scheme}+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${name}`,
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
    async close() {
      for (const { stop } of sentinels) stop();
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
}

async function startSentinel(primaryPort: number, options: GroupOptions) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'sentinel-'));
  const file = join(folder, 'sentinel.conf');
  const { isTls } = clientsOf(options);
  // The parameters of the servers for TLS are those of the sentinels too.
  const tls = (options.parameters ?? []).join(' ').match(/tls-\S+ [^\s-]\S*/g) ?? [];
  const lines = [
    ...(isTls ? ['port 0', `tls-port ${port}`, ...tls] : [`port ${port}`]),
    'bind 127.0.0.1',
    `dir ${folder}`,
    ...(options.network ? [`bind-source-addr ${addressOf('sentinels')}`] : []),
    'sentinel announce-ip 127.0.0.1',
    `sentinel announce-port ${port}`,
    `sentinel monitor ${name} 127.0.0.1 ${primaryPort} 2`,
    `sentinel down-after-milliseconds ${name} ${downAfterMs}`,
    `sentinel failover-timeout ${name} 4000`,
  ];
  writeFileSync(file, lines.join('\n'));
  const child = spawn('redis-server', [file, '--sentinel']);
  await printed(child, '+monitor');
  const stop = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  };
  return { port, stop };
}
