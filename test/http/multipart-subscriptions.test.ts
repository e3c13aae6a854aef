/** Subscriptions by Apollo's multipart protocol, over HTTP and without a WebSocket. */
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { lastValueFrom, tap, toArray } from 'rxjs';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { multipartEvents } from '../../src/http/graphql/multipart-events.ts';
import type { SubscriptionResults } from '../../src/operation/subscription-results.ts';
import { alice, post, quickPolls, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { forTest, gatewayWith } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { openConnection, postOf } from '../support/raw-http.ts';
import { json } from '../support/service.ts';

const accept = 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json';
const query = 'subscription ($id: ID!) { malaysiaStatusChanged(documentId: $id) { state isFinal } }';

/** Status that the service reports. */
let state = 'queued';
const { service, gateway } = await gatewayWith(quickPolls, (request, response) =>
  json(200, { status: state })(request, response),
);
beforeEach(() => {
  state = 'queued';
});

const subscribe = (headers: Record<string, string> = {}, id = '1', init: RequestInit = {}) =>
  post(gateway, { query, variables: { id } }, { ...alice, accept, ...headers }, init);

function apolloClient({ url }: TestGateway): ApolloClient {
  const link = new HttpLink({ uri: url, headers: alice });
  const defaultOptions = {
    query: { errorPolicy: 'none' },
    watchQuery: { errorPolicy: 'none' },
    mutate: { errorPolicy: 'all' },
  } as const;
  return new ApolloClient({ cache: new InMemoryCache(), link, defaultOptions });
}

it('a subscription with a malformed Host is refused by an error of the gateway', async () => {
  const body = JSON.stringify({ query, variables: { id: '1' } });
  const request = postOf(body, { ...alice, accept, host: '[::1' });
  const connection = forTest(await openConnection(gateway.url, request));
  await connection.until(/^HTTP\/1\.1 400 .*"code":"BAD_REQUEST"/s);
  expect(await metricOf(gateway, 'folio_subscriptions')).toBe(0);
});

it('a subscription whose result cannot be read ends together with its heartbeat', async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const heartbeat = vi.spyOn(globalThis, 'setInterval');
  const ended = vi.spyOn(globalThis, 'clearInterval');
  const next = () => Promise.reject(new Error('The result cannot be read.'));
  const stop = vi.fn();
  const { body } = multipartEvents({ next, stop } as unknown as SubscriptionResults);
  await expect(new Response(body).text()).rejects.toThrow('The result cannot be read.');
  expect(stop).toHaveBeenCalledOnce();
  expect(ended).toHaveBeenCalledWith(heartbeat.mock.results[0]?.value);
});

describe('a multipart subscription', () => {
  it('sends an empty part at once, each event as a payload, and the last boundary', async () => {
    const response = await subscribe();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    });
    const part = (json: string) =>
      `\r\ncontent-type: application/json; charset=utf-8\r\n\r\n${json}\r\n--graphql`;
    const event = (state: string, isFinal: boolean) =>
      part(JSON.stringify({ payload: { data: { malaysiaStatusChanged: { state, isFinal } } } }));
    let text = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      if (text.includes('QUEUED')) state = 'validated';
    }
    expect(text).toBe(`\r\n--graphql${part('{}')}${event('QUEUED', false)}${event('VALIDATED', true)}--\r\n`);
  });

  it('is read by Apollo Client with its HTTP link alone, until it completes', async () => {
    const results = apolloClient(gateway).subscribe({ query: gql(query), variables: { id: '2' } });
    const next = () => (state = 'validated');
    const received = await lastValueFrom(results.pipe(tap(next), toArray()));
    expect(received.map(({ data }: any) => data.malaysiaStatusChanged.state)).toEqual([
      'QUEUED',
      'VALIDATED',
    ]);
  });

  it('of a client that disconnects ends, and counts as an event stream until then', async () => {
    const streams = () => metricOf(gateway, 'folio_sockets{kind="event-stream"}');
    const before = gateway.logged('operation').length;
    const controller = new AbortController();
    const response = await subscribe({}, '3', { signal: controller.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    expect(await streams()).toBe(1);
    controller.abort();
    await reader?.read().catch(() => undefined);
    await expect.poll(streams).toBe(0);
    await expect.poll(() => gateway.logged('operation').length).toBe(before + 1);
  });

  it('ends without its last boundary when the gateway stops, so that the client subscribes again', async () => {
    const stopping = await startTestGateway({ UPSTREAM_URL: service.url });
    const results = apolloClient(stopping).subscribe({ query: gql(query), variables: { id: '4' } });
    const [first, last] = await new Promise<any[]>((resolve) => {
      const received: any[] = [];
      results.subscribe({
        next(result) {
          received.push(result);
          if (received.length === 1) void stopping.close();
        },
        complete: () => resolve(received),
      });
    });
    expect(first.data.malaysiaStatusChanged.state).toBe('QUEUED');
    expect(last.error).toBeInstanceOf(Error);
  });
});
