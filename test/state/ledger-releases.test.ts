/** Entries that earlier releases wrote are read, and the last release reads those of this one. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { createSealedBox } from '../../src/state/sealed-box.ts';
import { gatewayWith, redisForFile } from '../support/lifetimes.ts';
import { fleetOf, hasRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';
import type { RecordedEntries, RecordedWrite } from './record-entries.ts';

const folder = 'test/fixtures/ledger-entries';
const releases = readdirSync(folder).map(
  (file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as RecordedEntries,
);
const { secret, writes } = releases.find(({ version }) => version === '0.2.0') as RecordedEntries;
const [done] = writes as readonly [RecordedWrite];

const redis = await redisForFile();
const { client } = redis;
const { service, gateway } = await gatewayWith(
  { ...fleetOf(redis), LANE_SECRET: secret },
  does.json(200, { createGroup: { id: 8 } }),
);

describe.skipIf(!hasRedis())('a keyed write', () => {
  afterEach(() => client.flushall());

  async function restore({ name, fields }: RecordedWrite, ...names: string[]): Promise<void> {
    const given = Object.entries(fields).filter(([field]) => names.length === 0 || names.includes(field));
    // In one command, as a gateway writes them.
    await client.hset(name, ...given.flatMap(([field, value]) => [field, Buffer.from(value, 'base64')]));
  }

  it.each(releases.flatMap(({ version, writes }) => writes.map((write) => [version, write] as const)))(
    'of %s has the same outcome after an upgrade',
    async (_version, write) => {
      await restore(write);
      const { data, errors } = await gateway.ask(write.query);
      expect(data).toEqual(write.result.data);
      const [{ extensions: recorded } = { extensions: {} }] = write.result.errors ?? [];
      const { code, sideEffect } = recorded as Record<string, unknown>;
      expect(errors?.map(({ extensions }) => [extensions['code'], extensions['sideEffect']])).toEqual(
        write.result.errors && [[code, sideEffect]],
      );
      expect(service.received).toEqual([]);
    },
  );

  it('that runs at a gateway of 0.2.0 is joined', async () => {
    const { name, fields, query, result } = done;
    await restore(done, 'holder', 'lane');
    await client.set(`${name}:lease`, Buffer.from(fields['holder'] as string, 'base64'), 'PX', 60_000);
    const repeated = gateway.ask(query);
    await expect.poll(() => client.pubsub('CHANNELS')).toContain(name);
    // A gateway of 0.2.0 sends no message when it has stored the outcome.
    await restore(done);
    await client.del(`${name}:lease`);
    expect((await repeated).data).toEqual(result.data);
    expect(service.received).toEqual([]);
  });

  it('of this release has its format, and can be read by a gateway of 0.2.0', async () => {
    await gateway.ask(done.query);
    const fields = await client.hgetallBuffer(done.name);
    const [lane, digest] = [String(fields['lane']), String(fields['digest'])];
    const outcome = createSealedBox(secret).open(fields['outcome'] as Buffer, [
      ...[done.name, lane, digest, 'kept'],
    ]);
    expect(outcome).toMatchObject({ value: { id: '8' } });
    expect(Buffer.from(digest).toString('base64')).toBe(done.fields['digest']);
    expect(Buffer.from(lane).toString('base64')).toBe(done.fields['lane']);
    expect(String(fields['format'])).toBe('2');
  });

  it('whose entry has a later format than this release knows is OUTCOME_UNKNOWN and not sent', async () => {
    await restore(done);
    await client.hset(done.name, 'format', '1000');
    const { errors } = await gateway.ask(done.query);
    expect(errors).toMatchObject([{ extensions: { code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE' } }]);
    expect(service.received).toEqual([]);
  });
});
