/** Renewal of an expired token: the advice in the docs, and the behaviour of the gateway. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renewalAdvice } from '../../src/errors.ts';
import { alice, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { json, startService, type TestService } from '../support/service.ts';

let service: TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await startService();
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

it.each(['docs/reference/errors.md', 'docs/retrying-safely.md'])(
  '%s advises to renew the token once and to repeat the operation once after UNAUTHENTICATED',
  (file) => expect(readFileSync(file, 'utf8')).toContain(renewalAdvice),
);

it('a write that failed with UNAUTHENTICATED succeeds with a new token under the same idempotency key', async () => {
  service.will(json(401, {}), json(200, { createGroup: { id: 7 } }));
  const query = 'mutation { createGroup(input: { idempotencyKey: "renewal-1" }) { ... on Group { id } } }';
  const refused = await gateway.ask(query);
  expect(refused.errors).toMatchObject([
    { extensions: { code: 'UNAUTHENTICATED', retryable: false, sideEffect: 'NONE' } },
  ]);
  const repeated = await gateway.ask(query, {}, { ...alice, authorization: 'Bearer renewed-token' });
  expect(repeated).toMatchObject({ data: { createGroup: { id: '7' } }, errors: undefined });
  expect(service.received.map(({ headers }) => headers.authorization)).toEqual([
    alice.authorization,
    'Bearer renewed-token',
  ]);
});
