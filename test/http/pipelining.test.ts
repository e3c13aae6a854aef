/** Bursts of requests on one connection. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdleConnections } from '../../src/http/idle-connections.ts';
import { createPipelining } from '../../src/http/pipelining.ts';
import { ReclaimingBudget } from '../../src/shares/reclaiming-budget.ts';
import { shareOf } from '../../src/shares/share.ts';
import { alice, startTestGateway, type TestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';
import { aShares, holder } from '../support/shares.ts';
import { openSocket } from '../support/websocket.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService(does.json(200, { status: 'queued' }));
  gateway = await startTestGateway({ UPSTREAM_URL: service.url, LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

const headers = Object.entries(alice).map(([name, value]) => `${name}: ${value}\r\n`);

function post(query: string, accept = 'application/json'): string {
  const body = JSON.stringify({ query });
  return `POST /graphql HTTP/1.1\r\nhost: a\r\naccept: ${accept}\r\ncontent-type: application/json\r\n${headers.join('')}content-length: ${body.length}\r\n\r\n${body}`;
}

interface Connection {
  readonly socket: Socket;
  readonly text: () => string;
  until(matches: (text: string) => boolean): Promise<void>;
}

async function open(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('error', () => {}).on('data', (chunk) => (text += chunk));
  await once(socket, 'connect');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  return {
    socket,
    text: () => text,
    async until(matches) {
      while (!matches(text)) {
        if (socket.destroyed) throw new Error(`closed after: ${text}`);
        await Promise.race([once(socket, 'data'), closed]);
      }
    },
  };
}

const responsesIn = (text: string) => text.split('HTTP/1.1 200').length - 1;
const statusOf = (id: string) => `{ malaysiaStatus(documentId: "${id}") { state } }`;
const isReceived = (id: string) => service.received.some(({ path }) => path.includes(id));

/** A WebSocket handshake. */
const handshake =
  'GET /graphql HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n' +
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n';

/** A budget of request bodies. */
const bodiesOf = (all: number) =>
  new ReclaimingBudget(shareOf('bodies', all, { newcomers: all, owner: all }), aShares(), 'costliest');

describe('pipelined requests', () => {
  it('and an upgrade behind them get their responses in order, the upgrade a refusal', async () => {
    const { socket, text } = await open(gateway.url);
    const closed = once(socket, 'close');
    socket.write(post(statusOf('104')) + handshake);
    await closed;
    expect([...text().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '403']);
  });

  it('do not prevent an upgrade after their responses', async () => {
    const { socket, until } = await open(gateway.url);
    socket.write(post('{ first: __typename }'));
    await until((received) => received.includes('"first"'));
    await gateway.ask('{ __typename }');
    socket.write(handshake);
    await until((received) => received.includes('HTTP/1.1 101'));
    socket.destroy();
  });

  it('behind an event stream are not started', async () => {
    const { socket, until } = await open(gateway.url);
    const subscription = 'subscription { malaysiaStatusChanged(documentId: "101") { state } }';
    socket.write(post(subscription, 'text/event-stream') + post(statusOf('102')).repeat(20));
    await until((text) => text.includes('QUEUED'));
    await gateway.ask(statusOf('103'));
    expect([isReceived('103'), isReceived('102')]).toEqual([true, false]);
    socket.destroy();
  });

  it('get their responses in order, up to 101 of them', async () => {
    const { socket, text, until } = await open(gateway.url);
    const names = Array.from({ length: 101 }, (_, index) => `a${index}`);
    socket.write(names.map((name) => post(`{ ${name}: __typename }`)).join(''));
    await until((received) => received.includes('"a100"'));
    expect([...text().matchAll(/"(a\d+)"/g)].map(([, name]) => name)).toEqual(names);
    expect(responsesIn(text())).toBe(101);
    socket.destroy();
  });

  it('beyond 101 close the connection, and others are served', async () => {
    const { socket } = await open(gateway.url);
    socket.resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(post('{ __typename }').repeat(500));
    await closed;
    expect((await gateway.ask('{ __typename }')).status).toBe(200);
  });

  it('start in one turn of the event loop each', async () => {
    let turn = 0;
    let isOver = false;
    const count = () => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    count();
    const turns: number[] = [];
    const pipelining = createPipelining(bodiesOf(10_000_000), () => holder('a'), new IdleConnections(10));
    const server = createServer((request, response) =>
      pipelining.schedule(request, response, () => {
        turns.push(turn);
        response.end();
      }),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { socket, until } = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(50));
    await until((text) => responsesIn(text) === 50);
    isOver = true;
    socket.destroy();
    server.close();
    expect(new Set(turns).size).toBe(50);
  });

  it('that wait count as request bodies until the connection ends', async () => {
    const bodies = bodiesOf(1_000_000);
    const pipelining = createPipelining(bodies, () => holder('a'), new IdleConnections(10));
    const server = createServer((request, response) =>
      pipelining.schedule(request, response, () => {}),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { socket } = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    socket.write('GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n'.repeat(11));
    while (bodies.held < 87_040) await new Promise(setImmediate);
    expect(bodies.held).toBe(87_040);
    socket.destroy();
    while (bodies.held > 0) await new Promise(setImmediate);
    server.close();
  });
});

it('a WebSocket starts one operation in a turn of the event loop', async () => {
  const socket = await openSocket(gateway);
  socket.send({ type: 'connection_init', payload: alice });
  await socket.message();
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  count();
  for (let index = 0; index < 100; index += 1) {
    socket.send({ type: 'subscribe', id: String(index), payload: { query: '{ __typename }' } });
  }
  await Promise.all(Array.from({ length: 100 }, (_, index) => socket.messageOf(String(index))));
  isOver = true;
  socket.close();
  expect(turns).toBeGreaterThanOrEqual(100);
});
