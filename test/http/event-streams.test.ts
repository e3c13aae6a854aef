/** Subscriptions as server-sent events. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventResponse, sendEvents } from '../../src/http/graphql/event-stream.ts';
import type { GraphQLHttpRequest } from '../../src/http/graphql/graphql-request.ts';
import { SubscriptionResults } from '../../src/operation/subscription-results.ts';
import { WatchSubscription } from '../../src/watch/watch-subscription.ts';
import { alice, post, quickPolls } from '../support/gateway.ts';
import { forTest, gatewayWith } from '../support/lifetimes.ts';
import { openConnection, postOf } from '../support/raw-http.ts';
import { json } from '../support/service.ts';

const { service, gateway } = await gatewayWith(quickPolls, json(200, { status: 'validated' }));

/** Reads a body chunk by chunk as text. */
class ClosableReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }
  text = async () => Buffer.from((await this.#reader.read()).value ?? []).toString();
  close = () => this.#reader.cancel();
}

async function subscribe(accept: string, field = 'state') {
  const query = `subscription { malaysiaStatusChanged(documentId: "1") { ${field} } }`;
  const response = await post(gateway, { query }, { ...alice, accept });
  const [type] = String(response.headers.get('content-type')).split(';', 1);
  return { type, text: await response.text() };
}

it('a subscription that also accepts JSON gets its events as an event stream, and as JSON the errors before it begins', async () => {
  const accept = 'application/graphql-response+json, application/json, text/event-stream;q=0.5';
  const { type, text } = await subscribe(accept);
  expect(type).toBe('text/event-stream');
  expect(text).toContain('data: {"data":{"malaysiaStatusChanged":{"state":"VALIDATED"}}}');
  expect(text).toContain('event: complete');
  const refused = await subscribe(accept, 'nope');
  expect(refused.type).toBe('application/graphql-response+json');
  const extensions = { code: 'GRAPHQL_VALIDATION_FAILED' };
  expect(JSON.parse(refused.text)).toMatchObject({ errors: [{ extensions }] });
});

it.each(['text/event-stream', 'multipart/mixed;subscriptionSpec=1.0'])(
  'an error in an event names its place in the operation: %s',
  async (accept) => {
    const query =
      'subscription ($isShown: Boolean = true) { malaysiaStatusChanged(documentId: "1") { state @include(if: $isShown) } }';
    const asked = { query, variables: { isShown: null } };
    const text = await (await post(gateway, asked, { ...alice, accept })).text();
    expect(text).toContain(`"locations":[{"line":1,"column":${query.indexOf('$isShown)') + 1}}]`);
    expect(text).toContain('"code":"BAD_USER_INPUT"');
  },
);

it('a response that cannot be made is INTERNAL_SERVER_ERROR, without a stack, and is logged', async () => {
  vi.spyOn(Headers.prototype, 'delete').mockImplementationOnce(() => {
    throw new Error('no events');
  });
  const { type, text } = await subscribe('text/event-stream');
  expect(type).toBe('text/event-stream');
  expect(text).toContain('"code":"INTERNAL_SERVER_ERROR","retryable":false,"sideEffect":"NONE"');
  expect(text).not.toMatch(/no events|\bat /);
  expect(gateway.logged('unforeseen error')).toMatchObject([{ err: { message: 'no events' } }]);
});

it('invalid bytes behind the request of an event stream add no status line to it, and cause no warning of Node', async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => warnings.push(message);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  service.will(json(200, { status: 'queued' }));
  onTestFinished(() => service.will(json(200, { status: 'validated' })));
  const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
  const sent = postOf(JSON.stringify({ query }), { ...alice, accept: 'text/event-stream' });
  const { socket, until, text } = forTest(await openConnection(gateway.url, sent));
  await until(/QUEUED/);
  socket.write('\0garbage\r\n\r\n');
  for (let trip = 0; trip < 2; trip += 1) await gateway.ask('{ __typename }');
  expect(text().match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(warnings).toEqual([]);
});

it.each(['text/event-stream', 'multipart/mixed;subscriptionSpec=1.0'])(
  'a connection is kept after the events of %s, except for a caller that asks to close it',
  async (accept) => {
    const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
    const sent = (more = {}) => postOf(JSON.stringify({ query }), { ...alice, accept, ...more });
    const connection = forTest(await openConnection(gateway.url, sent()));
    await connection.until(/connection: keep-alive\r\n.*VALIDATED.*\r\n0\r\n\r\n$/is);
    connection.socket.write(sent({ connection: 'close' }));
    const text = await connection.closed();
    expect(text.match(/^connection: .*/gim)?.map((line) => line.toLowerCase())).toEqual([
      'connection: keep-alive',
      'connection: close',
    ]);
    expect(text.match(/VALIDATED/g)).toHaveLength(2);
  },
);

it('a fault in an event is reported as the last result of its subscription', async () => {
  vi.spyOn(WatchSubscription.prototype, 'read').mockImplementationOnce(() => {
    throw new Error('no event');
  });
  const { text } = await subscribe('text/event-stream');
  expect(text).toMatch(/"code":"INTERNAL_SERVER_ERROR".*event: complete/s);
  expect(gateway.logged('unforeseen error').at(-1)).toMatchObject({ err: { message: 'no event' } });
});

it.each(['text/event-stream', 'multipart/mixed;subscriptionSpec=1.0'])(
  'a fault in the events of %s closes their connection alone, and is logged',
  async (accept) => {
    const before = gateway.logged('unforeseen error').length;
    vi.spyOn(SubscriptionResults.prototype, 'next').mockRejectedValueOnce(new Error('no event'));
    await expect(subscribe(accept)).rejects.toThrow(TypeError);
    expect(gateway.logged('unforeseen error').slice(before)).toMatchObject([
      { err: { message: 'no event' } },
    ]);
    expect((await subscribe(accept)).text).toContain('VALIDATED');
  },
);

describe.each([
  ['text/event-stream', 1, ':'],
  ['multipart/mixed;subscriptionSpec=1.0', 2, '{}'],
])('the events of %s', (accept, first, heartbeat) => {
  async function reading(next: () => Promise<unknown>) {
    const results = { next, stop() {}, return: async () => ({ done: true }) };
    const iterable = { ...results, [Symbol.asyncIterator]: () => results };
    const http = { request: { headers: { accept } }, headers: [] };
    const { body } = await eventResponse(iterable as never, http as unknown as GraphQLHttpRequest);
    const reader = forTest(new ClosableReader(body as ReadableStream<Uint8Array>));
    for (let part = 0; part < first; part += 1) await reader.text();
    return reader;
  }

  it('are not read from the watch before the caller has read what came before', async () => {
    const next = vi.fn(async () => ({ done: false, value: { data: 'event' } }));
    const reader = await reading(next);
    await new Promise(setImmediate);
    expect(next).not.toHaveBeenCalled();
    while (!(await reader.text()).includes('event"'));
    await new Promise(setImmediate);
    expect(next).toHaveBeenCalledOnce();
  });

  it('have heartbeats between them, of which one at most waits to be read', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const reader = await reading(() => promise);
    for (let beats = 0; beats < 2; beats += 1) {
      const read = reader.text();
      vi.advanceTimersByTime(12_000);
      expect(await read).toContain(heartbeat);
    }
    vi.advanceTimersByTime(60_000);
    expect(await reader.text()).toContain(heartbeat);
    resolve({ done: false, value: { data: 'event' } });
    expect((await reader.text()) + (await reader.text())).toContain('event"');
    await reader.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('events for a caller who has just disconnected are not written, and end', async () => {
  const stop = vi.fn();
  const results = { next: () => new Promise(() => {}), stop } as unknown as SubscriptionResults;
  const headers = { accept: 'multipart/mixed;subscriptionSpec=1.0' };
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const http = { request: { headers }, response, headers: [] } as unknown as GraphQLHttpRequest;
  response.destroy();
  await sendEvents(results, http);
  expect([stop.mock.calls.length, response.headersSent]).toEqual([1, false]);
});
