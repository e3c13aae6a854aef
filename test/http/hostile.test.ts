import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alice, bob, sendUpload, startTestGateway, type TestGateway, upload } from '../support/gateway.ts';
import * as does from '../support/service.ts';
import { openSocket } from '../support/websocket.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService();
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});
beforeEach(() => {
  service.will(does.json(200, { status: 'queued', createGroup: { id: 7 } }));
  service.received.length = 0;
});

const check =
  'query ($invoice: MalaysiaInvoiceInput!) { checkMalaysiaInvoice(invoice: $invoice) { isValid } }';
const invoice = { docType: 'CREDIT_NOTE', docNumber: '1', supplier: {}, buyer: {}, lines: [] as object[] };

describe('an oversized input is rejected before it is processed', { timeout: 3_000 }, () => {
  it('an invoice of 100,000 lines, used by 20 fields', async () => {
    const lines = Array.from({ length: 100_000 }, () => ({ amountExclTax: 1, taxes: [] }));
    const fields = Array.from(
      { length: 20 },
      (_, index) => `a${index}: checkMalaysiaInvoice(invoice: $invoice) { a: isValid b: isValid }`,
    );
    const { errors } = await gateway.ask(`query ($invoice: MalaysiaInvoiceInput!) { ${fields.join(' ')} }`, {
      invoice: { ...invoice, lines },
    });
    expect(new Set(errors?.map(({ extensions }) => extensions.code))).toEqual(new Set(['BAD_USER_INPUT']));
  });

  it('an operation of a million comments', async () => {
    const { status, errors } = await gateway.ask(`{ __typename }\n${'#\n'.repeat(1_000_000)}`);
    expect([status, errors?.[0]?.extensions.code]).toEqual([400, 'OPERATION_TOO_EXPENSIVE']);
  });

  it('an input object of 100,000 unknown members', async () => {
    const members = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`m${index}`, 1]));
    const { errors } = await gateway.ask(check, { invoice: members });
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(JSON.stringify(errors).length).toBeLessThan(3_000);
  });

  it('JSON of 100,000 numbers', async () => {
    const numbers = Array.from({ length: 100_000 }, (_, index) => index);
    const { errors } = await gateway.ask(check, { invoice: { ...invoice, extra: { numbers } } });
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe('a Host header that is not part of a valid URL', () => {
  it.each(['a:99999', '%%%[', 'a b', 'a/b?c#d', ''])('causes no internal error: %j', async (host) => {
    const { hostname, port } = new URL(gateway.url);
    const body = '{"query":"{ __typename }"}';
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /graphql HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        );
      });
      socket.on('data', (chunk) => (text += chunk)).on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1.1 (200|400)/);
    expect(answer).not.toMatch(/TypeError|node_modules/);
  });
});

describe('a WebSocket', () => {
  async function acknowledged() {
    const socket = await openSocket(gateway);
    socket.send({ type: 'connection_init', payload: alice });
    await socket.message();
    return socket;
  }

  it('gets a pong without the payload of its ping', async () => {
    const socket = await openSocket(gateway);
    socket.send({ type: 'ping', payload: { a: 'x'.repeat(100_000) } });
    expect(await socket.message()).toEqual({ type: 'pong' });
    socket.close();
  });

  it('cannot reuse the id of a mutation in progress, even after it completed it', async () => {
    service.will(does.hang);
    const socket = await acknowledged();
    socket.send({
      type: 'subscribe',
      id: '1',
      payload: { query: 'mutation { createGroup(input: {}) { __typename } }' },
    });
    while (!service.received.some(({ path }) => path === '/v1/groups')) await new Promise(setImmediate);
    socket.send({ type: 'complete', id: '1' });
    socket.send({ type: 'subscribe', id: '1', payload: { query: '{ __typename }' } });
    expect(await socket.messageOf('1')).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'BAD_REQUEST' } }],
    });
    socket.close();
    service.cut();
  });

  it('may reuse the id of a subscription that it has completed', async () => {
    const socket = await acknowledged();
    const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
    for (let round = 0; round < 5; round += 1) {
      socket.send({ type: 'subscribe', id: 'again', payload: { query } });
      expect(await socket.messageOf('again')).toMatchObject({ type: 'next' });
      socket.send({ type: 'complete', id: 'again' });
      // The pong proves that the completion was processed.
      socket.send({ type: 'ping' });
      expect(await socket.message()).toEqual({ type: 'pong' });
    }
    socket.close();
    await socket.closed();
  });

  it('is closed by a drain after the result of its mutation, and starts no new operations', async () => {
    let answer: () => void = () => {};
    service.will((request, response) => {
      answer = () => does.json(200, { createGroup: { id: 7 } })(request, response);
    });
    const leaving = await startTestGateway({ UPSTREAM_URL: service.url });
    const socket = await openSocket(leaving);
    socket.send({ type: 'connection_init', payload: alice });
    await socket.message();
    socket.send({
      type: 'subscribe',
      id: 'm',
      payload: { query: 'mutation { createGroup(input: {}) { ... on Group { id } } }' },
    });
    while (!service.received.some(({ path }) => path === '/v1/groups')) await new Promise(setImmediate);
    const { hostname, port } = new URL(leaving.url);
    const idle = connect(Number(port), hostname).on('error', () => {});
    idle.write('GET /health HTTP/1.1\r\nhost: a\r\n\r\n');
    await once(idle, 'data');
    const closed = leaving.close();
    // Operations that begin on open connections are served until those that are idle are closed.
    await once(idle.resume(), 'close');
    socket.send({ type: 'subscribe', id: 'n', payload: { query: '{ __typename }' } });
    expect(await socket.messageOf('n')).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'SHUTTING_DOWN' } }],
    });
    answer();
    expect(await socket.messageOf('m')).toMatchObject({
      type: 'next',
      payload: { data: { createGroup: { id: '7' } } },
    });
    expect((await socket.closed()).code).toBe(1001);
    await closed;
  });
});

it('a rejected upgrade closes the connection even if the client keeps its side open', async () => {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.on('error', () => {}).resume();
  socket.write('GET /nowhere HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  await new Promise((resolve) => socket.on('end', resolve));
  // Writing to a connection that the server has destroyed closes it here as well.
  const timer = setInterval(() => socket.write('x'), 20);
  await closed;
  clearInterval(timer);
});

it('an HTML page of status 400 for one caller does not open the circuit breaker for others', async () => {
  service.will(does.htmlPage(400));
  for (let index = 0; index < 40; index += 1)
    await gateway.ask('{ malaysiaStatus(documentId: "1") { state } }', {}, bob);
  service.will(does.json(200, { status: 'queued' }));
  expect((await gateway.ask('{ malaysiaStatus(documentId: "1") { state } }')).errors).toBeUndefined();
});

describe('a scan with an idempotency key whose response arrives before the upload ends', () => {
  const bytes = Buffer.alloc(5_000_000, 'x');
  const scan = (key: string) =>
    sendUpload(
      gateway,
      upload(
        'mutation ($i: ScanIdentityCardInput!) { scanIdentityCard(input: $i) { ... on ScanResult { documentId } } }',
        { i: { file: null, queueId: '1', idempotencyKey: key } },
        'variables.i.file',
        { bytes, name: 'a.png' },
      ),
    );

  it.each([
    ['with success', does.jsonEarly(200, { scanDocuments: { docId: 3, data: {} } }), 'APPLIED'],
    ['with a failure', does.jsonEarly(500, {}), 'POSSIBLE'],
    ['with a reset', does.resetBeforeBody, 'POSSIBLE'],
  ])('%s is never reported as not done', async (_title, behaviour, sideEffect) => {
    const key = `early-scan-${sideEffect}-${_title.replaceAll(' ', '-')}`;
    service.will(behaviour);
    await scan(key);
    const { errors } = await scan(key);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'OUTCOME_UNKNOWN', sideEffect, retryable: false });
    expect(service.received.filter(({ path }) => path.includes('scan'))).toHaveLength(1);
  });
});
