import { afterEach, describe, expect, it, vi } from 'vitest';
import { alice, readinessOf, startTestGateway, withKey } from '../support/gateway.ts';
import { forTest, serviceForFile } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const service = await serviceForFile(does.json(200, { status: 'queued', createGroup: { id: 1 } }));
afterEach(() => vi.restoreAllMocks());

const read = '{ malaysiaStatus(documentId: "1") { state } }';
const create = 'mutation { createGroup(input: {}) { __typename } }';

/** A gateway with closed circuit breakers. */
async function start() {
  const gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url }));
  const make = async () => (await gateway.ask(create)).errors?.[0]?.extensions;
  return { ...gateway, make, ready: () => readinessOf(gateway) };
}

const works = { httpStatus: 200, status: 'ready', degraded: [] };

describe('the circuit breaker', () => {
  it('stops calling an endpoint that fails for every caller, reports it, and calls it again once it works', async () => {
    const { ask, make, ready } = await start();
    service.will(does.htmlPage(502));
    for (let index = 0; index < 20; index += 1) await make();
    const refused = await make();
    expect(refused).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE', retryable: true });
    expect(refused?.['retryAfterMs']).toBeLessThanOrEqual(1_000);
    expect(service.received).toHaveLength(20);
    expect(await ready()).toEqual({ ...works, degraded: ['breaker open: createGroup'] });
    service.will(does.json(200, { status: 'queued', createGroup: { id: 1 } }));
    expect((await ask(read)).errors).toBeUndefined();
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + refused?.['retryAfterMs']);
    expect(await make()).toBeUndefined();
    expect(await ready()).toEqual(works);
  });
});

it('an endpoint that fails for accepted callers is called for no newcomer', async () => {
  const { ask, make } = await start();
  expect(await make()).toBeUndefined();
  service.will(does.htmlPage(502));
  for (let index = 0; index < 20; index += 1) await make();
  const calls = service.received.length;
  for (const key of ['one', 'two', 'three']) {
    const { errors } = await ask(create, {}, { ...alice, ...withKey(key) });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE' });
  }
  expect(service.received).toHaveLength(calls);
});

it('newcomers whose reads fail leave an accepted caller its retries', async () => {
  const { ask, make } = await start();
  expect(await make()).toBeUndefined();
  // The shortest waits before retries.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  service.will(does.json(503, {}));
  for (let index = 0; index < 8; index += 1) await ask(read, {}, withKey(`invented-${index}`));
  service.will(does.json(503, {}), does.json(200, { status: 'queued' }));
  expect((await ask(read)).data).toEqual({ malaysiaStatus: { state: 'QUEUED' } });
});

it.each([
  ['read', read],
  ['write', create],
])('a %s whose deadline is over before it starts is UPSTREAM_TIMEOUT, and not sent', async (_kind, query) => {
  const { ask } = await start();
  const now = performance.now.bind(performance);
  let passedMs = 0;
  // Between any two looks at the clock more time passes than a call may take.
  vi.spyOn(performance, 'now').mockImplementation(() => {
    passedMs += 40_000;
    return now() + passedMs;
  });
  const { errors } = await ask(query);
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_TIMEOUT', sideEffect: 'NONE' });
  expect(service.received).toEqual([]);
});
