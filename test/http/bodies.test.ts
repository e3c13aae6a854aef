/** Bodies of requests: what they cost while they arrive, and which are refused. */
import { afterEach, describe, expect, it } from 'vitest';
import { heapSize, memoryBudgets } from '../../src/config/memory-budgets.ts';
import { alice, fapiaoOperation, post, readResponse } from '../support/gateway.ts';
import { forTest, gatewayOfService } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { form, headOf, openConnection } from '../support/raw-http.ts';
import * as does from '../support/service.ts';
import { connectedSocket } from '../support/websocket.ts';

const { service, gateway } = await gatewayOfService(does.json(200, { createGroup: { id: 7 } }));

it('the operation of a multipart request counts with its size in memory while its file has not begun', async () => {
  const body = { query: fapiaoOperation, variables: { file: null, unused: Array(10_000).fill(0) } };
  const head = headOf('POST /graphql', { ...alice, ...form.headers, 'content-length': '1000000' });
  const bytes = `${head + form.part('operations', JSON.stringify(body))}--x\r\n`;
  forTest(await openConnection(gateway.url, bytes));
  const usedRatio = () => metricOf(gateway, 'folio_bound_used_ratio{bound="bodies"}');
  const { bodies } = memoryBudgets(heapSize());
  await expect.poll(async () => (await usedRatio()) * bodies).toBeGreaterThan(160_000);
});

describe('text that is not UTF-8', () => {
  const query = 'mutation ($n: String) { createGroup(input: {name: $n}) { __typename } }';
  const latin1 = Buffer.from(JSON.stringify({ query, variables: { n: 'José S.A.' } }), 'latin1');
  const formOf = (...headers: string[]) =>
    Buffer.from(
      form.part('operations', latin1.toString('latin1'), ...headers) + form.part('map', '{}') + form.end,
      'latin1',
    );
  afterEach(() => expect(service.received).toEqual([]));

  it.each([
    ['a body of application/json', 'application/json', latin1],
    ['a body of application/json; charset="utf-8"', 'application/json; charset="utf-8"', latin1],
    ['the operations of a multipart request', form.headers['content-type'], formOf()],
    [
      'the operations of a multipart request, with its charset',
      form.headers['content-type'],
      formOf('content-type: text/plain; charset=iso-8859-1'),
    ],
  ])('is BAD_REQUEST in %s', async (_place, type, body) => {
    const headers = { ...alice, 'x-graphql-yoga-csrf': '1', 'content-type': type };
    const { status, errors } = await readResponse(await post(gateway, '', headers, { body }));
    expect([status, errors?.[0]?.extensions.code]).toEqual([400, 'BAD_REQUEST']);
  });

  it.each(['%E9', '%C3', '\u00e9'])('is BAD_REQUEST in a query string: %s', async (bytes) => {
    const target = `GET /graphql?query=%7B__typename%7D&variables={"n":"${bytes}"}`;
    const head = headOf(target, { 'apollo-require-preflight': '1', connection: 'close' });
    expect(await (await openConnection(gateway.url, head)).closed()).toMatch(/^HTTP\/1\.1 400/);
  });

  it('is refused in a WebSocket message, text or binary', async () => {
    const message = JSON.stringify({ type: 'subscribe', id: '1', payload: { query, variables: { n: 'é' } } });
    for (const binary of [true, false]) {
      const socket = await connectedSocket(gateway);
      socket.raw.send(Buffer.from(message, 'latin1'), { binary });
      expect((await socket.closed()).code).toBe(1007);
    }
  });
});

it('U+FFFD that a caller sends is text like any other', async () => {
  await gateway.ask('mutation { createGroup(input: {name: "\ufffd"}) { __typename } }');
  expect(JSON.parse(String(service.received[0]?.body))).toEqual({ name: '\ufffd' });
  const query = 'query ($id: ID!) { malaysiaStatus(documentId: $id) { state } }';
  const search = new URLSearchParams({ query, variables: '{"id":{"\ufffd":1}}' });
  const response = await fetch(`${gateway.url}?${search}`, { headers: { 'x-graphql-yoga-csrf': '1' } });
  expect((await readResponse(response)).errors?.[0]?.message).toContain('{ \ufffd: 1 }');
});
