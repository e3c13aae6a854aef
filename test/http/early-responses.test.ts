/** Responses to requests whose operation never runs: each in the media type that the client accepts. */
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorResult, sendResult } from '../../src/http/graphql/response.ts';
import { ErrorSummary } from '../../src/operation/operation-log.ts';
import { alice, post, scanOperation, startTestGateway } from '../support/gateway.ts';
import { forFile, forTest, serviceForFile } from '../support/lifetimes.ts';
import { type Connection, form, headOf, openConnection, postOf } from '../support/raw-http.ts';
import { hang, json } from '../support/service.ts';

const service = await serviceForFile(hang);
afterEach(() => void vi.restoreAllMocks());
const create = 'mutation { createGroup(input: {}) { __typename } }';

/** The `accept` header of a client, and the media type of the response. */
const negotiated: [accept: string, type: string][] = [
  ['application/json', 'application/json; charset=utf-8'],
  [
    'application/graphql-response+json,application/json;q=0.9',
    'application/graphql-response+json; charset=utf-8',
  ],
  ['text/event-stream', 'text/event-stream'],
  ['multipart/mixed', 'multipart/mixed; boundary="-"'],
];

/** The first GraphQL result of a body, whatever its media type. */
function resultOf(body: string): { errors: { extensions: Record<string, unknown> }[]; data?: unknown } {
  return JSON.parse(/\{".*\}/.exec(body)?.[0] as string);
}

const drainRefusal = { code: 'SHUTTING_DOWN', sideEffect: 'NONE', retryable: true, retryAfterMs: 1000 };

/**
 * A gateway that refuses requests because it drains: after a twelfth of the grace time. Returns a function that sends one of so
 * many requests, each over a connection that has begun it, so that the gateway has not closed it as idle.
 */
async function startDraining(requests: number) {
  // A busy machine needs seconds for a file, and at the end of the grace time uploads are cut off.
  const gateway = await startTestGateway({ UPSTREAM_URL: service.url, SHUTDOWN_GRACE_MS: '12000' });
  // A write in progress keeps the gateway running.
  const write = gateway.ask(create).catch(() => {});
  while (service.received.length === 0) await new Promise(setImmediate);
  const beginning = 'POST /graphql HTTP/1.1\r\n';
  const begun = await Promise.all(
    Array.from({ length: requests }, () => openConnection(gateway.url, beginning)),
  );
  const idle = await openConnection(gateway.url, headOf('GET /health'));
  // The gateway has accepted the connection when it responds.
  await idle.until(/alive/);
  const drained = Promise.all([gateway.close(), write]);
  // Requests that begin on open connections are served until those that are idle are closed.
  await idle.closed();
  forTest({
    async close() {
      service.cut();
      await drained;
    },
  });
  return async (headers: Record<string, string>, body: string): Promise<Response> => {
    const { socket, closed } = forTest(begun.pop() as Connection);
    const rest = postOf(body, { ...alice, ...headers }).slice(beginning.length);
    // A browser would lose the response to a body that it cannot send.
    await promisify((callback: (error?: Error | null) => void) => socket.write(rest, callback))();
    const [head = '', ...content] = (await closed()).split('\r\n\r\n');
    const [line, ...fields] = head.split('\r\n');
    const init = fields.map((field) => field.split(': ') as [string, string]);
    return new Response(content.join('\r\n\r\n'), { status: Number(line?.split(' ')[1]), headers: init });
  };
}

describe('a request to a gateway that drains', () => {
  it('gets SHUTTING_DOWN in the media type that it accepts', async () => {
    const send = await startDraining(negotiated.length);
    for (const [accept, contentType] of negotiated) {
      const response = await send({ accept }, '{"query":"{ __typename }"}');
      expect(response.status).toBe(503);
      const expected = { 'content-type': contentType, 'retry-after': '1', 'cache-control': 'no-store' };
      expect(Object.fromEntries(response.headers)).toMatchObject(expected);
      const body = await response.text();
      const { errors, data } = resultOf(body);
      expect(data).toBeUndefined();
      const requestId = response.headers.get('x-request-id');
      expect(errors).toMatchObject([{ extensions: { ...drainRefusal, requestId } }]);
      if (accept === 'text/event-stream') expect(body).toMatch(/\nevent: complete\ndata:\n\n$/);
    }
    expect(service.received).toHaveLength(1);
  });

  it('with a file gets SHUTTING_DOWN, and its connection is not closed during the upload', async () => {
    const send = await startDraining(1);
    const file = form.file('a'.repeat(8 * 1024 * 1024));
    const response = await send(
      form.headers,
      form.beforeFile(scanOperation, { file: null }) + file + form.end,
    );
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: drainRefusal }] });
  });
});

const gateway = forFile(await startTestGateway({ UPSTREAM_URL: service.url }));

it('a request that accepts no media type of GraphQL is refused before its mutation runs', async () => {
  const response = await post(gateway, { query: create }, { ...alice, accept: 'text/html' });
  const type = response.headers.get('content-type');
  expect([response.status, type]).toEqual([406, 'application/json; charset=utf-8']);
  const extensions = { code: 'BAD_REQUEST', sideEffect: 'NONE', retryable: false };
  expect(await response.json()).toMatchObject({ errors: [{ extensions }] });
  expect(service.received).toHaveLength(0);
});

const write = JSON.stringify;
const faults: [what: string, logged: string, begin: () => void][] = [
  [
    'whose result cannot be written',
    'not a text',
    () =>
      vi.spyOn(JSON, 'stringify').mockImplementation(((value: any, ...more: []) => {
        if (value?.data?.createGroup) throw new TypeError('not a text');
        return write(value, ...more);
      }) as typeof JSON.stringify),
  ],
  [
    'that cannot be recorded at its end',
    'not a line',
    () =>
      vi.spyOn(ErrorSummary.prototype, 'members').mockImplementationOnce(() => {
        throw new TypeError('not a line');
      }),
  ],
];

it.each(faults)(
  'a mutation %s gets INTERNAL_SERVER_ERROR, POSSIBLE in the media type it accepts',
  async (_what, logged, begin) => {
    service.will(json(200, { createGroup: { id: 7 } }));
    begin();
    const accept = 'application/graphql-response+json';
    const response = await post(gateway, { query: create }, { ...alice, accept });
    const type = response.headers.get('content-type');
    expect([response.status, type]).toEqual([500, `${accept}; charset=utf-8`]);
    const extensions = { code: 'INTERNAL_SERVER_ERROR', sideEffect: 'POSSIBLE' };
    expect(await response.json()).toMatchObject({ errors: [{ extensions }] });
    expect(gateway.log().join('')).toContain(logged);
  },
);

it('a body that arrives in one turn of the event loop with the head that is refused is not dropped in parts', async () => {
  const request = { complete: false };
  const end = vi.fn();
  const response = { headersSent: false, writeHead: () => ({ end }) };
  const holdBody = vi.fn();
  const http = { request, response, headers: [], mediaType: undefined, holdBody };
  sendResult(http as never, errorResult([]));
  request.complete = true;
  await new Promise(setImmediate);
  expect(end).toHaveBeenCalledOnce();
  expect(holdBody).not.toHaveBeenCalled();
});
