import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  alice,
  readResponse,
  startTestGateway,
  startTestHandler,
  type TestGateway,
  type TestHandler,
} from '../support/gateway.ts';
import { openSocket } from '../support/websocket.ts';

let gateway: TestGateway;
let handler: TestHandler;
beforeAll(async () => {
  const polls = { MALAYSIA_POLL_MIN_MS: '20', MALAYSIA_POLL_MAX_MS: '40' };
  gateway = await startTestGateway({ ...polls, SANDBOX_SPEED: '100' });
  handler = await startTestHandler({ ...polls, UPSTREAM_URL: gateway.serviceUrl, EXPOSE_CALLS: 'true' });
});
afterAll(async () => {
  await handler.close();
  await gateway.close();
});

const csrf = { 'x-graphql-yoga-csrf': '1' };
const validation = '{ mexicoValidation(by: { documentId: "1001" }) { result } }';
const answer = { data: { mexicoValidation: { result: 'VALID' } } };
const call = {
  operation: 'mexicoValidation',
  status: 200,
  durationMs: expect.any(Number),
  attempts: 1,
  shared: false,
};
/** The answer with the list of its calls, which the sandbox adds outside production. */
const listed = { ...answer, extensions: { calls: [call] } };

async function importInvoice(docNumber: string, headers = alice): Promise<string> {
  const { data } = await gateway.ask(
    `mutation ($docNumber: String!) {
      importMalaysiaInvoice(input: { queueId: "1", invoice: {
        docType: INVOICE, docNumber: $docNumber, supplier: {}, buyer: {}, lines: [{ amountExclTax: "10.00", taxes: [] }]
      } }) { ... on MalaysiaImport { documentId } }
    }`,
    { docNumber },
    headers,
  );
  return data.importMalaysiaInvoice.documentId;
}

const watch = (documentId: string) =>
  `subscription { malaysiaStatusChanged(documentId: "${documentId}") { state rawState isFinal isDelayed message govPortal { uuid } } }`;

/** The events of a response of server-sent events. */
async function* events(response: Response): AsyncGenerator<{ event: string; data: any }> {
  let rest = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += Buffer.from(chunk).toString();
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: ?(.*)$/m.exec(block)?.[1];
      if (event) yield { event, data: data ? JSON.parse(data) : undefined };
    }
  }
}

describe('an operation has the same result', () => {
  it('by POST', async () => {
    expect(await gateway.ask(validation)).toMatchObject(answer);
  });

  it('by GET', async () => {
    const response = await fetch(`${gateway.url}?query=${encodeURIComponent(validation)}`, {
      headers: { ...alice, ...csrf },
    });
    expect(await readResponse(response)).toMatchObject(answer);
  });

  it('by server-sent events', async () => {
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { ...alice, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: validation }),
    });
    const received = await Array.fromAsync(events(response));
    expect(received).toEqual([
      { event: 'next', data: listed },
      { event: 'complete', data: undefined },
    ]);
  });

  it.each([
    ['GET', '*/*'],
    ['POST', '*/*'],
    ['POST', 'text/event-stream'],
    ['POST', 'multipart/mixed'],
  ])('through a handler of Request objects, by %s with `accept: %s`', async (method, accept) => {
    const search = `?query=${encodeURIComponent(validation)}`;
    const headers = { ...alice, ...csrf, 'content-type': 'application/json', accept };
    const body = JSON.stringify({ query: validation });
    const response = await handler.fetch(
      `/api/graphql${method === 'GET' ? search : ''}`,
      method === 'GET' ? { headers } : { method, headers, body },
    );
    expect(JSON.parse(/\{.*\}/.exec(await response.text())?.[0] as string)).toEqual(listed);
  });

  it('over a WebSocket', async () => {
    const received = await Array.fromAsync(gateway.webSocketClient().iterate({ query: validation }));
    expect(received).toEqual([listed]);
  });
});

describe('a subscription', () => {
  it('sends each state of an import until it is validated, over a WebSocket', async () => {
    const documentId = await importInvoice('WS-1');
    const received = await Array.fromAsync(gateway.webSocketClient().iterate({ query: watch(documentId) }));
    const states = received.map(({ data }: any) => data.malaysiaStatusChanged.state);
    expect(states.at(-1)).toBe('VALIDATED');
    expect(states).toEqual([...new Set(states)]);
    expect((received.at(-1) as any).data.malaysiaStatusChanged).toMatchObject({
      isFinal: true,
      isDelayed: false,
      govPortal: { uuid: expect.stringMatching(/^[A-Z0-9]{26}$/) },
    });
  });

  it('sends the reason why an import was rejected, as server-sent events', async () => {
    const documentId = await importInvoice('SSE-REJ');
    const response = await fetch(`${gateway.url}?query=${encodeURIComponent(watch(documentId))}`, {
      headers: { ...alice, ...csrf, accept: 'text/event-stream' },
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    const received = await Array.fromAsync(events(response));
    expect(received.at(-1)?.event).toBe('complete');
    expect(received.at(-2)?.data.data.malaysiaStatusChanged).toMatchObject({
      state: 'REJECTED',
      isFinal: true,
    });
    expect(received.at(-2)?.data.data.malaysiaStatusChanged.message).toBeTruthy();
  });

  it('sends each state of an import until it is validated, through a handler of Request objects', async () => {
    const documentId = await importInvoice('HANDLER-1');
    const response = await handler.fetch('/api/graphql', {
      method: 'POST',
      headers: { ...alice, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: watch(documentId) }),
    });
    const received = await Array.fromAsync(events(response));
    expect(received.at(-1)?.event).toBe('complete');
    expect(received.at(-2)?.data.data.malaysiaStatusChanged).toMatchObject({
      state: 'VALIDATED',
      isFinal: true,
    });
  });

  it('of several documents completes when all are final, though one of them cannot be watched', async () => {
    const documentIds = [await importInvoice('MANY-1'), await importInvoice('MANY-FAIL'), '../x'];
    const query = `subscription ($documentIds: [ID!]!) {
      malaysiaStatusesChanged(documentIds: $documentIds) {
        documentId state message isFinal problem { code message retryable }
      }
    }`;
    const received = await Array.fromAsync(
      gateway.webSocketClient().iterate({ query, variables: { documentIds } }),
    );
    const last = new Map(
      received.map(({ data }: any) => [
        data.malaysiaStatusesChanged.documentId,
        data.malaysiaStatusesChanged,
      ]),
    );
    expect(documentIds.map((id) => last.get(id)?.state)).toEqual(['VALIDATED', 'FAILED', 'UNKNOWN']);
    const { message } = last.get('../x');
    expect(message).toMatch(/1 to 128 characters/);
    expect(last.get('../x').problem).toEqual({ code: 'BAD_USER_INPUT', message, retryable: false });
    const others = received.map(({ data }: any) => data.malaysiaStatusesChanged);
    expect(others.filter(({ documentId, problem }) => documentId !== '../x' && problem)).toEqual([]);
  });

  it('is refused with 406 over a transport without events', async () => {
    const { status, errors } = await gateway.ask(watch('1'));
    expect(status).toBe(406);
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_REQUEST' } });
  });
});

describe('a WebSocket', () => {
  it('uses the credentials of connection_init in any case, at the top or under headers', async () => {
    for (const payload of [
      { 'X-API-Key': alice['x-api-key'], AUTHORIZATION: alice.authorization },
      { headers: { 'X-Api-Key': alice['x-api-key'], authorization: alice.authorization } },
    ]) {
      const received = await Array.fromAsync(gateway.webSocketClient(payload).iterate({ query: validation }));
      expect(received).toEqual([listed]);
    }
  });

  it('uses the credentials of the upgrade request when connection_init has none', async () => {
    const socket = await openSocket(gateway, { headers: alice });
    socket.send({ type: 'connection_init' });
    expect(await socket.message()).toEqual({ type: 'connection_ack' });
    socket.send({ type: 'subscribe', id: '1', payload: { query: validation } });
    expect(await socket.message()).toEqual({ type: 'next', id: '1', payload: listed });
    socket.close();
  });

  it('without credentials is accepted, and a field that requires credentials is UNAUTHENTICATED', async () => {
    const received = await Array.fromAsync(gateway.webSocketClient({}).iterate({ query: validation }));
    expect(received).toMatchObject([
      { data: { mexicoValidation: null }, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
    ]);
  });

  it.each([
    ['a list', []],
    ['a number as key', { 'x-api-key': 7 }],
    ['a key with a line break', { 'x-api-key': 'a\r\nb' }],
    ['a key with an umlaut', { authorization: 'Bearer ä' }],
    ['an object as key', { 'x-api-key': { toString: 'a' } }],
    ['headers that are not an object', { headers: 'x-api-key: a' }],
  ])('with %s in its connection_init is closed with 4400', async (_title, payload) => {
    const socket = await openSocket(gateway);
    socket.send({ type: 'connection_init', payload });
    expect(await socket.closed()).toMatchObject({ code: 4400 });
  });

  it('stays open after a syntax error and an unknown field, and its other operations continue', async () => {
    const documentId = await importInvoice('SIBLING-SLOW');
    const socket = await openSocket(gateway);
    socket.send({ type: 'connection_init', payload: alice });
    await socket.message();
    socket.send({ type: 'subscribe', id: 'live', payload: { query: watch(documentId) } });
    expect(await socket.message()).toMatchObject({ id: 'live', type: 'next' });
    socket.send({ type: 'subscribe', id: 'bad', payload: { query: '{' } });
    socket.send({ type: 'subscribe', id: 'worse', payload: { query: '{ nope }' } });
    const answers = [await socket.messageOf('bad'), await socket.messageOf('worse')];
    expect(answers.map(({ type, payload }) => [type, payload[0].extensions.code])).toEqual([
      ['error', 'GRAPHQL_PARSE_FAILED'],
      ['error', 'GRAPHQL_VALIDATION_FAILED'],
    ]);
    expect(await socket.messageOf('live')).toMatchObject({ type: 'next' });
    socket.close();
  });

  it('is refused for a page of another origin', async () => {
    const socket = new WebSocket(gateway.url.replace('http', 'ws'), 'graphql-transport-ws', {
      headers: { origin: 'https://evil.example' },
    });
    const status = await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
      socket.on('error', () => {});
    });
    expect(status).toBe(403);
  });
});
