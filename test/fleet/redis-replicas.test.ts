/** What a keyed write may cost when the primary of Redis is lost before its replicas have everything. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { GatewayError } from '../../src/errors.ts';
import { keyed, owner, type RedisLedger, redisLedger } from '../support/ledgers.ts';
import { forTest } from '../support/lifetimes.ts';
import { startNetwork } from '../support/network.ts';
import {
  commandCalls,
  fleetKeys,
  hasRedis,
  startRedis,
  startSlowRedis,
  type TestRedis,
} from '../support/redis.ts';

describe.skipIf(!hasRedis())('a write with an idempotency key', () => {
  let writes: string[];
  beforeEach(() => {
    writes = [];
  });

  const start = async (...parameters: string[]) => forTest(await startRedis(...parameters));

  async function gateway(
    { url }: Pick<TestRedis, 'url'>,
    replicas = 0,
    leaseMs = 60_000,
  ): Promise<RedisLedger> {
    const opened = await redisLedger(url, 60_000, leaseMs, replicas);
    forTest(opened.connection);
    return opened;
  }

  const info = async ({ connection }: RedisLedger) => String(await connection.commands.info('replication'));

  /** A primary, a replica behind a link that the test can freeze, and a gateway at the primary. */
  async function replicated(replicas: number, leaseMs?: number) {
    const primary = await start('--repl-diskless-sync-delay', '0');
    const link = forTest(await startSlowRedis(primary));
    const { port } = new URL(link.url);
    const replica = await start('--replicaof', '127.0.0.1', port);
    const [first, other] = [await gateway(primary, replicas, leaseMs), await gateway(replica)];
    await expect.poll(() => info(other)).toContain('master_link_status:up');
    await expect.poll(() => info(first)).toContain('state=online');
    if (replicas === 1) {
      await expect.poll(() => send(first, 'warm-up')).toBe('done');
      writes = [];
    }
    return { primary, replica, first, other, link };
  }

  /** Kills the primary and promotes its replica. */
  async function failOver(primary: TestRedis, { connection }: RedisLedger): Promise<void> {
    await primary.stop();
    await connection.commands.call('REPLICAOF', 'NO', 'ONE');
  }

  /** Gives the same server another replication id and no entries, over the same connections. */
  async function becomeAnother({ connection: { commands } }: RedisLedger): Promise<void> {
    await commands.call('REPLICAOF', '127.0.0.1', '1');
    await commands.call('REPLICAOF', 'NO', 'ONE');
    await commands.flushall();
  }

  const send = ({ ledger }: RedisLedger, key: string, write: () => Promise<string> = async () => 'done') =>
    ledger
      .runOnce(keyed(key), async () => {
        writes.push(key);
        return await write();
      })
      .catch(({ code, sideEffect, retryable }: GatewayError) => ({ code, sideEffect, retryable }));

  /** Begins a write, again and again until its replica has confirmed its key in time, which a busy one may not. */
  async function begin(to: RedisLedger, key: string, outcome: Promise<string>) {
    for (;;) {
      const begun = Promise.withResolvers<true>();
      const sender = send(to, key, () => {
        begun.resolve(true);
        return outcome;
      });
      if ((await Promise.race([begun.promise, sender])) === true) return { sender };
    }
  }

  const refused = { code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE', retryable: true };

  it('is refused while its replica is cut off, and sent once after the replica was promoted', async () => {
    const { primary, first, other, link } = await replicated(1);
    link.hold();
    expect(await send(first, 'key')).toEqual(refused);
    expect(writes).toEqual([]);
    await failOver(primary, other);
    expect(await send(other, 'key')).toBe('done');
    expect(writes).toEqual(['key']);
  });

  it('is not found unused at a former primary that is cut off, and leaves nothing in Redis where it is found unused', async () => {
    const { first, other, link } = await replicated(1, 600_000);
    const found = () => first.ledger.find(keyed('key')).catch((error: GatewayError) => error);
    await expect.poll(found).toBeUndefined();
    await expect.poll(() => first.connection.commands.keys('*:lease')).toEqual([]);
    link.hold();
    await other.connection.commands.call('REPLICAOF', 'NO', 'ONE');
    expect(await send(other, 'key')).toBe('done');
    const message = expect.stringContaining('Nothing was sent now.');
    expect(await found()).toMatchObject({ ...refused, message });
  });

  it('is not refused by a frozen replica when none is required, and may be sent twice', async () => {
    const { primary, first, other, link } = await replicated(0);
    link.hold();
    expect(await send(first, 'key')).toBe('done');
    await failOver(primary, other);
    expect(await send(other, 'key')).toBe('done');
    expect(writes).toEqual(['key', 'key']);
  });

  it('that a replica has is not sent again when the primary is killed while it runs', async () => {
    const { primary, first, other } = await replicated(1, 1_000);
    const running = Promise.withResolvers<string>();
    const { sender } = await begin(first, 'key', running.promise);
    expect(writes).toEqual(['key']);
    await failOver(primary, other);
    const unknown = { code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE', retryable: false };
    expect(await send(other, 'key')).toEqual(unknown);
    running.resolve('done');
    expect(await sender).toBe('done');
    expect(writes).toEqual(['key']);
  });

  it('has its outcome stored at a new primary that was cut off for longer than a lease', async () => {
    const leaseMs = 500;
    const { primary, first, link } = await replicated(1, leaseMs);
    const running = Promise.withResolvers<string>();
    const { sender } = await begin(first, 'key', running.promise);
    expect(writes).toEqual(['key']);
    link.hold();
    running.resolve('done');
    expect(await sender).toBe('done');
    // Each lease the gateway asks whether the replica has the outcome by now.
    const reviews = () => commandCalls(primary.client, 'wait');
    const before = await reviews();
    await expect.poll(reviews).toBeGreaterThanOrEqual(before + 2);

    // The primary becomes what its replica is: another replication id, and the reservation without its outcome.
    const third = await gateway(primary);
    const { commands } = third.connection;
    await commands.call('REPLICAOF', '127.0.0.1', '1');
    await commands.call('REPLICAOF', 'NO', 'ONE');
    await commands.hdel(fleetKeys.keyOf('ledger', owner, 'key'), 'digest', 'outcome');
    expect(await send(first, 'new')).toEqual(refused);

    // A review in between meets a replica, which refuses writes: the gateway then restores its entries over a new connection.
    await expect.poll(() => send(third, 'key')).toBe('done');
    expect(writes).toEqual(['key']);
  });

  it('can be used again once the replica is back, after it was refused', async () => {
    const { first, link } = await replicated(1);
    link.hold();
    const sent = await Promise.all(['a', 'b', 'c'].map((key) => send(first, key)));
    expect(sent).toEqual([refused, refused, refused]);
    link.release();
    for (const key of ['a', 'b']) await expect.poll(() => send(first, key)).toBe('done');
    expect(writes).toEqual(['a', 'b']);
  });

  it('is refused after a quarter of a second when fewer replicas than required exist', async () => {
    const { first } = await replicated(2);
    const waits: number[] = [];
    for (const key of ['a', 'b', 'c']) {
      const sentAt = performance.now();
      expect(await send(first, key)).toEqual(refused);
      waits.push(performance.now() - sentAt);
    }
    expect(writes).toEqual([]);
    const shortest = Math.min(...waits);
    expect(shortest).toBeGreaterThan(240);
    // Without a reply the command would fail after a second.
    expect(shortest).toBeLessThan(900);
  });

  it('is sent at the new primary of an address, though the demoted server keeps its connections', async () => {
    const network = forTest(startNetwork({}));
    const { port, leadTo } = await network.open('managed service');
    const server = await start('--repl-diskless-sync-delay', '0');
    leadTo(server.port);
    const opened = await gateway({ url: `redis://127.0.0.1:${port}` });
    expect(await send(opened, 'before')).toBe('done');
    const replica = await start('--replicaof', '127.0.0.1', String(server.port));
    const [old, promoted] = [await gateway(server), await gateway(replica)];
    await expect.poll(() => info(promoted)).toContain('master_link_status:up');

    await promoted.connection.commands.call('REPLICAOF', 'NO', 'ONE');
    await old.connection.commands.call('REPLICAOF', '127.0.0.1', String(replica.port));
    leadTo(replica.port);
    await expect.poll(() => send(opened, 'after')).toBe('done');
    expect(await send(opened, 'before')).toBe('done');
    expect(writes).toEqual(['before', 'after']);
  });

  it('that a new primary does not know is restored by its gateway before that says what became of a write', async () => {
    const server = await start();
    const [first, other] = [await gateway(server), await gateway(server)];
    expect(await send(first, 'ended')).toBe('done');
    const running = Promise.withResolvers<string>();
    const sender = send(first, 'running', () => running.promise);
    await expect.poll(() => writes).toHaveLength(2);

    await becomeAnother(other);

    expect(await first.ledger.find(keyed('ended'))).toEqual({ state: 'done', value: 'done' });
    expect(await send(other, 'ended')).toBe('done');
    const joined = send(other, 'running');
    running.resolve('done');
    expect(await Promise.all([sender, joined])).toEqual(['done', 'done']);
    expect(writes).toEqual(['ended', 'running']);
  });

  it('is restored at a second new primary too, while its restoration at the first one has not ended', async () => {
    const server = await start();
    const [first, other] = [await gateway(server), await gateway(server)];
    expect(await send(first, 'ended')).toBe('done');
    await becomeAnother(other);

    const { commands } = first.connection;
    const run = commands.callBuffer.bind(commands);
    const [restored, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    vi.spyOn(commands, 'callBuffer')
      .mockImplementationOnce(run)
      .mockImplementationOnce(async (...restoration) => {
        const reply = await run(...restoration);
        restored.resolve();
        await asked.promise;
        return reply;
      })
      .mockImplementationOnce(async (...question) => {
        const reply = await run(...question);
        setImmediate(asked.resolve);
        return reply;
      });
    const found = first.ledger.find(keyed('ended'));
    await restored.promise;
    await becomeAnother(other);
    const foundAgain = first.ledger.find(keyed('ended'));
    const done = { state: 'done', value: 'done' };
    expect(await Promise.all([found, foundAgain])).toEqual([done, done]);
  });
});
