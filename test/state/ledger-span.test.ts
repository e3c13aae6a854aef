/** The span of a reservation of an idempotency key in the shared Redis. */
import { expect, it } from 'vitest';
import { startCollector } from '../support/collector.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forFile, redisForFile, serviceForFile } from '../support/lifetimes.ts';
import { fleetOf, hasRedis } from '../support/redis.ts';

const create = 'mutation ($k: String) { createGroup(input: { idempotencyKey: $k }) { __typename } }';

const redis = await redisForFile();
const service = await serviceForFile();
const collector = forFile(await startCollector());

it.skipIf(!hasRedis())(
  'a reservation in Redis has one client span, without the key or a name in Redis',
  async () => {
    const environment = { UPSTREAM_URL: service.url, ...fleetOf(redis), ...collector.environment };
    const gateway = await startTestGateway(environment);
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
  },
);
