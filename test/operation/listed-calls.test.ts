/** `extensions.calls` of a result: the calls to the service that were made for it. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  alice,
  startTestGateway,
  startTestHandler,
  type TestGateway,
  type TestHandler,
  upload,
} from '../support/gateway.ts';
import * as does from '../support/service.ts';
import { openSocket } from '../support/websocket.ts';

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.close();
});

async function gatewayWith(environment: Record<string, string> = {}): Promise<TestGateway> {
  const gateway = await startTestGateway(environment);
  running.push(gateway);
  return gateway;
}

async function handlerWith(environment: Record<string, string> = {}): Promise<TestHandler> {
  const handler = await startTestHandler(environment);
  running.push(handler);
  return handler;
}

/** A gateway that lists calls, in front of a service with this behaviour. */
async function gatewayOf(...behaviours: does.Behaviour[]): Promise<TestGateway> {
  const service = await does.startService(...behaviours);
  running.push(service);
  return await gatewayWith({ UPSTREAM_URL: service.url, EXPOSE_CALLS: 'true' });
}

const post = { method: 'POST', headers: { 'content-type': 'application/json', ...alice } };

async function bodyOf(gateway: TestGateway, query: string, init: RequestInit = post): Promise<any> {
  const response = await fetch(gateway.url, { ...init, body: JSON.stringify({ query }) });
  return await response.json();
}

const one = '{ mexicoValidation(by: { documentId: "1001" }) { result } }';
const status = '{ malaysiaStatus(documentId: "22") { state } }';
const answered = does.json(200, { status: 'queued' });
const call = (operation: string) => ({
  operation,
  status: 200,
  durationMs: expect.any(Number),
  attempts: 1,
  shared: false,
});

/** One query and one mutation with a file over every road that carries results of queries and mutations. */
async function resultsOfAllRoads(
  gateway: TestGateway,
  handler: TestHandler,
): Promise<Record<string, string>> {
  const scan = `mutation ($file: Upload!) {
    scanIdentityCard(input: { file: $file, queueId: "7" }) { ... on ScanResult { status } }
  }`;
  const form = upload(scan, { file: null }, 'variables.file', { bytes: 'a card', name: 'card.png' });
  const csrf = { 'x-graphql-yoga-csrf': '1', ...alice };
  const events = { ...post.headers, accept: 'text/event-stream' };
  const send = async (init: RequestInit, search = '') =>
    await (await fetch(gateway.url + search, init)).text();
  const socket = await openSocket(gateway, { headers: alice });
  socket.send({ type: 'connection_init' });
  await socket.message();
  socket.send({ type: 'subscribe', id: '1', payload: { query: one } });
  const message = JSON.stringify(await socket.message());
  socket.close();
  return {
    post: await send({ ...post, body: JSON.stringify({ query: one }) }),
    get: await send({ headers: csrf }, `?query=${encodeURIComponent(one)}`),
    'event stream': await send({ method: 'POST', headers: events, body: JSON.stringify({ query: one }) }),
    multipart: await send({ method: 'POST', headers: csrf, body: form }),
    webSocket: message,
    handler: await (
      await handler.fetch('/graphql', { ...post, body: JSON.stringify({ query: one }) })
    ).text(),
  };
}

describe('extensions.calls', () => {
  it('lists the calls of a result over JSON, GET, event streams, uploads and WebSockets', async () => {
    const results = await resultsOfAllRoads(await gatewayWith(), await handlerWith());
    for (const [road, text] of Object.entries(results)) {
      const operation = road === 'multipart' ? 'scan' : 'mexicoValidation';
      expect(text, road).toMatch(
        new RegExp(
          `"extensions":{"calls":\\[{"operation":"${operation}\\w*","status":200,"durationMs":\\d+,"attempts":1,"shared":false}\\]}`,
        ),
      );
    }
  });

  it('is in no result in production, which refuses EXPOSE_CALLS', async () => {
    const production = { NODE_ENV: 'production', UPSTREAM_URL: 'sandbox' };
    const results = await resultsOfAllRoads(await gatewayWith(production), await handlerWith(production));
    for (const [road, text] of Object.entries(results)) {
      expect(text, road).toMatch(/VALID|COMPLETED/);
      expect(text, road).not.toContain('extensions');
      expect(text, road).not.toContain('calls');
    }
    await expect(startTestGateway({ ...production, EXPOSE_CALLS: 'true' })).rejects.toThrow(
      'EXPOSE_CALLS must not be true in production',
    );
  });

  it('is off in front of a real service unless EXPOSE_CALLS is true', async () => {
    const service = await does.startService(answered);
    running.push(service);
    const gateway = await gatewayWith({ UPSTREAM_URL: service.url });
    expect(await bodyOf(gateway, status)).toEqual({ data: { malaysiaStatus: { state: 'QUEUED' } } });
  });

  it('has the status and attempts of a call that failed, next to its error', async () => {
    const gateway = await gatewayOf(does.json(503, {}));
    const { errors, extensions } = await bodyOf(gateway, status);
    expect(errors).toHaveLength(1);
    expect(extensions.calls).toEqual([{ ...call('malaysiaStatus'), status: 503, attempts: 3 }]);
  });

  it('has status null for a call without a response', async () => {
    const gateway = await gatewayOf(does.json(200, {}));
    await running.shift()?.close();
    const { extensions } = await bodyOf(gateway, status);
    expect(extensions.calls).toEqual([{ ...call('malaysiaStatus'), status: null, attempts: 3 }]);
  });

  it('is absent when no call was made', async () => {
    const gateway = await gatewayWith();
    const anonymous = { ...post, headers: { 'content-type': 'application/json' } };
    const body = await bodyOf(gateway, one, anonymous);
    expect(body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect(Object.keys(body).sort()).toEqual(['data', 'errors']);
  });

  it('lists a call that two fields use once, as shared', async () => {
    const gateway = await gatewayOf(answered);
    const { extensions } = await bodyOf(
      gateway,
      '{ a: malaysiaStatus(documentId: "1") { state } b: malaysiaStatus(documentId: "1") { state } c: malaysiaStatus(documentId: "2") { state } }',
    );
    const shared = extensions.calls.map((listed: { shared: boolean }) => listed.shared);
    expect(shared.sort()).toEqual([false, true]);
  });

  it('lists a call that two operations share in both results', async () => {
    const waiting: (() => void)[] = [];
    const service = await does.startService((request, response) => {
      waiting.push(() => answered(request, response));
    });
    running.push(service);
    const gateway = await gatewayWith({ UPSTREAM_URL: service.url, EXPOSE_CALLS: 'true' });
    const socket = await openSocket(gateway, { headers: alice });
    socket.send({ type: 'connection_init' });
    await socket.message();
    for (const id of ['1', '2']) socket.send({ type: 'subscribe', id, payload: { query: status } });
    // A request of another operation passes through the gateway after both have begun.
    socket.send({ type: 'subscribe', id: '3', payload: { query: '{ __typename }' } });
    await socket.messageOf('3');
    await vi.waitUntil(() => waiting.length > 0);
    for (const respond of waiting) respond();
    for (const id of ['1', '2']) {
      const { extensions } = (await socket.messageOf(id)).payload;
      expect(extensions.calls).toEqual([{ ...call('malaysiaStatus'), shared: true }]);
    }
    socket.close();
    expect(service.received).toHaveLength(1);
  });

  it('lists the first 100 calls, and counts the others', async () => {
    const gateway = await gatewayOf(answered);
    const ids = (first: number) => JSON.stringify(Array.from({ length: 60 }, (_, index) => first + index));
    const lists = [0, 60].map((first) => `s${first}: malaysiaStatuses(documentIds: ${ids(first)}) { state }`);
    const { extensions } = await bodyOf(gateway, `{ ${lists.join(' ')} }`);
    expect(extensions.calls).toHaveLength(100);
    expect(extensions.moreCalls).toBe(20);
  });

  it('contains no credential, id or path', async () => {
    const gateway = await gatewayOf(answered);
    const { extensions } = await bodyOf(gateway, '{ malaysiaStatus(documentId: "471100815") { state } }');
    expect(extensions).toEqual({ calls: [call('malaysiaStatus')] });
    expect(JSON.stringify(extensions)).not.toMatch(/471100815|4711|Bearer|\//);
  });
});
