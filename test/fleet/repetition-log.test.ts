/** The log line of a repetition at another gateway of a fleet. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { alice, startTestGateway } from '../support/gateway.ts';
import { hasRedis, startRedis } from '../support/redis.ts';

it.skipIf(!hasRedis())('names the request that another gateway sent under the same key', async () => {
  const redis = await startRedis();
  const environment = { REDIS_URL: redis.url, LANE_SECRET: 'a secret of this fleet, 32 bytes or more' };
  const gateways = await Promise.all([startTestGateway(environment), startTestGateway(environment)]);
  const query = 'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { __typename } }';
  const input = { name: 'a', idempotencyKey: randomUUID() };
  for (const [at, gateway] of gateways.entries())
    await gateway.ask(query, { input }, { ...alice, 'x-request-id': `request-${at}` });
  const [first, second] = gateways.map(({ log }) =>
    log()
      .map((line) => JSON.parse(line))
      .find(({ msg }) => msg === 'operation'),
  );
  expect(first).toMatchObject({ outcome: 'ok', requestId: 'request-0', calls: [{ attempts: 1 }] });
  expect(first).not.toHaveProperty('sentBy');
  expect(second).toMatchObject({ outcome: 'ok', requestId: 'request-1', calls: [], sentBy: ['request-0'] });
  for (const gateway of gateways) await gateway.close();
  await redis.stop();
});
