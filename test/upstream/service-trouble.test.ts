import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendUpload, startTestGateway, type TestGateway, upload } from '../support/gateway.ts';
import * as does from '../support/service.ts';

const polls = { MALAYSIA_POLL_MIN_MS: '20', MALAYSIA_POLL_MAX_MS: '40' };
const read = '{ malaysiaStatus(documentId: "1") { state message } }';
const watch = 'subscription { malaysiaStatusChanged(documentId: "1") { state isDelayed problem { code } } }';
const status = (word: string) => does.json(200, { status: word });

let service: does.TestService;
let gateway: TestGateway;
beforeEach(async () => {
  service = await does.startService(status('queued'));
  gateway = await startTestGateway({
    UPSTREAM_URL: service.url,
    UPSTREAM_READ_DEADLINE_MS: '1000',
    ...polls,
  });
});
afterEach(async () => {
  await gateway.close();
  await service.close();
});

/** The number of status calls for a document that the service received. */
const pollsOf = (id: string) => service.received.filter(({ path }) => path.endsWith(`/status/${id}`)).length;

/**
 * Watches another document until the service has received `polls` polls for it. Several polls of document 1 would have
 * taken as long.
 */
async function whileAnotherIsPolled(polls: number): Promise<void> {
  const client = gateway.webSocketClient();
  let count = 0;
  service.will((request, response) => {
    // Each poll returns another status, so that each causes an event.
    if (request.url?.endsWith('/status/2')) count += 1;
    status(count % 2 === 0 ? 'queued' : 'submitted')(request, response);
  });
  const query = 'subscription { malaysiaStatusChanged(documentId: "2") { state } }';
  for await (const _event of client.iterate({ query })) if (count >= polls) break;
}

/** Subscribes and records the states in order. */
function follow() {
  const states: string[] = [];
  const events = gateway.webSocketClient().iterate({ query: watch });
  const next = async () => {
    const { value, done } = (await events.next()) as any;
    if (done) return 'done';
    const { state, isDelayed, problem } = value.data?.malaysiaStatusChanged ?? {
      state: value.errors[0].extensions.code,
    };
    states.push([state, ...(isDelayed ? ['delayed'] : []), ...(problem ? [problem.code] : [])].join(' '));
    return states.at(-1);
  };
  return { states, next };
}

describe('a live subscription', () => {
  it('survives a restart of the service and reports the next change', async () => {
    const { next } = follow();
    expect(await next()).toBe('QUEUED');
    service.will(does.reset);
    service.cut();
    expect(await next()).toBe('QUEUED delayed');
    service.will(status('submitted'));
    expect(await next()).toBe('SUBMITTED');
    service.will(status('validated'));
    expect([await next(), await next()]).toEqual(['VALIDATED', 'done']);
  });

  it.each<[string, does.Behaviour]>([
    ['resets', does.reset],
    ['truncates', does.truncate],
    ['fails', does.json(500, {})],
    ['shows a page', does.htmlPage(502)],
    ['forgets the document', does.json(404, {})],
    ['limits the rate of calls', does.json(429, {}, { 'retry-after': '0' })],
  ])('is delayed while the service %s, then continues', async (_title, behaviour) => {
    const { next } = follow();
    expect(await next()).toBe('QUEUED');
    service.will(behaviour);
    expect(await next()).toBe('QUEUED delayed');
    service.will(status('rejected'));
    expect([await next(), await next()]).toEqual(['REJECTED', 'done']);
  });

  it.each<[string, does.Behaviour]>([
    ['talks nonsense', does.text(200, '<>')],
    ['sends null', does.json(200, null)],
    ['sends a bomb', does.bomb],
    ['redirects', does.text(302, '', { location: 'http://127.0.0.1:9/' })],
    ['describes the call', does.json(200, { status: 'error', message: 'Token expired' })],
  ])('has a problem and no delay while the service %s, then continues', async (_title, behaviour) => {
    const { next } = follow();
    expect(await next()).toBe('QUEUED');
    service.will(behaviour);
    expect(await next()).toBe('QUEUED UPSTREAM_BAD_RESPONSE');
    service.will(status('rejected'));
    expect([await next(), await next()]).toEqual(['REJECTED', 'done']);
  });

  it.each([
    [401, 'UNAUTHENTICATED', 'the service rejects the token'],
    [403, 'FORBIDDEN', 'the service denies access to the document'],
    [400, 'BAD_USER_INPUT', 'the service rejects the document id'],
  ])('ends on a %i response with %s and stops its polls: %s', async (code, expected) => {
    const { next } = follow();
    expect(await next()).toBe('QUEUED');
    service.will(does.json(code, {}));
    expect([await next(), await next()]).toEqual([expected, 'done']);
    const calls = pollsOf('1');
    await whileAnotherIsPolled(5);
    expect(pollsOf('1')).toBe(calls);
  });

  it('reports an unknown word as UNKNOWN and continues', async () => {
    service.will(status('on holiday'), status('validated'));
    const { next } = follow();
    expect([await next(), await next(), await next()]).toEqual(['UNKNOWN', 'VALIDATED', 'done']);
  });

  it('stops the polls when its last subscriber disconnects', async () => {
    const client = gateway.webSocketClient();
    const events = client.iterate({ query: watch });
    await events.next();
    await events.return?.();
    await client.dispose();
    await watchesEnded();
    const calls = pollsOf('1');
    await whileAnotherIsPolled(5);
    expect(pollsOf('1')).toBe(calls);
  });

  it('as server-sent events stops the polls when its reader disconnects', async () => {
    const disconnecting = new AbortController();
    const response = await fetch(`${gateway.url}?query=${encodeURIComponent(watch)}`, {
      headers: { accept: 'text/event-stream', 'x-graphql-yoga-csrf': '1' },
      signal: disconnecting.signal,
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    while (!Buffer.from((await reader.read()).value ?? []).includes('QUEUED'));
    disconnecting.abort();
    await watchesEnded();
    const calls = pollsOf('1');
    await whileAnotherIsPolled(5);
    expect(pollsOf('1')).toBe(calls);
  });
});

/** Resolves when the gateway no longer watches any document; fails with the test's time limit. */
async function watchesEnded(): Promise<void> {
  while (!/^folio_watches 0$/m.test(await (await fetch(`${gateway.origin}/metrics`)).text()));
}

describe('the status word is found', () => {
  it.each([
    ['at the top', { status: 'SUBMITTED' }],
    ['under another name', { state: 'Submitted' }],
    ['under a third name', { documentStatus: 'submitted' }],
    ['in an envelope', { getStatus: { docId: 1, status: 'submitted' } }],
  ])('%s', async (_title, body) => {
    service.will(does.json(200, body));
    expect((await gateway.ask(read)).data.malaysiaStatus.state).toBe('SUBMITTED');
  });

  it.each([
    [{ status: 'rejected', reason: 'TIN' }, 'TIN'],
    [{ status: 'rejected', message: 'TIN' }, 'TIN'],
    [{ status: 'rejected', errors: ['a', { message: 'b' }] }, 'a; b'],
  ])('together with its reason: %j', async (body, message) => {
    service.will(does.json(200, body));
    expect((await gateway.ask(read)).data.malaysiaStatus.message).toBe(message);
  });
});

describe('a connection to the service', () => {
  it('that was closed while idle causes no error of a read', async () => {
    expect((await gateway.ask(read)).errors).toBeUndefined();
    service.cut();
    expect((await gateway.ask(read)).errors).toBeUndefined();
  });

  it('with an unsolicited response is not used for another call', async () => {
    const flawed = await startRawService(
      (index) =>
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 19\r\n\r\n{"status":"queued"}` +
        (index === 0
          ? 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 22\r\n\r\n{"status":"validated"}'
          : ''),
    );
    const tested = await startTestGateway({ UPSTREAM_URL: flawed.url });
    for (let index = 0; index < 3; index += 1) {
      expect((await tested.ask(read)).data.malaysiaStatus.state).toBe('QUEUED');
    }
    await tested.close();
    flawed.close();
  });

  it('with endless headers is aborted', async () => {
    const flood = await startRawService(() => `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(50_000)}\r\n{}`);
    const flooded = await startTestGateway({ UPSTREAM_URL: flood.url, UPSTREAM_READ_DEADLINE_MS: '500' });
    const { errors } = await flooded.ask(read);
    expect(errors?.[0]?.extensions).toMatchObject({ sideEffect: 'NONE' });
    await flooded.close();
    flood.close();
  });
});

it('all uploads succeed when 20 callers upload at the same time to a service that reads slowly', async () => {
  const scanned = does.json(200, { scanDocuments: { docId: 9, status: 'COMPLETED', data: {} } });
  let served = 0;
  let receivedAtFirstResponse = 0;
  const scan: does.Behaviour = (request, response) => {
    served += 1;
    if (served === 1) receivedAtFirstResponse = service.received.length;
    scanned(request, response);
  };
  service.will(does.readingSlowly(scan, 10));
  const bytes = Buffer.alloc(2_000_000, 'x');
  const query =
    'mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "1" }) { ... on ScanResult { documentId } } }';
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      sendUpload(gateway, upload(query, { file: null }, 'variables.file', { bytes, name: 'a.png' }), {
        'x-api-key': `key-${index}`,
      }),
    ),
  );
  for (const { data } of results) expect(data.scanIdentityCard.documentId).toBe('9');
  for (const { body } of service.received) expect(body.length).toBeGreaterThan(bytes.length);
  // No upload waits for the end of another.
  expect(receivedAtFirstResponse).toBe(20);
});

/** Starts a service that responds to the request number `index` with the returned bytes. */
async function startRawService(respond: (index: number) => string): Promise<{ url: string; close(): void }> {
  let index = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', () => {
      socket.write(respond(index));
      index += 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
