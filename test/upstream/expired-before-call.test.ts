/** A request that waits in the gateway for longer than its call to the service may take. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeEach(async () => {
  service = await does.startService(does.json(200, { status: 'queued' }));
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await gateway.close();
  await service.close();
});

it.each([
  ['read', '{ malaysiaStatus(documentId: "1") { state } }'],
  ['write', 'mutation { createGroup(input: {}) { __typename } }'],
])('a %s whose deadline is over before it starts is UPSTREAM_TIMEOUT, and not sent', async (_kind, query) => {
  const now = performance.now.bind(performance);
  let passedMs = 0;
  // Between any two looks at the clock more time passes than a call may take.
  vi.spyOn(performance, 'now').mockImplementation(() => {
    passedMs += 40_000;
    return now() + passedMs;
  });
  const { errors } = await gateway.ask(query);
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_TIMEOUT', sideEffect: 'NONE' });
  expect(service.received).toEqual([]);
});
