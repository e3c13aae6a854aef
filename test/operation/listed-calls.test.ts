/** `extensions.calls` of a result: the calls to the service that were made for it. */
import { describe, expect, it } from 'vitest';
import { alice, post, startTestGateway, startTestHandler, type TestGateway } from '../support/gateway.ts';
import { forTest, gatewayWith } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import * as does from '../support/service.ts';
import { type Ask, transports } from '../support/transports.ts';
import { connectedSocket } from '../support/websocket.ts';

const queued = does.json(200, { status: 'queued' });
const { service, gateway } = await gatewayWith({ EXPOSE_CALLS: 'true' }, queued);

const one = '{ mexicoValidation(by: { documentId: "1001" }) { result } }';
const status = '{ malaysiaStatus(documentId: "22") { state } }';

const ask = async (
  query: string,
  headers: Record<string, string> = alice,
  to: Pick<TestGateway, 'url'> = gateway,
): Promise<any> => await (await post(to, { query }, headers)).json();

const call = (operation: string) => ({
  operation,
  status: 200,
  durationMs: expect.any(Number),
  attempts: 1,
  shared: false,
});

describe('extensions.calls', () => {
  it('is in no result in production, which refuses EXPOSE_CALLS', async () => {
    const production = { NODE_ENV: 'production', UPSTREAM_URL: 'sandbox' };
    const own = forTest(await startTestGateway(production));
    const handler = forTest(await startTestHandler(production));
    const data = { mexicoValidation: { result: 'VALID' } };
    for (const [name, ask] of Object.entries(transports))
      expect(await ask(own, { query: one }), name).toEqual({ data });
    expect(await (transports['POST'] as Ask)(own, { query: one }, alice, handler.fetch)).toEqual({ data });
    await expect(startTestGateway({ ...production, EXPOSE_CALLS: 'true' })).rejects.toThrow(
      'EXPOSE_CALLS must not be true in production',
    );
  });

  it('is off in front of a real service unless EXPOSE_CALLS is true', async () => {
    const own = forTest(await startTestGateway({ UPSTREAM_URL: service.url }));
    expect(await ask(status, alice, own)).toEqual({ data: { malaysiaStatus: { state: 'QUEUED' } } });
  });

  it.each([
    ['the status and attempts of a call that failed, next to its error', does.json(503, {}), 503],
    ['status null for a call without a response', does.reset, null],
  ])('has %s', async (_what, behaviour, expected) => {
    service.will(behaviour);
    const { errors, extensions } = await ask(status);
    expect(errors).toHaveLength(1);
    expect(extensions.calls).toEqual([{ ...call('malaysiaStatus'), status: expected, attempts: 3 }]);
  });

  it('has no attempt for a call that was not sent', async () => {
    const own = forTest(
      await startTestGateway({
        UPSTREAM_URL: service.url,
        EXPOSE_CALLS: 'true',
        UPSTREAM_CONCURRENCY_PER_CALLER: '1',
        UPSTREAM_READ_DEADLINE_MS: '100',
        SHUTDOWN_GRACE_MS: '50',
      }),
    );
    service.will(does.hang);
    void ask('mutation { createGroup(input: {}) { __typename } }', alice, own).catch(() => {});
    await expect.poll(() => metricOf(own, 'folio_service_calls_in_flight')).toBe(1);
    const { extensions } = await ask(status, alice, own);
    expect(extensions.calls).toEqual([{ ...call('malaysiaStatus'), status: null, attempts: 0 }]);
  });

  it('is absent when no call was made', async () => {
    const body = await ask(one, {});
    expect(body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect(Object.keys(body).sort()).toEqual(['data', 'errors']);
  });

  it.each(['1', 'a b', '发票', '100%'])(
    'lists the call for %s that two fields use once, as shared',
    async (id) => {
      const { extensions } = await ask(
        `{ a: malaysiaStatus(documentId: "${id}") { state } b: malaysiaStatus(documentId: "${id}") { state } c: malaysiaStatus(documentId: "2") { state } }`,
      );
      const shared = extensions.calls.map((listed: { shared: boolean }) => listed.shared);
      expect(shared.sort()).toEqual([false, true]);
    },
  );

  it('lists a call that two operations share in both results', async () => {
    const waiting: (() => void)[] = [];
    service.will((request, response) => {
      waiting.push(() => queued(request, response));
    });
    const socket = forTest(await connectedSocket(gateway));
    for (const id of ['1', '2']) socket.subscribe(id, status);
    // A request of another operation passes through the gateway after both have begun.
    socket.subscribe('3', '{ __typename }');
    await socket.messageOf('3');
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    for (const respond of waiting) respond();
    for (const id of ['1', '2']) {
      const { extensions } = (await socket.messageOf(id)).payload;
      expect(extensions.calls).toEqual([{ ...call('malaysiaStatus'), shared: true }]);
    }
    expect(service.received).toHaveLength(1);
  });

  it.each([
    [100, undefined],
    [101, 1],
  ])('lists the first 100 of %i calls, and counts the others: %s', async (count, moreCalls) => {
    const ids = (first: number, count: number) =>
      JSON.stringify(Array.from({ length: count }, (_, index) => first + index));
    const list = (ids: string) => `malaysiaStatuses(documentIds: ${ids}) { state }`;
    const { extensions } = await ask(`{ a: ${list(ids(0, 60))} b: ${list(ids(60, count - 60))} }`);
    expect(extensions.calls).toHaveLength(100);
    expect(extensions.moreCalls).toBe(moreCalls);
  });

  it('contains no credential, id or path', async () => {
    const { extensions } = await ask('{ malaysiaStatus(documentId: "471100815") { state } }');
    expect(extensions).toEqual({ calls: [call('malaysiaStatus')] });
    expect(JSON.stringify(extensions)).not.toMatch(/471100815|4711|Bearer|\//);
  });
});
