/** The faults of a history: killed, paused and cut-off gateways and Redis servers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './history.ts';
import type { TestNetwork } from './network.ts';
import type { GatewayProcess } from './process.ts';
import type { Random } from './random.ts';
import type { RedisGroup } from './redis-group.ts';

/** What is attacked, and for how long. */
export interface Attack {
  readonly group: RedisGroup;
  readonly network: TestNetwork;
  /** Each with the name of its process. A killed one is replaced. */
  readonly gateways: (GatewayProcess & { readonly name: string })[];
  readonly restart: (index: number) => Promise<void>;
  readonly faults: Fault[];
  readonly isOver: () => boolean;
}

/** Longer than the lease of a reservation (10 s). */
const longPauseMs = 11_500;

const durationOf = (random: Random) => (random.chance(0.25) ? longPauseMs : 300 + random.below(4_000));

/** Runs one fault after the other, with pauses in which Redis may recover. */
async function repeat({ isOver }: Attack, random: Random, attack: () => Promise<void>): Promise<void> {
  for (;;) {
    await sleep(1_000 + random.below(5_000));
    if (isOver()) return;
    await attack();
  }
}

async function record(
  { faults }: Attack,
  fault: Pick<Fault, 'what' | 'of'> & { isKill?: boolean },
  run: () => Promise<void>,
): Promise<void> {
  const from = performance.now();
  const running = { isKill: false, ...fault, from, to: Number.POSITIVE_INFINITY };
  faults.push(running);
  await run();
  running.to = performance.now();
}

export async function attackRedis(attack: Attack, random: Random): Promise<void> {
  const { group } = attack;
  await repeat(attack, random, async () => {
    const key = `any-${random.below(1_000)}`;
    const any = random.pick(group.nodes);
    const node = random.chance(0.6) ? await group.primary(key).catch(() => any) : any;
    const [fault, ms] = [random.below(4), durationOf(random)];
    if (fault === 0) {
      await record(attack, { what: `kill redis ${node.port} for ${ms} ms`, of: 'redis' }, async () => {
        await node.stop();
        await sleep(ms);
        await node.start();
      });
    } else if (fault === 1) {
      await record(attack, { what: `pause redis ${node.port} for ${ms} ms`, of: 'redis' }, async () => {
        node.freeze();
        await sleep(ms);
        node.thaw();
      });
    } else if (fault === 2) {
      await record(attack, { what: `fill redis ${node.port} for ${ms} ms`, of: 'redis' }, async () => {
        const limit = (bytes: number) => group.run(node, 'CONFIG', 'SET', 'maxmemory', bytes).catch(() => {});
        await limit(1);
        await sleep(ms);
        await limit(0);
      });
    } else {
      await record(attack, { what: 'fail over', of: 'redis' }, async () => {
        await Promise.race([group.failover(key).catch(() => {}), sleep(5_000)]);
      });
    }
  });
}

export async function attackNetwork(attack: Attack, random: Random): Promise<void> {
  const { network, group, gateways } = attack;
  await repeat(attack, random, async () => {
    const primary = group.nodes.indexOf(await group.primary('any').catch(() => random.pick(group.nodes)));
    const node = `node-${random.chance(0.6) ? primary : random.below(group.nodes.length)}`;
    const gateway = `gateway-${random.below(gateways.length)}`;
    const isServer = (name: string) => name.startsWith('node-') || name === 'sentinels';
    const isGateway = (name: string) => name.startsWith('gateway-');
    const cuts: [string, (from: string, to: string) => boolean][] = [
      [`${gateway} from redis`, (from) => from === gateway],
      [`${gateway} from ${node}`, (from, to) => from === gateway && to === node],
      [`all gateways from ${node}`, (from, to) => isGateway(from) && to === node],
      [
        `${node} from the other servers`,
        (from, to) => isServer(from) && (from === node || to === node) && from !== to,
      ],
    ];
    const [[what, isCut], ms] = [random.pick(cuts), durationOf(random)];
    const how = random.chance(0.5) ? 'deliver' : 'reset';
    await record(attack, { what: `cut ${what} for ${ms} ms, then ${how}`, of: 'redis' }, async () => {
      network.cut(isCut);
      await sleep(ms);
      network.heal(how);
    });
  });
}

export async function attackGateways(attack: Attack, random: Random): Promise<void> {
  const { gateways } = attack;
  await repeat(attack, random, async () => {
    const index = random.below(gateways.length);
    const { process, name } = gateways[index] as Attack['gateways'][number];
    const ms = durationOf(random);
    if (random.chance(0.5)) return await replace(attack, index, 'SIGKILL');
    await record(attack, { what: `pause ${name} for ${ms} ms`, of: name }, async () => {
      process.kill('SIGSTOP');
      await sleep(ms);
      process.kill('SIGCONT');
    });
  });
}

async function replace(attack: Attack, index: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const { process, exited, name } = attack.gateways[index] as Attack['gateways'][number];
  const fault = { what: `${signal} of ${name}`, of: name, isKill: signal === 'SIGKILL' };
  await record(attack, fault, async () => {
    process.kill(signal);
    await exited;
    await attack.restart(index);
  });
}

/** Replaces gateways one after the other, as an upgrade does. */
export async function replaceGateways(attack: Attack, random: Random): Promise<void> {
  await repeat(attack, random, () => replace(attack, random.below(attack.gateways.length), 'SIGTERM'));
}
