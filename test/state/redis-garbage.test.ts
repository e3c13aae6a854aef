/** Replies that no command awaits, or that cannot be read: the connection is replaced, and no command is answered with them. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseRedisAddress, type RedisAddress } from '../../src/config/redis-address.ts';
import { createRateLimit } from '../../src/shares/rate-limit.ts';
import { createFleetPollBudget } from '../../src/state/fleet-poll-budget.ts';
import { createFleetCounter } from '../../src/state/fleet-rate-limit.ts';
import { createFleetSecrets } from '../../src/state/fleet-secrets.ts';
import { connectRedis, type SharedRedis } from '../../src/state/redis.ts';
import { createRedisWatchBus } from '../../src/state/redis-watch-bus.ts';
import { createSecretCheck } from '../../src/state/secret-check.ts';
import { startFakeRedis } from '../support/fake-redis.ts';
import { keyed, lane, redisLedger } from '../support/ledgers.ts';
import { forTest, redisForFile } from '../support/lifetimes.ts';
import { fleetKeys, hasRedis, silentLog, startSlowRedis } from '../support/redis.ts';
import { holder } from '../support/shares.ts';

type Fake = Awaited<ReturnType<typeof startFakeRedis>>;

const addresses = {
  server: ({ port }: Fake) => `redis://127.0.0.1:${port}`,
  sentinel: ({ port }: Fake) => `redis+sentinel://127.0.0.1:${port}/mymaster`,
  cluster: ({ port }: Fake) => `redis+cluster://127.0.0.1:${port}`,
};

const connect = async (fake: Fake, kind: keyof typeof addresses) =>
  forTest(await connectRedis(parseRedisAddress(addresses[kind](fake)) as RedisAddress, silentLog));

/** Null, OK, an error, a list that is too long, a list in a list, and an HTTP response. */
const garbage = [
  ...['$-1\r\n', '+OK\r\n', '-ERR x\r\n', '*99999999999\r\n', '*1\r\n*1\r\n:1\r\n'],
  'HTTP/1.1 400 Bad Request\r\n\r\n',
];

it.each([
  ['to a server', 'server', 'publish'],
  ['to the primary behind sentinels', 'sentinel', 'publish'],
  ['to a node of a cluster', 'cluster', 'spublish'],
  ['for the channels of a server', 'server', 'subscribe'],
  ['for the channels of a primary behind sentinels', 'sentinel', 'subscribe'],
  ['for the channels of a node of a cluster', 'cluster', 'ssubscribe'],
] as const)(
  'a connection %s is made again each time that Redis sends on it what no command waits for',
  async (_which, kind, command) => {
    const fake = forTest(await startFakeRedis());
    const shared = await connect(fake, kind);
    shared.listen('channel', { onMessage() {}, onSubscribed() {} });
    const those = () => fake.connections.filter(({ commands }) => commands.includes(command));
    await expect.poll(those).toHaveLength(1);
    for (const [index, bytes] of garbage.entries()) {
      await expect.poll(() => shared.commands.get('key').catch(String)).toBe('OK');
      those().at(-1)?.socket.write(bytes);
      await expect.poll(() => those().length, { message: bytes }).toBe(index + 2);
    }
  },
);

/** Another reply than usual for the first two times: on the connections for commands and for channels. */
function atFirst(command: string, reply: Buffer | null | readonly (string | null)[]) {
  let times = 0;
  return (name: string, [subcommand = '']: readonly string[]) => {
    if (`${name} ${subcommand}`.toLowerCase().trim() !== command || times === 2) return undefined;
    times += 1;
    return reply;
  };
}

describe('a gateway connects to Redis', () => {
  const replies = (shared: SharedRedis) => shared.commands.get('key').catch(String);

  it.each([
    ['a null in the list of slots', '*1\r\n$-1\r\n'],
    ['null instead of a list of slots', '$-1\r\n'],
    ['a range of slots without nodes', '*1\r\n*3\r\n:0\r\n:16383\r\n$-1\r\n'],
    ['a range of slots without end', '*1\r\n*2\r\n:0\r\n:9007199254740991\r\n'],
    ['a list of slots that is too long', '*99999999999\r\n'],
  ])('after %s', async (_what, slots) => {
    const fake = forTest(await startFakeRedis(atFirst('cluster slots', Buffer.from(slots))));
    const shared = await connect(fake, 'cluster');
    await expect.poll(() => replies(shared)).toBe('OK');
  });

  it.each([
    ['an address without a port', ['127.0.0.1', 'none']],
    ['an address without a host', [null, '6379']],
    ['null instead of an address', null],
    ['an address that cannot be read', Buffer.from('*99999999999\r\n')],
    ['its address, and Redis null to INFO', null, 'info'],
  ])(
    'after a sentinel has replied %s',
    async (_what, reply, command = 'sentinel get-master-addr-by-name') => {
      const fake = forTest(await startFakeRedis(atFirst(command, reply)));
      const shared = await connect(fake, 'sentinel');
      await expect.poll(() => replies(shared)).toBe('OK');
    },
  );

  it('of a server only with its database: it is lost while it refuses to select that', async () => {
    let isRefused = true;
    const refusal = Buffer.from('-ERR DB index is out of range\r\n');
    const fake = forTest(
      await startFakeRedis((name) => (name === 'select' && isRefused ? refusal : undefined)),
    );
    const address = { kind: 'server', url: `redis://127.0.0.1:${fake.port}/7` } as const;
    const shared = forTest(await connectRedis(address, silentLog));
    await expect.poll(() => fake.connections.length).toBeGreaterThan(4);
    const names = () => fake.connections.flatMap(({ commands }) => commands);
    expect(names()).not.toContain('publish');
    isRefused = false;
    await expect.poll(() => replies(shared)).toBe('OK');
  });

  it('again when the reply to a subscription cannot be read', async () => {
    const fake = forTest(await startFakeRedis(atFirst('subscribe channel', null)));
    const shared = await connect(fake, 'server');
    const onSubscribed = vi.fn();
    shared.listen('channel', { onMessage() {}, onSubscribed });
    await expect.poll(() => onSubscribed).toHaveBeenCalled();
  });
});

const redis = await redisForFile();

describe.skipIf(!hasRedis())('a reply that comes before that of a command in progress', () => {
  /** Replies of all kinds of commands. */
  const unasked = [
    ['null', '$-1\r\n'],
    ['an error', '-ERR x\r\n'],
    ['an empty list', '*0\r\n'],
    ['the reply to another script', `*2\r\n$36\r\n${crypto.randomUUID()}\r\n*0\r\n`],
  ] as const;
  const refusal = { code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE', retryable: true };

  async function ledgerWith(replicas = 0) {
    await redis.client.flushall();
    const slow = forTest(await startSlowRedis(redis));
    const { connection, ledger } = await redisLedger(slow.url, 60_000, 10_000, replicas);
    onTestFinished(connection.close);
    await expect.poll(() => connection.isLost()).toBe(false);
    /** Sends the reply after the command was sent, and before its own. */
    async function before(command: Promise<unknown>, bytes: string): Promise<void> {
      command.catch(() => {});
      await slow.waiting();
      slow.send(bytes);
      await new Promise(setImmediate);
      slow.release();
    }
    return { slow, connection, ledger, before };
  }

  it.each(unasked)(
    '%s reserves no key, so that nothing is sent, and says nothing about one',
    async (_what, bytes) => {
      const { slow, ledger, before } = await ledgerWith();
      await ledger.runOnce(keyed('earlier'), async () => 'done');
      slow.hold();
      const send = vi.fn(async () => 'sent');
      const write = ledger.runOnce(keyed('key'), send);
      await before(write, bytes);
      await expect(write).rejects.toMatchObject(refusal);
      expect(send).not.toHaveBeenCalled();
      await expect.poll(() => ledger.runOnce(keyed('key'), send).catch(({ code }) => code)).toBe('sent');
      expect(await ledger.runOnce(keyed('key'), send)).toBe('sent');
      expect(send).toHaveBeenCalledOnce();
      slow.hold();
      const found = ledger.find(keyed('key'));
      await before(found, bytes);
      await expect(found).rejects.toMatchObject(refusal);
    },
  );

  it('is not taken for that of a stored outcome: one that Redis has refused is stored afterwards', async () => {
    const { slow, ledger, before } = await ledgerWith();
    const write = ledger.runOnce(keyed('key'), async () => {
      await redis.client.config('SET', 'min-replicas-to-write', '1');
      slow.holdCommands();
      return 'sent';
    });
    await before(write, ':1\r\n');
    expect(await write).toBe('sent');
    await redis.client.config('SET', 'min-replicas-to-write', '0');
    await expect.poll(() => ledger.find(keyed('key')).catch(() => {})).toMatchObject({ value: 'sent' });
  });

  it('is not an acknowledgement of replicas', async () => {
    const { slow, ledger, before } = await ledgerWith(1);
    const send = vi.fn();
    await expect(ledger.runOnce(keyed('earlier'), send)).rejects.toMatchObject(refusal);
    slow.hold();
    const write = ledger.runOnce(keyed('key'), send);
    await slow.waiting();
    slow.release();
    slow.hold();
    await before(write, ':1\r\n');
    await expect(write).rejects.toMatchObject(refusal);
    expect(send).not.toHaveBeenCalled();
  });

  it('grants no lease, no polls and no refusal of operations', async () => {
    const { slow, connection, before } = await ledgerWith();
    const channel = createRedisWatchBus(connection, fleetKeys).join(lane, 'topic', () => {});
    const budget = createFleetPollBudget(connection, 'folio:polls', 10);
    const limit = createRateLimit(5, { has: () => true }, createFleetCounter(connection, silentLog));
    const cases = [
      [() => channel.lease(10_000), 'unreachable'],
      [() => budget.take(5, 1), undefined],
      [() => limit.count(holder('owner')), undefined],
    ] as const;
    for (const [ask, result] of cases) {
      await expect.poll(() => connection.isLost()).toBe(false);
      slow.hold();
      const asked = Promise.resolve(ask());
      await before(asked, '*2\r\n:1000000\r\n:60000\r\n');
      expect(await asked).toBe(result);
    }
  });

  it('shifts the replies of no other command in progress: each key is sent once at most, and has its own outcome', async () => {
    const { slow, ledger, before } = await ledgerWith();
    const sent: string[] = [];
    const run = (key: string) =>
      ledger.runOnce(keyed(key), async () => {
        sent.push(key);
        return key;
      });
    const keys = Array.from({ length: 60 }, (_, index) => `key ${index}`);
    for (const key of keys.slice(0, 30)) await run(key);
    slow.hold();
    const writes = keys.map((key) => run(key).catch(({ code }) => code));
    await before(writes[0] as Promise<unknown>, '*0\r\n');
    const results = await Promise.all(writes);
    for (const [index, key] of keys.entries())
      expect([key, 'UPSTREAM_UNAVAILABLE']).toContain(results[index]);
    expect(new Set(sent).size).toBe(sent.length);
    for (const key of keys) await expect.poll(() => run(key).catch(({ code }) => code)).toBe(key);
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent).toHaveLength(keys.length);
  });
});

it.each([
  ['nothing', null],
  ['words', ['many', 'soon']],
  ['too few numbers', [1]],
])('each gateway counts and polls by itself where Redis counts %s', async (_what, result) => {
  const reply = (name: string, parameters: readonly string[]) =>
    name === 'eval' ? [parameters.at(-1) as string, result] : undefined;
  const shared = await connect(forTest(await startFakeRedis(reply)), 'server');
  await expect.poll(() => shared.isLost()).toBe(false);
  expect(await createFleetPollBudget(shared, 'folio:polls', 10).take(5, 1)).toBeUndefined();
  const limit = createRateLimit(1, { has: () => true }, createFleetCounter(shared, silentLog));
  await limit.count(holder('owner'));
  await expect(limit.count(holder('owner'))).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

it.skipIf(!hasRedis())(
  'secrets of gateways are compared without the large texts that another program adds',
  async () => {
    const shared = forTest(await connectRedis({ kind: 'server', url: redis.url }, silentLog));
    const secrets = createFleetSecrets({ current: 'a', former: undefined });
    const check = createSecretCheck(shared, secrets, silentLog);
    // A busy machine exceeds the half second of a command.
    const outcome = async () => {
      await redis.client.zadd('folio:secrets', Math.floor(Date.now() / 1_000), Buffer.alloc(17_000_000, 'x'));
      return await check().then(() => 'compared', String);
    };
    await expect.poll(outcome).toBe('compared');
  },
);
