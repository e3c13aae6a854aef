import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLaneMaker } from '../../src/caller.ts';
import { createRateLimit } from '../../src/state/rate-limit.ts';
import { startTestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';

let service: does.TestService;
beforeAll(async () => {
  service = await does.startService(does.json(200, { status: 'queued' }));
});
afterAll(() => service.close());

describe('the rate limit', () => {
  it('counts the operations of each caller by the minute', async () => {
    const limited = await startTestGateway({ UPSTREAM_URL: service.url, RATE_LIMIT_PER_MINUTE: '3' });
    const answers = [];
    for (let index = 0; index < 5; index += 1) answers.push(await limited.ask('{ __typename }'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(answers[3]?.errors?.[0]?.extensions).toMatchObject({
      code: 'RATE_LIMITED',
      retryable: true,
      sideEffect: 'NONE',
    });
    expect(answers[3]?.errors?.[0]?.extensions.retryAfterMs).toBeGreaterThan(0);
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await limited.ask('{ __typename }', {}, { 'x-api-key': 'another' })).status).toBe(200);
    await limited.close();
  });

  it('counts accepted callers always, and others until there are 10,000 in a minute', async () => {
    const laneOf = createLaneMaker(undefined);
    const lane = (name: string) => laneOf({ apiKey: name, authorization: undefined });
    const customer = lane('customer');
    const limit = await createRateLimit(1, { has: (other) => other === customer });
    await limit.count(lane('first'));
    for (let index = 1; index < 10_000; index += 1) await limit.count(lane(`invented ${index}`));
    await expect(limit.count(lane('first'))).rejects.toMatchObject({ code: 'RATE_LIMITED' });

    // A limit for them would have to be kept in memory, as long as others invent credentials.
    for (const _ of [1, 2, 3]) await limit.count(lane('one more'));
    await limit.count(customer);
    await expect(limit.count(customer)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});
