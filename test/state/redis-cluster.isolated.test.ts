/** What a gateway makes of a Redis Cluster whose slots move. */
import { type Cluster, Redis } from 'ioredis';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseRedisAddress, type RedisAddress } from '../../src/config/redis-address.ts';
import { connectRedis } from '../../src/state/redis.ts';
import { redisProblem } from '../../src/state/redis-check.ts';
import { openPrimaries } from '../../src/state/redis-primaries.ts';
import { createSubscriptions } from '../../src/state/redis-subscriptions.ts';
import { forTest } from '../support/lifetimes.ts';
import { hasRedis, silentLog, type TestRedis } from '../support/redis.ts';
import { startCluster } from '../support/redis-cluster.ts';
import type { RedisGroup } from '../support/redis-group.ts';

describe.skipIf(!hasRedis())('in a cluster', () => {
  let group: RedisGroup;
  beforeAll(async () => {
    group = await startCluster();
    return () => group.close();
  });

  const connect = async (url = group.url) =>
    forTest(await connectRedis(parseRedisAddress(url) as RedisAddress, silentLog));
  const idOf = async (node: TestRedis) => String(await group.run(node, 'CLUSTER', 'MYID'));
  const slotOf = async (key: string) =>
    Number(await group.run(await group.primary(), 'CLUSTER', 'KEYSLOT', key));
  /** Reads the slots. Resolves with an error, if there is one. */
  const refresh = (commands: Redis | Cluster) =>
    new Promise((resolve) => (commands as Cluster).refreshSlotsCache(resolve));

  /** The primaries of two keys: they are two nodes. */
  async function primariesOf(key: string, other: string) {
    const primaries = [await group.primary(key), await group.primary(other)] as const;
    expect(primaries[0]).not.toBe(primaries[1]);
    return primaries;
  }

  async function moveSlot(key: string, from: TestRedis, to: TestRedis): Promise<void> {
    const slot = await slotOf(key);
    for (const node of [to, from]) await group.run(node, 'CLUSTER', 'SETSLOT', slot, 'NODE', await idOf(to));
  }

  it('a channel whose slot another node serves holds up no others, and is included when the slot has moved', async () => {
    const [moving, staying] = ['a', 'b'];
    const [from, to] = await primariesOf(moving, staying);
    const connection = new Redis({ port: to.port });
    onTestFinished(() => connection.disconnect());
    const subscribed: string[] = [];
    const { begin } = createSubscriptions(connection, true, (channels) => subscribed.push(...channels));
    begin(moving);
    await expect
      .poll(() => group.run(to, 'INFO', 'commandstats'))
      .toMatch(/ssubscribe:.*rejected_calls=[1-9]/);
    begin(staying);
    await expect.poll(() => subscribed).toEqual([staying]);
    await group.run(to, 'CLUSTER', 'SETSLOT', await slotOf(moving), 'IMPORTING', await idOf(from));
    await moveSlot(moving, from, to);
    await expect.poll(() => subscribed).toEqual([staying, moving]);
  });

  it('a command for a slot that moves to a node that does not reply fails by itself, without an unhandled rejection', async () => {
    const shared = await connect();
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    const [from, to] = await primariesOf('c', 'd');
    const slot = await slotOf('c');
    await group.run(from, 'CLUSTER', 'SETSLOT', slot, 'MIGRATING', await idOf(to));
    await group.run(to, 'CLIENT', 'PAUSE', 1_200);
    // At the end of the second one, the time of what was sent before the first one is over too.
    for (const _ of [1, 2]) await expect(shared.commands.get('c')).rejects.toThrow('Command timed out');
    await group.run(from, 'CLUSTER', 'SETSLOT', slot, 'STABLE');
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('keys get a primary again only when a slot has moved', async () => {
    const { commands } = await connect();
    const onMove = vi.fn();
    forTest(openPrimaries(parseRedisAddress(group.url) as RedisAddress, commands, { onMove }));
    onMove.mockClear();
    await refresh(commands);
    expect(onMove).not.toHaveBeenCalled();
    await moveSlot('g', ...(await primariesOf('g', 'h')));
    await expect.poll(() => refresh(commands).then(() => onMove.mock.calls.length)).toBeGreaterThan(0);
  });

  it('a channel that begins while a node redirects commands by mistake is subscribed to where it belongs', async () => {
    const { commands, listen } = await connect();
    const { slots } = commands as Cluster;
    const [here] = await primariesOf('i', 'j');
    const [redirected, other] = [slots[await slotOf('i')], slots[await slotOf('j')]];
    // As ioredis does for the whole range when a node redirects a command.
    (redirected as string[])[0] = other?.[0] as string;
    const received: string[] = [];
    listen('i', { onMessage: (bytes) => received.push(String(bytes)), onSubscribed() {} });
    await refresh(commands);
    await expect
      .poll(() => group.run(here, 'SPUBLISH', 'i', 'a message').then(() => received))
      .toContain('a message');
  });

  it('a new connection to one primary is reported', async () => {
    const shared = await connect();
    await expect.poll(() => shared.servers().map(({ status }) => status)).toEqual(Array(3).fill('ready'));
    const listener = vi.fn();
    shared.onReconnect(listener);
    await group.run(await group.primary(), 'CLIENT', 'KILL', 'TYPE', 'normal');
    await expect.poll(() => listener).toHaveBeenCalled();
  });

  it('no timer is left when a gateway closes its connections while it reads the slots', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const shared = await connect();
    vi.advanceTimersByTime(2_000);
    shared.close();
    await expect.poll(() => vi.getTimerCount()).toBe(0);
  });

  it('connections that were made with a password that is removed stay, although no other can be made', async () => {
    const access = (...rules: string[]) =>
      Promise.all(group.nodes.map((node) => group.run(node, 'ACL', 'SETUSER', 'folio', ...rules)));
    await access('on', '>former', '~*', '&*', '+@all');
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const shared = await connect(group.url.replace('//', '//folio:former@'));
    await access('<former');
    vi.advanceTimersByTime(2_000);
    // It may join a read that began with the password.
    await expect.poll(() => refresh(shared.commands)).toBeInstanceOf(Error);
    expect(shared.isLost()).toBe(false);
    expect(await shared.commands.set('key', 'value')).toBe('OK');
  });

  it('a wrong password is reported by its code, in the log and by --check', async () => {
    const address = parseRedisAddress(group.url.replace('://', '://folio:wrong@')) as RedisAddress;
    const warn = vi.spyOn(silentLog, 'warn');
    onTestFinished(() => warn.mockRestore());
    forTest(await connectRedis(address, silentLog));
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ reply: 'WRONGPASS' }), 'redis lost');
    expect(await redisProblem(address, 0)).toBe('it replied WRONGPASS');
  });

  it('all nodes are lost when all have ended, also while no command is sent, and until they are back', async () => {
    const shared = await connect();
    // Replicas are among the nodes once they have received something. Nothing is in flight then.
    for (const server of shared.servers()) await server.publish('a channel', 'a message');
    await expect.poll(() => (shared.commands as Cluster).nodes('slave')).toHaveLength(3);
    await Promise.all(group.nodes.map((node) => node.stop()));
    await expect.poll(() => shared.isLost()).toBe(true);
    await Promise.all(group.nodes.map((node) => node.start()));
    await expect.poll(() => shared.isLost()).toBe(false);
    await expect.poll(() => shared.commands.set('key', 'value').catch(() => {})).toBe('OK');
  });
});
