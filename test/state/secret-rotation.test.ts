/** LANE_SECRET is rotated over a running fleet: no write is sent twice, and no outcome is forgotten. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = { timeout: 30_000, interval: 50 };

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

describe.skipIf(!hasRedis())('a rotation of LANE_SECRET', () => {
  let redis: TestRedis;
  let service: does.TestService;
  let gateways: Record<Setting, TestGateway>;
  const others: TestGateway[] = [];
  let keys = 0;

  const start = async (environment: Record<string, string>) => {
    const gateway = await startTestGateway({
      UPSTREAM_URL: service.url,
      REDIS_URL: redis.url,
      ...environment,
    });
    others.push(gateway);
    return gateway;
  };
  beforeAll(async () => {
    redis = await startRedis('--user', 'folio', 'on', '>first', '~*', '&*', '+@all');
    service = await does.startService();
    const [before, during, after] = await Promise.all(
      Object.values(settings).map((LANE_SECRET) => start({ LANE_SECRET })),
    );
    gateways = { before, during, after } as typeof gateways;
    others.length = 0;
  });
  beforeEach(() => {
    keys += 1;
    service.received.length = 0;
    service.will(does.json(200, { createGroup: { id: keys } }));
  });
  afterEach(async () => {
    for (const gateway of others.splice(0)) await gateway.close();
  });
  afterAll(async () => {
    for (const gateway of Object.values(gateways ?? {})) await gateway.close();
    await service?.close();
    await redis?.stop();
  });

  const write = () =>
    `mutation { createGroup(input: { idempotencyKey: "rotated-${keys}" }) { ... on Group { id } } }`;
  const done = () => ({ createGroup: { id: String(keys) } });

  it.each(pairs)('returns an outcome of a gateway %s it at a gateway %s it', async (first, second) => {
    expect((await gateways[first].ask(write())).data).toEqual(done());
    expect((await gateways[second].ask(write())).data).toEqual(done());
    const query = `{ writeOutcome(idempotencyKey: "rotated-${keys}") { state } }`;
    expect((await gateways[second].ask(query)).data).toEqual({ writeOutcome: { state: 'COMPLETED' } });
    expect(service.received).toHaveLength(1);
  });

  it.each(pairs)('sends once what arrives %s and %s it at the same time', async (first, second) => {
    const { promise: respond, resolve } = Promise.withResolvers<void>();
    service.will(async (request, response) => {
      await respond;
      does.json(200, { createGroup: { id: keys } })(request, response);
    });
    const results = [first, second, first, second].map((setting) => gateways[setting].ask(write()));
    await vi.waitFor(() => expect(service.received).toHaveLength(1), soon);
    resolve();
    for (const { data, errors } of await Promise.all(results)) {
      // A repetition that met a reservation which was given up may be sent again.
      const [{ extensions } = { extensions: undefined }] = errors ?? [];
      if (extensions) expect(extensions).toMatchObject({ sideEffect: 'NONE', retryable: true });
      else expect(data).toEqual(done());
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

  it('follows the file of LANE_SECRET_FILE', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'secret-')), 'lane-secret');
    writeFileSync(file, `${settings.before}\n`);
    const gateway = await start({ LANE_SECRET_FILE: file });
    expect((await gateways.before.ask(write())).data).toEqual(done());
    expect((await gateway.ask(write())).data).toEqual(done());
    writeFileSync(file, settings.during);
    await vi.waitFor(() => expect(gateway.log().join('')).toContain('a secret has changed'), soon);
    expect((await gateway.ask(write())).data).toEqual(done());
    keys += 1;
    service.will(does.json(200, { createGroup: { id: keys } }));
    expect((await gateways.after.ask(write())).data).toEqual(done());
    expect((await gateway.ask(write())).data).toEqual(done());
    expect(service.received).toHaveLength(2);
    writeFileSync(file, 'too short');
    await vi.waitFor(() => expect(gateway.log().join('')).toContain('the previous value stays'), soon);
    expect((await gateway.ask(write())).data).toEqual(done());
    expect(gateway.log().join('')).not.toContain('secret of this fleet');
  });

  it('of Redis uses the password in the file of REDIS_URL_FILE for new connections', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'redis-url-')), 'redis-url');
    const url = (password: string) => redis.url.replace('://', `://folio:${password}@`);
    writeFileSync(file, url('first'));
    const gateway = await startTestGateway({
      UPSTREAM_URL: service.url,
      REDIS_URL_FILE: file,
      LANE_SECRET: settings.before,
    });
    others.push(gateway);
    expect((await gateway.ask(write())).data).toEqual(done());
    const client = new Redis(redis.url);
    await client.call('acl', 'setuser', 'folio', '>second', '<first');
    writeFileSync(file, url('second'));
    await vi.waitFor(() => expect(gateway.log().join('')).toContain('a secret has changed'), soon);
    await client.call('client', 'kill', 'user', 'folio');
    keys += 1;
    service.will(does.json(200, { createGroup: { id: keys } }));
    await vi.waitFor(async () => expect((await gateway.ask(write())).data).toEqual(done()), soon);
    client.disconnect();
  });
});
