/** Connections that wait for a request: each may hold the incomplete head of one. */
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { Holder } from '../../src/caller.ts';
import { createIdleConnections } from '../../src/http/connection/idle-connections.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forTest } from '../support/lifetimes.ts';
import { type Connection, headOf, openConnection, postOf } from '../support/raw-http.ts';
import { aShares, holder } from '../support/shares.ts';
import { onRequestStart, pass, turnCounter, turnCounts, workInEachTurn } from '../support/work.ts';

const connections: Connection[] = [];
afterEach(() => {
  for (const connection of connections.splice(0)) connection.close();
});

/** Opens so many connections, each of which has had a response. */
async function keptConnections(url: string, count: number): Promise<readonly Connection[]> {
  const opened = await Promise.all(
    Array.from({ length: count }, () => openConnection(url, headOf('GET /health'))),
  );
  connections.push(...opened);
  for (const { until } of opened) await until(/200 OK/);
  return opened;
}

const isRead = (socket: Socket | undefined) => !socket?.isPaused();

/** Those that must be closed are read once more. */
async function readOnceMore(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}

it('are closed when their kind has more than half of the bound: new ones, or those that are kept', async () => {
  const idle = createIdleConnections(4);
  const sockets = Array.from({ length: 6 }, () => new Socket());
  const closed = () => sockets.map(({ destroyed }) => destroyed);
  for (const socket of sockets.slice(0, 4)) idle.open(socket);
  await readOnceMore();
  expect(closed()).toEqual([true, true, false, false, false, false]);
  for (const socket of sockets.slice(2)) {
    idle.begin(socket);
    idle.wait(socket);
  }
  await readOnceMore();
  expect(closed()).toEqual([true, true, true, true, false, false]);
});

it('that callers keep are closed for the accepted caller with most; callers never accepted count as one', async () => {
  const [one, many] = [holder('one'), holder('many')];
  const idle = createIdleConnections(8, aShares(one, many).acceptedLanes);
  const kept = (count: number, callerOf: (index: number) => Holder) =>
    Array.from({ length: count }, (_, index) => {
      const socket = new Socket();
      idle.wait(socket, callerOf(index));
      return socket;
    });
  const [calm] = kept(1, () => one);
  const busy = kept(2, () => many);
  const newcomers = kept(3, (index) => holder(`new-${index}`));
  kept(1, () => many);
  await readOnceMore();
  const isClosed = ({ destroyed }: Socket) => destroyed;
  expect([calm as Socket, ...busy, ...newcomers].map(isClosed)).toEqual([
    ...[false, true, true],
    ...[true, false, false],
  ]);
});

it('are announced to be closed with the response, whatever was requested, once nearly as many are kept as may be: no request is sent on one that is being closed', async () => {
  const { url } = forTest(
    await startTestGateway({ LOG_LEVEL: 'error' }, { counts: { idleConnections: 32 } }),
  );
  const probe = headOf('GET /health');
  const requests = [postOf('{"query":"{__typename}"}'), postOf('{'), headOf('GET /other'), probe];
  for (let opened = 0; opened < 20; opened += 1) {
    const connection = await openConnection(url, requests[opened % requests.length]);
    connections.push(connection);
    await connection.until(/}(\r\n0\r\n\r\n)?$/);
  }
  const kept = connections.filter(({ text }) => !/^connection: close/im.test(text()));
  // Of a bound of 16.
  expect(kept).toHaveLength(14);
  for (const { socket, until } of kept) {
    socket.write(probe);
    await until(/HTTP.*HTTP\/1\.1 200 OK/s);
  }
});

it('are not closed while a request is in progress', async () => {
  const idle = createIdleConnections(2);
  const [busy, other] = [new Socket(), new Socket()];
  idle.open(busy);
  idle.begin(busy);
  idle.open(other);
  await readOnceMore();
  expect(busy.destroyed).toBe(false);
  idle.wait(busy);
  idle.begin(busy);
  idle.begin(other);
  idle.wait(other);
  await readOnceMore();
  expect(busy.destroyed).toBe(false);
});

it('send their requests in the same moment: one turn of the event loop reads those of 10 ms, and a new connection is not behind them', async () => {
  const { url } = forTest(await startTestGateway({ LOG_LEVEL: 'error' }));
  const request = headOf('GET /health');
  const kept = await keptConnections(url, 60);
  const begun = turnCounts();
  onRequestStart(() => {
    begun.count();
    pass(4);
  });
  for (const { socket } of kept) socket.write(request);
  const connection = await openConnection(url, request);
  connections.push(connection);
  await connection.until(/200 OK/);
  expect(begun.all()).toBeLessThan(30);
  for (const { until } of kept) await until(/200 OK.*200 OK/s);
  expect(begun.all()).toBe(61);
  expect(begun.mostOfTurn()).toBeLessThan(10);
});

it('are read soon, although operations take all the time of each turn', async () => {
  const { url } = forTest(await startTestGateway({ LOG_LEVEL: 'error' }));
  const kept = await keptConnections(url, 60);
  const now = turnCounter();
  const turns = new Set<number>();
  onRequestStart(() => turns.add(now()));
  workInEachTurn(15);
  await nextTurn();
  for (const { socket } of kept) socket.write(headOf('GET /health'));
  for (const { until } of kept) await until(/200 OK.*200 OK/s);
  expect(turns.size).toBeLessThan(10);
});

it.each([
  ['the oldest first', 300, { isNewestRead: false }],
  ['of very many the oldest and the newest first', 600, { isNewestRead: true }],
])('are read in later turns when one was long: %s', async (_order, length, { isNewestRead }) => {
  const idle = createIdleConnections(2_000);
  const sockets = Array.from({ length }, () => new Socket());
  for (const socket of sockets) idle.open(socket);
  const [busy, other, ...waiting] = sockets as [Socket, Socket, ...Socket[]];
  idle.begin(busy);
  pass(15);
  idle.begin(other);
  expect([waiting[0], waiting.at(-3), waiting.at(-2)].map(isRead)).toEqual([false, false, true]);
  await nextTurn();
  expect([waiting[0], waiting[150], waiting.at(-3)].map(isRead)).toEqual([true, false, isNewestRead]);
  // The two newest were never paused.
  expect(waiting.filter(isRead)).toHaveLength(128 + 2);
  while (!waiting.every(isRead)) await nextTurn();
});

it('whose requests have arrived and wait to be read are not closed for newer ones: each gets its response', async () => {
  const { url } = forTest(
    await startTestGateway({ LOG_LEVEL: 'error' }, { counts: { idleConnections: 32 } }),
  );
  onRequestStart(() => pass(4));
  const request = headOf('GET /health', { connection: 'close' });
  const opened = await Promise.all(Array.from({ length: 120 }, () => openConnection(url, request)));
  const texts = await Promise.all(opened.map((connection) => connection.closed()));
  expect(texts.filter((text) => text.includes('200 OK')).length).toBe(120);
});

it('that are new are read when all that arrive with them have been accepted, if a turn has worked for too long', async () => {
  const idle = createIdleConnections(1_000);
  const arriving = () =>
    Array.from({ length: 64 }, () => {
      const socket = new Socket();
      idle.open(socket);
      return socket;
    });
  const earlier = arriving();
  idle.begin(earlier[0] as Socket);
  pass(15);
  await nextTurn();
  const later = arriving();
  idle.begin(later[0] as Socket);
  expect([earlier[1], later[1], later.at(-2)].map(isRead)).toEqual([false, false, true]);
  expect(idle.isLate()).toBe(true);
  while (![...earlier, ...later].every(isRead)) await nextTurn();
  await nextTurn();
  expect(idle.isLate()).toBe(false);
});

it('that have had a request do not shorten the queues of others while they are paused', async () => {
  const idle = createIdleConnections(1_000);
  const [begun, other, paused] = [new Socket(), new Socket(), new Socket()];
  for (const socket of [begun, other, paused]) idle.wait(socket);
  idle.begin(begun);
  pass(15);
  idle.begin(other);
  expect([isRead(paused), idle.isLate()]).toEqual([false, false]);
});

it('are read in turn of their callers', async () => {
  const [calm, busy] = [holder('calm'), holder('busy')];
  const idle = createIdleConnections(1_000, aShares(calm, busy).acceptedLanes);
  const sockets = Array.from({ length: 401 }, () => new Socket());
  for (const [index, socket] of sockets.entries()) idle.wait(socket, index === 200 ? calm : busy);
  const [begun, other, ...waiting] = sockets as [Socket, Socket, ...Socket[]];
  idle.begin(begun);
  pass(15);
  idle.begin(other);
  await nextTurn();
  expect(waiting.slice(197, 200).map(isRead)).toEqual([false, true, false]);
});

it('have sent requests that are not read yet when the gateway drains: each gets a response', async () => {
  const { url, close } = await startTestGateway({ LOG_LEVEL: 'error', SHUTDOWN_GRACE_MS: '2400' });
  const kept = await keptConnections(url, 20);
  // All take 400 ms by the clock, also on a busy machine: twice the time for which the gateway accepts requests.
  onRequestStart(() => {
    for (const end = performance.now() + 20; performance.now() < end; );
  });
  for (const { socket } of kept) socket.write(headOf('GET /health'));
  const closing = close();
  const texts = await Promise.all(kept.map((connection) => connection.closed()));
  await closing;
  expect(texts.filter((text) => /200 OK.*HTTP\/1\.1 \d/s.test(text)).length).toBe(20);
});
