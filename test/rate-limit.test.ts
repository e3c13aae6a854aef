import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway } from './support/gateway.ts';
import * as does from './support/service.ts';

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
});
