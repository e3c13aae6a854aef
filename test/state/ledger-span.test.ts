/** The span of a reservation of an idempotency key in the shared Redis. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCollector, type TestCollector } from '../support/collector.ts';
import { startTestGateway } from '../support/gateway.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';

const create = 'mutation ($k: String) { createGroup(input: { idempotencyKey: $k }) { __typename } }';
const group = { id: 1, name: 'a', createdAt: 0, uid: 1, queueCount: 0, queues: [] };

describe.skipIf(!hasRedis())('the trace of a write with an idempotency key', () => {
  let redis: TestRedis;
  let service: does.TestService;
  let collector: TestCollector;
  beforeAll(async () => {
    redis = await startRedis();
    service = await does.startService(does.json(200, group));
    collector = await startCollector();
    const gateway = await startTestGateway({
      UPSTREAM_URL: service.url,
      REDIS_URL: redis.url,
      LANE_SECRET: 'x'.repeat(32),
      ...collector.environment,
    });
    await gateway.ask(create, { k: 'a-key-of-the-caller' });
    await gateway.ask(create, {});
    // Stopping the gateway sends the spans.
    await gateway.close();
  });
  afterAll(async () => {
    await collector.close();
    await service.close();
    await redis.stop();
  });
  const named = (name: string) => collector.spans.filter((span) => span.name === name);

  it('has one client span for the reservation in Redis below the operation', () => {
    expect(service.received).toHaveLength(2);
    expect(named('reserve')).toMatchObject([
      { kind: 3, status: 0, attributes: { 'db.system.name': 'redis' } },
    ]);
    expect(named('mutation').map(({ spanId }) => spanId)).toContain(named('reserve')[0]?.parentSpanId);
  });

  it('has neither the key of the caller nor a name in Redis', () => {
    expect(collector.bodies.join()).not.toContain('a-key-of-the-caller');
    expect(Object.keys(named('reserve')[0]?.attributes ?? {})).toEqual(['db.system.name']);
  });
});
