import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSealedBox } from '../../src/state/sealed-box.ts';
import { alice, readinessOf } from '../support/gateway.ts';
import { gatewayWith, redisForFile } from '../support/lifetimes.ts';
import { bytesSent, fleetOf, fleetSecret, hasRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';
import { cpuClock } from '../support/work.ts';

const redis = await redisForFile();
const { client } = redis;
const { service, gateway } = await gatewayWith(fleetOf(redis));

describe.skipIf(!hasRedis())('a value that a gateway stores in Redis', () => {
  beforeEach(() => client.flushall());

  const create = async (key: string, name: string, headers: Record<string, string>) => {
    service.will(does.json(200, { createGroup: { id: 7, name } }));
    const query = `mutation ($k: String!, $n: String) {
      createGroup(input: { name: $n, idempotencyKey: $k }) { ... on Group { name } }
    }`;
    for (;;) {
      const result = await gateway.ask(query, { k: key, n: name }, headers);
      // A busy machine exceeds the half second of a Redis command. Then nothing was sent.
      if (result.errors?.[0]?.extensions['code'] !== 'UPSTREAM_UNAVAILABLE') return result;
    }
  };

  /** Runs a write with a new key. Returns the key and the name of its entry in Redis. */
  async function written(name: string, headers: Record<string, string>) {
    const before = new Set(await client.keys('folio:ledger:*'));
    const key = randomUUID();
    expect((await create(key, name, headers)).data.createGroup).toEqual({ name });
    const [entry = ''] = (await client.keys('folio:ledger:*')).filter((found) => !before.has(found));
    return { key, entry };
  }

  const unknown = { code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE', retryable: false };

  it('cannot be copied in Redis to become the outcome of another key', async () => {
    const victim = await written('PRIVATE', alice);
    const own = await written('own', alice);
    const stolen = await client.hgetBuffer(victim.entry, 'outcome');
    await client.hset(own.entry, 'outcome', stolen as Buffer);
    const { data, errors } = await create(own.key, 'own', alice);
    expect(JSON.stringify([data, errors])).not.toContain('PRIVATE');
    expect(errors?.[0]?.extensions).toMatchObject(unknown);
    expect(service.received).toHaveLength(2);
  });

  it('cannot be given to another token of the same API key with its whole entry', async () => {
    const renewed = { ...alice, authorization: 'Bearer renewed' };
    const victim = await written('PRIVATE', alice);
    const own = await written('own', renewed);
    const lane = await client.hget(own.entry, 'lane');
    await client.hset(victim.entry, 'lane', lane as string);
    const { data, errors } = await create(victim.key, 'PRIVATE', renewed);
    expect(data.createGroup).toBeNull();
    expect(errors?.[0]?.extensions).toMatchObject(unknown);
    expect(service.received).toHaveLength(2);
  });

  it.each([
    ['of the same type', ['hset', 'foreign', 'value']],
    ['of another type', ['rpush', 'value']],
  ])('that no gateway wrote, %s, counts as a used key: its write is not sent again', async (_type, store) => {
    const { key, entry } = await written('own', alice);
    const [command = '', ...values] = store;
    await client.del(entry);
    await client.call(command, entry, ...values);
    const { data, errors } = await create(key, 'own', alice);
    expect(data.createGroup).toBeNull();
    expect(errors?.[0]?.extensions).toMatchObject({ sideEffect: 'POSSIBLE', retryable: false });
    const found = await gateway.ask(`{ writeOutcome(idempotencyKey: "${key}") { state } }`, {}, alice);
    expect(found.data).toEqual({ writeOutcome: { state: 'OUTCOME_UNKNOWN' } });
    expect(service.received).toHaveLength(1);
    const line = 'redis has an entry that no gateway wrote';
    expect(gateway.logged(line).at(-1)).toMatchObject({ level: 'error', entry });
    expect((await readinessOf(gateway)).degraded).toEqual([]);
  });

  it.each([
    ['holder', 'the outcome'],
    ['lane', 'OUTCOME_UNKNOWN or IDEMPOTENCY_CONFLICT'],
    ['digest', 'OUTCOME_UNKNOWN or IDEMPOTENCY_CONFLICT'],
    ['outcome', 'OUTCOME_UNKNOWN or IDEMPOTENCY_CONFLICT'],
    ['format', 'the outcome'],
  ])('whose %s another program has made too large gives its repetitions %s', async (member, expected) => {
    const { key, entry } = await written('own', alice);
    await client.hset(entry, member, Buffer.alloc(2 * 1_024 * 1_024));
    const before = await bytesSent(client);
    const { data, errors } = await create(key, 'own', alice);
    if (expected === 'the outcome') expect(data.createGroup).toEqual({ name: 'own' });
    else expect(errors?.[0]?.extensions).toMatchObject({ sideEffect: 'POSSIBLE', retryable: false });
    // Otherwise it would hold up all other commands.
    expect((await bytesSent(client)) - before).toBeLessThan(1_024 * 1_024);
    expect(service.received).toHaveLength(1);
  });

  it('whose holder another program has made a long row of points costs its repetitions little time', async () => {
    const { key, entry } = await written('own', alice);
    await client.hset(entry, 'holder', `${'.'.repeat(200_000)}\n.`);
    const spentMs = cpuClock();
    expect((await create(key, 'own', alice)).data.createGroup).toEqual({ name: 'own' });
    // In quadratic time 10 s.
    expect(spentMs()).toBeLessThan(1_000);
  });

  it('reveals neither an input nor that two inputs are equal', async () => {
    const first = await written('the same', alice);
    const second = await written('the same', alice);
    const digests = [await client.hget(first.entry, 'digest'), await client.hget(second.entry, 'digest')];
    expect(digests[0]).not.toBe(digests[1]);
    expect((await create(first.key, 'the same', alice)).data.createGroup).toEqual({ name: 'the same' });
    expect(service.received).toHaveLength(2);
  });
});

describe('a sealed value', () => {
  const box = createSealedBox(fleetSecret);
  const binding = ['entry', 'lane', 'digest'];
  const sealed = box.seal({ name: 'x', missing: undefined }, binding);

  it('opens with its binding, and not for another entry, lane or digest, nor for parts that are divided elsewhere', () => {
    expect(box.open(sealed, binding)).toEqual({ name: 'x', missing: undefined });
    for (const other of [
      ['other', 'lane', 'digest'],
      ['entry', 'other', 'digest'],
      ['entry', 'lane', 'other'],
      ['entry', 'lane,digest'],
      ['entrylane', 'digest'],
      [],
    ])
      expect(box.open(sealed, other), String(other)).toBeUndefined();
  });

  it('does not open with a changed byte, including its version, or truncated', () => {
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] as number) ^ 1;
      expect(box.open(changed, binding)).toBeUndefined();
      expect(box.open(sealed.subarray(0, index), binding)).toBeUndefined();
    }
  });
});
