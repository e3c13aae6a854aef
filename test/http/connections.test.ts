/** HTTP connections that ask for another protocol, or whose bytes are not HTTP. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alice, startTestGateway, type TestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';

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
  service.received.length = 0;
});

interface Connection {
  readonly socket: Socket;
  /** The bytes received so far. */
  text(): string;
  /** Resolves when the text matches. */
  until(form: RegExp): Promise<void>;
  /** Resolves with the whole text when the gateway has closed the connection. */
  closed(): Promise<string>;
}

async function open(bytes: string): Promise<Connection> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => (text += chunk)).on('error', () => {});
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  socket.write(bytes, 'latin1');
  return {
    socket,
    text: () => text,
    async until(form) {
      while (!form.test(text)) await Promise.race([once(socket, 'data'), closed]);
    },
    async closed() {
      await closed;
      return text;
    },
  };
}

function post(query: string, headers: Record<string, string> = {}): string {
  const body = JSON.stringify({ query });
  const lines = Object.entries({
    host: 'a',
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...alice,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /graphql HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

const h2c = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };

describe('a request with an Upgrade header', () => {
  it('for h2c gets its normal response on a connection that stays open', async () => {
    const connection = await open(post('{ __typename }', h2c));
    await connection.until(/"__typename":"Query"/);
    expect(connection.text()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    connection.socket.write(post('{ second: __typename }', { connection: 'close' }));
    expect(await connection.closed()).toMatch(/"second":"Query"/);
  });

  it.each(['h2c', 'TLS/1.0', 'foo/2'])('for %s at /health is alive', async (upgrade) => {
    const connection = await open(
      `GET /health HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: ${upgrade}\r\n\r\n`,
    );
    await connection.until(/alive/);
    expect(connection.text()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    connection.socket.destroy();
  });

  it('for WebSocket, in upper or lower case, becomes a WebSocket', async () => {
    const connection = await open(
      'GET /graphql HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: WebSocket\r\nsec-websocket-version: 13\r\n' +
        'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n',
    );
    await connection.until(/\r\n\r\n/);
    expect(connection.text()).toMatch(/^HTTP\/1\.1 101 /);
    connection.socket.destroy();
  });
});

describe('bytes that are not HTTP', () => {
  it('after a complete mutation change nothing: its response arrives, and no other status line', async () => {
    let respond: () => void = () => {};
    service.will((request, response) => {
      respond = () => does.json(200, { createGroup: { id: 7 } })(request, response);
    });
    const connection = await open(
      post('mutation { createGroup(input: {name: "n"}) { ... on Group { id } } }'),
    );
    while (service.received.length === 0) await new Promise(setImmediate);
    connection.socket.write('\u0000garbage\r\n\r\n');
    connection.socket.write('\u0000more garbage\r\n\r\n');
    // A round trip on another connection: the gateway has read the garbage by then.
    await gateway.ask('{ __typename }');
    respond();
    const text = await connection.closed();
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).toMatch(/"createGroup":\{"id":"/);
    expect(text).not.toMatch(/400 Bad Request/);
    expect(service.received).toHaveLength(1);
  });

  it('during an event stream add no status line to it', async () => {
    service.will(does.json(200, { status: 'queued' }));
    const connection = await open(
      post('subscription { malaysiaStatusChanged(documentId: "1") { state } }', {
        accept: 'text/event-stream',
      }),
    );
    await connection.until(/event: next/);
    connection.socket.write('\u0000garbage\r\n\r\n');
    await gateway.ask('{ __typename }');
    await gateway.ask('{ __typename }');
    expect(connection.text().match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(connection.text()).not.toMatch(/400 Bad Request/);
    connection.socket.destroy();
  });

  it('alone get status 400, and the connection is closed', async () => {
    const connection = await open('garbage\r\n\r\n');
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  it('after a request that has its response get status 400', async () => {
    const connection = await open(post('{ __typename }'));
    await connection.until(/"__typename":"Query"/);
    connection.socket.write('garbage\r\n\r\n');
    expect(await connection.closed()).toMatch(/\r\n\r\n\{.*\}HTTP\/1\.1 400 Bad Request\r\n/s);
  });

  it('in the chunks of a body get status 400, and nothing is sent to the service', async () => {
    const connection = await open(
      'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    );
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(service.received).toEqual([]);
  });
});
