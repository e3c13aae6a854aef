/** The span of a reservation of an idempotency key in the shared Redis, and the log line of a repetition at another gateway. */
import { describe, expect, it } from 'vitest';
import { startCollector } from '../support/collector.ts';
import { alice, startTestGateway } from '../support/gateway.ts';
import { forFile, redisForFile, serviceForFile } from '../support/lifetimes.ts';
import { fleetOf, hasRedis } from '../support/redis.ts';

const create = 'mutation ($k: String) { createGroup(input: { idempotencyKey: $k }) { __typename } }';

const redis = await redisForFile();
const service = await serviceForFile();
const collector = forFile(await startCollector());
const start = () =>
  startTestGateway({ UPSTREAM_URL: service.url, ...fleetOf(redis), ...collector.environment });

describe.skipIf(!hasRedis())('an idempotency key in Redis', () => {
  it('has one client span for its reservation, without the key or a name in Redis', async () => {
    const gateway = await start();
    await gateway.ask(create, { k: 'a-key-of-the-caller' });
    await gateway.ask(create, {});
    // Stopping the gateway sends the spans.
    await gateway.close();
    const named = (name: string) => collector.spans.filter((span) => span.name === name);
    expect(service.received).toHaveLength(2);
    expect(named('reserve')).toMatchObject([{ kind: 3, status: 0 }]);
    const [{ attributes, parentSpanId }] = named('reserve') as [(typeof collector.spans)[number]];
    expect(attributes).toEqual({ 'db.system.name': 'redis' });
    expect(named('mutation').map(({ spanId }) => spanId)).toContain(parentSpanId);
    expect(collector.bodies.join()).not.toContain('a-key-of-the-caller');
  });

  it('that another gateway has used names the request that was sent in the log', async () => {
    const gateways = [forFile(await start()), forFile(await start())];
    for (const [at, gateway] of gateways.entries())
      await gateway.ask(create, { k: 'a-repeated-key' }, { ...alice, 'x-request-id': `request-${at}` });
    const [first, second] = gateways.flatMap((gateway) => gateway.logged('operation'));
    expect(first).toMatchObject({ requestId: 'request-0', calls: [{ attempts: 1 }] });
    expect(first).not.toHaveProperty('sentBy');
    expect(second).toMatchObject({ requestId: 'request-1', calls: [], sentBy: ['request-0'] });
  });
});
