import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';

let service: does.TestService;
beforeAll(async () => {
  service = await does.startService(does.json(200, { status: 'queued' }));
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => service.close());

describe('the circuit breaker', () => {
  it('stops calling an endpoint that fails for every caller, reports it, and calls it again once it works', async () => {
    const sick = await startTestGateway({ UPSTREAM_URL: service.url });
    service.will(does.htmlPage(502));
    const make = () => sick.ask('mutation { createGroup(input: {}) { __typename } }');
    for (let index = 0; index < 25; index += 1) await make();
    const calls = service.received.length;
    const refused = await make();
    expect(refused.errors?.[0]?.extensions).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      sideEffect: 'NONE',
      retryable: true,
    });
    const retryAfterMs: number = refused.errors?.[0]?.extensions.retryAfterMs;
    expect(retryAfterMs).toBeLessThanOrEqual(1_000);
    expect(service.received.length).toBe(calls);
    const ready = await fetch(new URL('/ready', sick.url));
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', degraded: ['breaker open: createGroup'] },
    ]);
    service.will(does.json(200, { status: 'queued', createGroup: { id: 1 } }));
    expect((await sick.ask('{ malaysiaStatus(documentId: "1") { state } }')).errors).toBeUndefined();
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + retryAfterMs);
    expect((await make()).errors).toBeUndefined();
    expect(await (await fetch(new URL('/ready', sick.url))).json()).toEqual({
      status: 'ready',
      degraded: [],
    });
    await sick.close();
  });

  it('does not count errors of one caller: 4xx, 429, a 500 with a JSON body', async () => {
    const sick = await startTestGateway({ UPSTREAM_URL: service.url });
    for (const behaviour of [does.json(403, {}), does.json(429, {}), does.json(500, {})]) {
      service.will(behaviour);
      service.received.length = 0;
      for (let index = 0; index < 30; index += 1)
        await sick.ask('mutation { createGroup(input: {}) { __typename } }');
      expect(service.received).toHaveLength(30);
    }
    service.will(does.json(200, { status: 'queued' }));
    await sick.close();
  });

  it('is not opened for an accepted caller by newcomers whose requests break the connection', async () => {
    const healthy = await startTestGateway({ UPSTREAM_URL: service.url });
    service.will(does.json(200, { createGroup: { id: 1 } }));
    expect((await healthy.ask('mutation { createGroup(input: {}) { __typename } }')).errors).toBeUndefined();
    service.will(does.reset);
    const read = '{ malaysiaStatus(documentId: "drop-table-n") { state } }';
    for (let index = 0; index < 24; index += 1)
      await healthy.ask(read, {}, { 'x-api-key': `invented-${index}` });
    service.will(does.json(200, { status: 'queued' }));
    expect((await healthy.ask(read)).data).toEqual({ malaysiaStatus: { state: 'QUEUED' } });
    const ready = await (await fetch(new URL('/ready', healthy.url))).json();
    expect(ready).toEqual({ status: 'ready', degraded: [] });
    await healthy.close();
  });
});
