/** The outcome of a write whose caller has disconnected is stored before the gateway ends. */
import { describe, expect, it } from 'vitest';
import { alice, post, startTestGateway } from '../support/gateway.ts';
import { forTest, serviceForFile } from '../support/lifetimes.ts';
import { fleetOf, hasRedis, startRedis, startSlowRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';

const write =
  'mutation { createGroup(input: { idempotencyKey: "a-detached-write" }) { ... on Group { id } } }';

const service = await serviceForFile();

describe.skipIf(!hasRedis())('a gateway that stops after the caller of a write has disconnected', () => {
  /** Sends a write whose caller disconnects once it has reached the service, and stops the gateway. */
  async function stopDuringWrite(graceMs: number) {
    const redis = forTest(await startRedis());
    const slow = forTest(await startSlowRedis(redis));
    const held = service.hold(does.json(200, { createGroup: { id: 8 } }));
    const environment = { UPSTREAM_URL: service.url, SHUTDOWN_GRACE_MS: String(graceMs) };
    const gateway = await startTestGateway({ ...environment, ...fleetOf(slow) });
    const caller = new AbortController();
    const sent = post(gateway, { query: write }, alice, { signal: caller.signal });
    const respond = await does.arrival(held, sent);
    caller.abort();
    await expect(sent).rejects.toThrow();
    const closed = gateway.close();
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    /** What a repetition at another gateway gets. */
    const repetition = async () => {
      const other = await startTestGateway({ UPSTREAM_URL: service.url, ...fleetOf(redis) });
      return await forTest(other).ask(write);
    };
    return { redis, slow, gateway, respond, closed, isClosed: () => isClosed, repetition };
  }

  it('waits for a store that was lost and comes back', async () => {
    const { redis, gateway, respond, closed, isClosed, repetition } = await stopDuringWrite(30_000);
    await redis.stop();
    await expect.poll(() => gateway.log().join()).toContain('redis lost');
    respond();
    await expect.poll(() => gateway.log().join()).toContain('"caller_left"');
    expect(isClosed()).toBe(false);
    await redis.start();
    await closed;
    expect((await repetition()).data).toEqual({ createGroup: { id: '8' } });
    expect(service.received).toHaveLength(1);
  });

  it('ends after the grace time when the store takes no outcome, and a repetition sends nothing', async () => {
    const { redis, slow, respond, closed, repetition } = await stopDuringWrite(600);
    slow.holdCommands();
    respond();
    await closed;
    // The lease of the stopped gateway would end later.
    await redis.client.del(await redis.client.keys('*:lease'));
    const { errors } = await repetition();
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE' });
    expect(service.received).toHaveLength(1);
  });
});
