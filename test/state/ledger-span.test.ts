/** The span of a reservation of an idempotency key in the shared Redis, and the log line of a repetition at another gateway. */
import { expect, it } from 'vitest';
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

it.skipIf(!hasRedis())(
  'an idempotency key in Redis has one client span for each reservation, without the key or a name in Redis, and the log of a repetition at another gateway names the request that was sent',
  async () => {
    const gateways = [await start(), await start()];
    for (const [at, gateway] of gateways.entries())
      await gateway.ask(create, { k: 'a-key-of-the-caller' }, { ...alice, 'x-request-id': `request-${at}` });
    const [first, second] = gateways.flatMap((gateway) => gateway.logged('operation'));
    expect(first).toMatchObject({ requestId: 'request-0', calls: [{ attempts: 1 }] });
    expect(first).not.toHaveProperty('sentBy');
    expect(second).toMatchObject({ requestId: 'request-1', calls: [], sentBy: ['request-0'] });
    await gateways[0]?.ask(create, {});
    expect(service.received).toHaveLength(2);
    // Stopping the gateways sends the spans.
    for (const gateway of gateways) await gateway.close();
    const named = (name: string) => collector.spans.filter((span) => span.name === name);
    const attributes = { 'db.system.name': 'redis' };
    expect(named('reserve')).toEqual(
      Array(2).fill(expect.objectContaining({ kind: 3, status: 0, attributes })),
    );
    const mutations = named('mutation').map(({ spanId }) => spanId);
    for (const { parentSpanId } of named('reserve')) expect(mutations).toContain(parentSpanId);
    expect(collector.bodies.join()).not.toContain('a-key-of-the-caller');
  },
);
