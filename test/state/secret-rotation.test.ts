/** LANE_SECRET is rotated over a running fleet: no write is sent twice, and no outcome is forgotten. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { followFile } from '../../src/config/secret-files.ts';
import { createFleetSecrets } from '../../src/state/fleet-secrets.ts';
import type { LedgerEntry, LedgerStore, Outcome } from '../../src/state/ledger/ledger.ts';
import { createRotatingStore } from '../../src/state/ledger/rotating-store.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { keyed } from '../support/ledgers.ts';
import { forTest, redisForFile, serviceForFile, temporaryFile } from '../support/lifetimes.ts';
import { hasRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';

const secrets = {
  old: 'the old secret of this fleet: 32 bytes or more',
  new: 'the new secret of this fleet: 32 bytes or more',
};
/** The values of LANE_SECRET in the order of a rotation. */
const settings = { before: secrets.old, during: `${secrets.new},${secrets.old}`, after: secrets.new };
type Setting = keyof typeof settings;
/** Gateways that run together in a rotation, each pair in both directions. */
const pairs: [Setting, Setting][] = [
  ['before', 'during'],
  ['during', 'before'],
  ['during', 'during'],
  ['during', 'after'],
  ['after', 'during'],
];

/** Files of secrets are read a hundred times as often as by other gateways. */
const { setInterval: every } = globalThis;
vi.spyOn(globalThis, 'setInterval').mockImplementation(((task: () => void, ms: number) =>
  every(task, ms === 5_000 ? 50 : ms)) as typeof setInterval);
afterAll(() => void vi.restoreAllMocks());

/** Replaces a file in one step, as a mounted secret is. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

const redis = await redisForFile('--user', 'folio', 'on', '>first', '~*', '&*', '+@all');
const service = await serviceForFile();
const start = (environment: Record<string, string>) =>
  startTestGateway({ UPSTREAM_URL: service.url, REDIS_URL: redis.url, ...environment });

describe.skipIf(!hasRedis())('a rotation of LANE_SECRET', () => {
  const gateways = {} as Record<Setting, TestGateway>;
  beforeAll(async () => {
    for (const [setting, secret] of Object.entries(settings))
      gateways[setting as Setting] = await start({ LANE_SECRET: secret });
    return async () => {
      for (const { close } of Object.values(gateways)) await close();
    };
  });
  let keys = 0;
  /** From now on writes have a new key. */
  function useNextKey() {
    keys += 1;
    service.will(does.json(200, { createGroup: { id: keys } }));
  }
  beforeEach(useNextKey);

  const write = () =>
    `mutation { createGroup(input: { idempotencyKey: "rotated-${keys}" }) { ... on Group { id } } }`;
  const done = () => ({ createGroup: { id: String(keys) } });

  it.each(pairs)('returns an outcome of a gateway %s it at a gateway %s it', async (first, second) => {
    expect((await gateways[first].ask(write())).data).toEqual(done());
    const repetitions = await Promise.all([1, 2, 3].map(() => gateways[second].ask(write())));
    expect(repetitions.map(({ data }) => data)).toEqual([done(), done(), done()]);
    const query = `{ writeOutcome(idempotencyKey: "rotated-${keys}") { state } }`;
    expect((await gateways[second].ask(query)).data).toEqual({ writeOutcome: { state: 'COMPLETED' } });
    expect(service.received).toHaveLength(1);
  });

  it.each(pairs)('sends once what arrives %s and %s it at the same time', async (first, second) => {
    const held = service.hold(does.json(200, { createGroup: { id: keys } }));
    const results = [first, second, first, second].map((setting) => gateways[setting].ask(write()));
    const respond = await does.arrival(held, Promise.all(results));
    respond();
    for (const { data, errors } of await Promise.all(results)) {
      // A repetition that met a reservation which was given up may be sent again.
      const [{ extensions } = { extensions: undefined }] = errors ?? [];
      if (extensions) {
        expect(extensions).toMatchObject({ sideEffect: 'NONE', retryable: true });
        expect(errors?.[0]?.message).not.toContain('Nothing was done');
      } else expect(data).toEqual(done());
    }
    expect(service.received).toHaveLength(1);
    expect((await gateways[second].ask(write())).data).toEqual(done());
    expect(service.received).toHaveLength(1);
  });

  it.each(pairs)('frees a key that had no effect %s it for a gateway %s it', async (first, second) => {
    service.will(does.json(429, {}), does.json(200, { createGroup: { id: keys } }));
    expect((await gateways[first].ask(write())).errors).toMatchObject([
      { extensions: { code: 'RATE_LIMITED', sideEffect: 'NONE' } },
    ]);
    expect((await gateways[second].ask(write())).data).toEqual(done());
    expect(service.received).toHaveLength(2);
  });

  it('is an error in the log of gateways that have no secret in common, once, and not of one with both', async () => {
    const errors = (setting: Setting) =>
      gateways[setting].logged('other gateways with this redis have another LANE_SECRET');
    for (const setting of ['before', 'after'] as const)
      await expect.poll(() => errors(setting)).toMatchObject([{ level: 'error' }]);
    expect(errors('during')).toEqual([]);
    // Of a gateway that has ended, and of one from before the clock of Redis was set back.
    for (const since of [1, 2 ** 40]) await redis.client.zadd('folio:secrets', since, String(since));
    await expect.poll(() => redis.client.zcard('folio:secrets')).toBe(3);
  });

  it('follows the file of LANE_SECRET_FILE', async () => {
    const file = temporaryFile(`${settings.before}\n`);
    const gateway = forTest(await start({ LANE_SECRET_FILE: file }));
    expect((await gateways.before.ask(write())).data).toEqual(done());
    expect((await gateway.ask(write())).data).toEqual(done());
    replaceFile(file, settings.during);
    await expect.poll(() => gateway.log().join('')).toContain('a secret has changed');
    expect((await gateway.ask(write())).data).toEqual(done());
    useNextKey();
    expect((await gateways.after.ask(write())).data).toEqual(done());
    expect((await gateway.ask(write())).data).toEqual(done());
    expect(service.received).toHaveLength(2);
    replaceFile(file, 'too short');
    const refusals = () => gateway.logged('the changed file cannot be used, the previous value stays');
    const variable = 'LANE_SECRET_FILE';
    const tooShort = { variable, reason: expect.stringContaining('its content must be 32 bytes or more') };
    await expect.poll(refusals).toMatchObject([tooShort]);
    expect((await gateway.ask(write())).data).toEqual(done());
    rmSync(file);
    const unreadable = { variable, reason: 'the file is empty or cannot be read' };
    await expect.poll(refusals).toMatchObject([tooShort, unreadable]);
    expect((await gateway.ask(write())).data).toEqual(done());
    replaceFile(file, `${settings.before},too short`);
    await expect.poll(() => gateway.log().join('')).toContain('LANE_SECRET has a comma and is one secret');
    expect(gateway.log().join('')).not.toContain('secret of this fleet');
  });

  it('of Redis uses the password in the file of REDIS_URL_FILE for new connections, and another host at once', async () => {
    const url = (password: string) => redis.url.replace('://', `://folio:${password}@`);
    const connections = async () =>
      [...String(await redis.client.call('client', 'list')).matchAll(/^id=(\d+) .* user=folio /gm)].map(
        ([, id]) => id,
      );
    const changes = () => gateway.log().filter((line) => line.includes('a secret has changed')).length;
    const file = temporaryFile(url('first'));
    const environment = { UPSTREAM_URL: service.url, REDIS_URL_FILE: file, LANE_SECRET: settings.before };
    const gateway = forTest(await startTestGateway(environment));
    expect((await gateway.ask(write())).data).toEqual(done());
    const first = await connections();
    await redis.client.call('acl', 'setuser', 'folio', '>second', '<first');
    replaceFile(file, url('second'));
    await expect.poll(changes).toBe(1);
    expect((await gateway.ask(write())).data).toEqual(done());
    expect(await connections()).toEqual(expect.arrayContaining(first));
    await redis.client.call('client', 'kill', 'user', 'folio');
    useNextKey();
    await expect.poll(async () => (await gateway.ask(write())).data).toEqual(done());
    const second = await connections();
    replaceFile(file, url('second').replace('127.0.0.1', 'localhost'));
    await expect.poll(changes).toBe(2);
    await expect.poll(async () => (await connections()).filter((id) => second.includes(id))).toEqual([]);
    // Another kind of address needs another client.
    replaceFile(file, 'redis+sentinel://127.0.0.1:1/primary');
    const reason = 'another kind of address needs a restart';
    const refusals = () => gateway.logged('the changed file cannot be used, the previous value stays');
    await expect.poll(refusals).toMatchObject([{ variable: 'REDIS_URL_FILE', reason }]);
    expect(changes()).toBe(2);
    useNextKey();
    await expect.poll(async () => (await gateway.ask(write())).data).toEqual(done());
  });
});

it('a secret that has changed since the configuration was read is followed', async () => {
  const file = temporaryFile(secrets.old);
  const { secretFiles } = readConfig({ LANE_SECRET_FILE: file });
  replaceFile(file, secrets.new);
  const content = await new Promise((resolve) =>
    forTest({ close: followFile(secretFiles.LANE_SECRET, resolve) }),
  );
  expect(content).toBe(secrets.new);
});

it('a repetition whose first request met the key under the new secret is not told that nothing was done', async () => {
  const used: LedgerEntry = {
    ...{ isOwn: true, requestId: undefined, wasRunning: false },
    hasDigest: async () => true,
    outcome: async () => ({ value: 'done' }),
  };
  const released: Outcome[] = [];
  const settle = async (outcome: Outcome) => void released.push(outcome);
  const secretsInUse = createFleetSecrets({ current: secrets.new, former: secrets.old });
  // A gateway with the new secret alone reserves the key after it was looked up.
  const stores = {
    current: { find: async () => undefined, reserve: async () => used },
    former: { find: async () => undefined, reserve: async () => ({ settle }) },
  } satisfies Record<string, LedgerStore>;
  const store = createRotatingStore(secretsInUse, (keys) =>
    keys === secretsInUse.current ? stores.current : stores.former,
  );
  expect(await store.reserve(keyed('key'))).toBe(used);
  expect(released).toMatchObject([
    {
      error: {
        retryable: true,
        sideEffect: 'NONE',
        message: expect.stringContaining('Nothing was sent now'),
      },
    },
  ]);
});
