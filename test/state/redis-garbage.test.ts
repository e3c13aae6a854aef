/** Replies that no command awaits, or that cannot be read: the connection is replaced. */
import { describe, expect, it, vi } from 'vitest';
import { parseRedisAddress, type RedisAddress } from '../../src/config/redis-address.ts';
import { connectRedis } from '../../src/state/redis.ts';
import { startFakeRedis } from '../support/fake-redis.ts';
import { forTest } from '../support/lifetimes.ts';
import { silentLog } from '../support/redis.ts';

type Fake = Awaited<ReturnType<typeof startFakeRedis>>;

const addresses = {
  server: ({ port }: Fake) => `redis://127.0.0.1:${port}`,
  sentinel: ({ port }: Fake) => `redis+sentinel://127.0.0.1:${port}/mymaster`,
  cluster: ({ port }: Fake) => `redis+cluster://127.0.0.1:${port}`,
};

const connect = async (fake: Fake, kind: keyof typeof addresses) =>
  forTest(await connectRedis(parseRedisAddress(addresses[kind](fake)) as RedisAddress, silentLog));

const garbage = [
  ['null', '$-1\r\n'],
  ['OK', '+OK\r\n'],
  ['an error', '-ERR x\r\n'],
  ['a list that is too long', '*99999999999\r\n'],
  ['a list in a list', '*1\r\n*1\r\n:1\r\n'],
  ['an HTTP response', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
] as const;

describe.each(garbage)(
  'a connection on which Redis sends %s and no command waits is made again',
  (_what, bytes) => {
    it.each([
      ['to a server', 'server', 'publish'],
      ['to the primary behind sentinels', 'sentinel', 'publish'],
      ['to a node of a cluster', 'cluster', 'spublish'],
      ['for the channels of a server', 'server', 'subscribe'],
      ['for the channels of a primary behind sentinels', 'sentinel', 'subscribe'],
      ['for the channels of a node of a cluster', 'cluster', 'ssubscribe'],
    ] as const)('%s', async (_which, kind, command) => {
      const fake = forTest(await startFakeRedis());
      const shared = await connect(fake, kind);
      shared.listen('channel', { onMessage() {}, onSubscribed() {} });
      const those = () => fake.connections.filter(({ commands }) => commands.includes(command));
      await expect.poll(those).toHaveLength(1);
      await shared.commands.get('key');
      those()[0]?.socket.write(bytes);
      await expect.poll(() => those().length).toBe(2);
      await expect.poll(() => shared.commands.get('key').catch(String)).toBe('OK');
    });
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
  it.each([
    ['a null in the list of slots', '*1\r\n$-1\r\n'],
    ['null instead of a list of slots', '$-1\r\n'],
    ['a range of slots without nodes', '*1\r\n*3\r\n:0\r\n:16383\r\n$-1\r\n'],
    ['a range of slots without end', '*1\r\n*2\r\n:0\r\n:9007199254740991\r\n'],
    ['a list of slots that is too long', '*99999999999\r\n'],
  ])('after %s', async (_what, slots) => {
    const fake = forTest(await startFakeRedis(atFirst('cluster slots', Buffer.from(slots))));
    const shared = await connect(fake, 'cluster');
    await expect.poll(() => shared.commands.get('key').catch(String)).toBe('OK');
  });

  it.each([
    ['an address without a port', ['127.0.0.1', 'none']],
    ['an address without a host', [null, '6379']],
    ['null instead of an address', null],
    ['an address that cannot be read', Buffer.from('*99999999999\r\n')],
  ])('after a sentinel has replied %s', async (_what, address) => {
    const fake = forTest(await startFakeRedis(atFirst('sentinel get-master-addr-by-name', address)));
    const shared = await connect(fake, 'sentinel');
    await expect.poll(() => shared.commands.get('key').catch(String)).toBe('OK');
  });

  it('behind sentinels when it replies null to INFO', async () => {
    const fake = forTest(await startFakeRedis(atFirst('info', null)));
    const shared = await connect(fake, 'sentinel');
    await expect.poll(() => shared.commands.get('key').catch(String)).toBe('OK');
  });

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
    await expect.poll(() => shared.commands.get('key').catch(String)).toBe('OK');
  });

  it('again when the reply to a subscription cannot be read', async () => {
    const fake = forTest(await startFakeRedis(atFirst('subscribe channel', null)));
    const shared = await connect(fake, 'server');
    const onSubscribed = vi.fn();
    shared.listen('channel', { onMessage() {}, onSubscribed });
    await expect.poll(() => onSubscribed).toHaveBeenCalled();
  });
});
