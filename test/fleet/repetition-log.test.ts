/** The log line of a repetition at another gateway of a fleet. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { alice, startTestGateway } from '../support/gateway.ts';
import { forTest } from '../support/lifetimes.ts';
import { fleetOf, hasRedis, startRedis } from '../support/redis.ts';

it.skipIf(!hasRedis())('names the request that another gateway sent under the same key', async () => {
  const environment = fleetOf(forTest(await startRedis()));
  const gateways = [1, 2].map(async () => forTest(await startTestGateway(environment)));
  const query = 'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { __typename } }';
  const input = { name: 'a', idempotencyKey: randomUUID() };
  const logged: any[] = [];
  for (const [at, starting] of gateways.entries()) {
    const gateway = await starting;
    await gateway.ask(query, { input }, { ...alice, 'x-request-id': `request-${at}` });
    logged.push(...gateway.logged('operation'));
  }
  const [first, second] = logged;
  expect(first).toMatchObject({ outcome: 'ok', requestId: 'request-0', calls: [{ attempts: 1 }] });
  expect(first).not.toHaveProperty('sentBy');
  expect(second).toMatchObject({ outcome: 'ok', requestId: 'request-1', calls: [], sentBy: ['request-0'] });
});
