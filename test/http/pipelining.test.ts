/** Bursts of requests on one connection. */
import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createIdleConnections } from '../../src/http/connection/idle-connections.ts';
import { createPipelining } from '../../src/http/connection/pipelining.ts';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { ReclaimingBudget } from '../../src/shares/reclaiming-budget.ts';
import { alice, startTestGateway } from '../support/gateway.ts';
import { forTest, gatewayWith } from '../support/lifetimes.ts';
import { listen } from '../support/listen.ts';
import { handshake, headOf, openConnection, postOf } from '../support/raw-http.ts';
import * as does from '../support/service.ts';
import { aShares, holder } from '../support/shares.ts';
import { connectedSocket } from '../support/websocket.ts';
import { onRequestStart, turnCounter, turnCounts } from '../support/work.ts';

const { service, gateway } = await gatewayWith({ LOG_LEVEL: 'silent' }, does.json(200, { status: 'queued' }));

const open = async (bytes: string, url = gateway.url) => forTest(await openConnection(url, bytes));
const asking = (query: string, accept = 'application/json') =>
  postOf(JSON.stringify({ query }), { accept, ...alice });
const upgrade = headOf('GET /graphql', handshake);
const statusOf = (id: string) => `{ malaysiaStatus(documentId: "${id}") { state } }`;

/** A budget of request bodies. */
const bodiesOf = (all: number) =>
  new ReclaimingBudget(shareOf('bodies', all, { newcomers: all, owner: all }), aShares(), 'costliest');

/** Serves the requests of each connection one after the other. Returns the address, and how many were parsed. */
async function serve(
  start: RequestListener,
  bodies = bodiesOf(10_000_000),
  idle = createIdleConnections(100),
) {
  let parsed = 0;
  const { schedule } = createPipelining(bodies, () => holder('a'), idle);
  const server = createServer((request, response) => {
    parsed += 1;
    schedule(request, response, () => start(request, response));
  });
  return { url: forTest(await listen(server)).url, parsed: () => parsed };
}

describe('pipelined requests', () => {
  it('and an upgrade behind them get their responses in order, the upgrade a refusal', async () => {
    const connection = await open(asking(statusOf('104')) + upgrade);
    const text = await connection.closed();
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '403']);
  });

  it('do not prevent an upgrade after their responses', async () => {
    const { socket, until } = await open(asking('{ first: __typename }'));
    await until(/"first"/);
    await gateway.ask('{ __typename }');
    socket.write(upgrade);
    await until(/HTTP\/1\.1 101/);
  });

  it('behind an event stream are not started', async () => {
    const subscription = 'subscription { malaysiaStatusChanged(documentId: "101") { state } }';
    const pipelined = asking(subscription, 'text/event-stream') + asking(statusOf('102')).repeat(20);
    await (await open(pipelined)).until(/QUEUED/);
    await gateway.ask(statusOf('103'));
    const isReceived = (id: string) => service.received.some(({ path }) => path.includes(id));
    expect([isReceived('103'), isReceived('102')]).toEqual([true, false]);
  });

  it('get their responses in order, up to 101 of them', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `a${index}`);
    const { text, until } = await open(names.map((name) => asking(`{ ${name}: __typename }`)).join(''));
    await until(/"a100"/);
    expect([...text().matchAll(/"(a\d+)"/g)].map(([, name]) => name)).toEqual(names);
    expect(text().match(/HTTP\/1\.1 200/g)).toHaveLength(101);
  });

  it('beyond 101 close the connection, and are not parsed, however many one chunk has', async () => {
    const { url, parsed } = await serve(() => {});
    await (await open(headOf('GET /').repeat(2_000), url)).closed();
    expect(parsed()).toBe(102);
  });

  it('beyond 9 close the connection while new connections wait to be read', async () => {
    const late = { ...createIdleConnections(100), isLate: () => true };
    const { url, parsed } = await serve(() => {}, bodiesOf(10_000_000), late);
    await (await open(headOf('GET /').repeat(2_000), url)).closed();
    expect(parsed()).toBe(10);
  });

  it.each([
    ['without Host', 'GET /health HTTP/1.1\r\n\r\n'],
    ['with an unknown expectation', headOf('GET /health', { expect: 'x' })],
  ])('%s, to which Node would respond itself, are bounded like others', async (_what, head) => {
    let parsed = 0;
    onRequestStart(() => (parsed += 1));
    await (await open(head.repeat(1_000))).closed();
    expect(parsed).toBeLessThan(110);
  });

  it('of many connections are bounded together in one turn of the event loop', async () => {
    const { url, parsed } = await serve((_request, response) => response.end(), bodiesOf(100_000_000));
    const connections = await Promise.all(Array.from({ length: 40 }, () => open(headOf('GET /'), url)));
    await Promise.all(connections.map(({ until }) => until(/200 OK/)));
    const before = parsed();
    for (const { socket } of connections) socket.write(headOf('GET /').repeat(100));
    // The server reads them all in one turn.
    while (parsed() === before) await new Promise(setImmediate);
    expect(parsed() - before).toBeLessThan(1_100);
  });

  it('start in one turn of the event loop each', async () => {
    const starts = turnCounts();
    const { url } = await serve((_request, response) => {
      starts.count();
      response.end();
    });
    const last = headOf('GET /', { connection: 'close' });
    await (await open(headOf('GET /').repeat(49) + last, url)).closed();
    expect([starts.all(), starts.mostOfTurn()]).toEqual([50, 1]);
  });

  it('and a CONNECT behind them are forgotten when their connection has closed, also if one is too many', async () => {
    const other = forTest(await startTestGateway({ SHUTDOWN_GRACE_MS: '1000' }));
    const connect = 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n';
    for (const count of [50, 102])
      await (await open(headOf('GET /health').repeat(count) + connect, other.url)).closed();
    await other.close();
    expect(other.logged('requests ended at the end of the grace time')).toEqual([]);
  });

  it('that wait count as request bodies until the connection ends', async () => {
    const bodies = bodiesOf(1_000_000);
    const { url } = await serve(() => {}, bodies);
    const connection = await open(headOf('GET /', { 'content-length': '0' }).repeat(11), url);
    while (bodies.held < 87_250) await new Promise(setImmediate);
    expect(bodies.held).toBe(87_250);
    connection.close();
    while (bodies.held > 0) await new Promise(setImmediate);
  });

  it('that wait are dropped with their connection when they reach the bound of request bodies', async () => {
    const bodies = bodiesOf(50_000);
    const { url } = await serve(() => {}, bodies);
    const connection = await open(headOf('GET /', { 'content-length': '0' }).repeat(11), url);
    expect(await connection.closed()).toBe('');
    expect(bodies.held).toBe(0);
  });
});

it('a WebSocket starts one operation in a turn of the event loop', async () => {
  const socket = forTest(await connectedSocket(gateway));
  const turn = turnCounter();
  const ids = Array.from({ length: 100 }, (_, index) => String(index));
  for (const id of ids) socket.subscribe(id, '{ __typename }');
  await Promise.all(ids.map((id) => socket.messageOf(id)));
  expect(turn()).toBeGreaterThanOrEqual(100);
});
