/** The outcome of a write whose caller has disconnected is stored before the gateway ends. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { alice, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { hasRedis, type SlowRedis, startRedis, startSlowRedis, type TestRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = { timeout: 20_000, interval: 10 };
const write =
  'mutation { createGroup(input: { idempotencyKey: "a-detached-write" }) { ... on Group { id } } }';
const group = { createGroup: { id: 8 } };

describe.skipIf(!hasRedis())('a gateway that stops after the caller of a write has disconnected', () => {
  let redis: TestRedis;
  let slow: SlowRedis;
  let service: does.TestService;
  const gateways: TestGateway[] = [];
  beforeEach(async () => {
    redis = await startRedis();
    slow = await startSlowRedis(redis);
    service = await does.startService();
  });
  afterEach(async () => {
    for (const gateway of gateways.splice(0)) await gateway.close();
    await service.close();
    await slow.close();
    await redis.stop();
  });

  async function start(url: string, graceMs: number): Promise<TestGateway> {
    const gateway = await startTestGateway({
      UPSTREAM_URL: service.url,
      REDIS_URL: url,
      LANE_SECRET: 'a secret of this fleet, 32 bytes or more',
      SHUTDOWN_GRACE_MS: String(graceMs),
    });
    return gateway;
  }

  /** Sends a write whose caller disconnects once it has reached the service, and stops the gateway. */
  async function stopDuringWrite(graceMs: number) {
    const reached = Promise.withResolvers<() => void>();
    service.will((request, response) => reached.resolve(() => does.json(200, group)(request, response)));
    const gateway = await start(slow.url, graceMs);
    const caller = new AbortController();
    const headers = { ...alice, 'content-type': 'application/json' };
    const body = JSON.stringify({ query: write });
    const sent = fetch(gateway.url, { method: 'POST', headers, body, signal: caller.signal });
    const respond = await reached.promise;
    caller.abort();
    await expect(sent).rejects.toThrow();
    const closed = gateway.close();
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    return { gateway, respond, closed, isClosed: () => isClosed };
  }

  /** What a repetition at another gateway gets. */
  async function repetition() {
    const other = await start(redis.url, 600);
    gateways.push(other);
    return await other.ask(write);
  }

  it('waits until a slow store has the outcome, which a repetition at another gateway gets', async () => {
    const { respond, closed, isClosed } = await stopDuringWrite(30_000);
    slow.holdCommands();
    respond();
    await slow.waiting();
    // The first attempt fails after half a second without a reply.
    await vi.waitFor(() => expect(slow.held()).toBeGreaterThan(1), soon);
    expect(isClosed()).toBe(false);
    slow.release();
    await closed;
    expect((await repetition()).data).toEqual({ createGroup: { id: '8' } });
    expect(service.received).toHaveLength(1);
  });

  it('waits for a store that was lost and comes back', async () => {
    const { gateway, respond, closed, isClosed } = await stopDuringWrite(30_000);
    await redis.stop();
    await vi.waitFor(() => expect(gateway.log().join()).toContain('redis lost'), soon);
    respond();
    await vi.waitFor(() => expect(gateway.log().join()).toContain('"caller_left"'), soon);
    expect(isClosed()).toBe(false);
    await redis.start();
    await closed;
    expect((await repetition()).data).toEqual({ createGroup: { id: '8' } });
    expect(service.received).toHaveLength(1);
  });

  it('ends after the grace time when the store takes no outcome, and a repetition sends nothing', async () => {
    const { respond, closed } = await stopDuringWrite(600);
    slow.holdCommands();
    respond();
    await closed;
    const { errors } = await repetition();
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE' });
    expect(service.received).toHaveLength(1);
  });
});
