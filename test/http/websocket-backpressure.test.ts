/** How messages are sent to WebSocket clients that read them, and to clients that do not. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Connection, type SocketOperation, tickMs } from '../../src/http/websocket/connection.ts';
import { createInbox } from '../../src/http/websocket/inbox.ts';
import { ReclaimingBudget } from '../../src/shares/reclaiming-budget.ts';
import type { SocketShare } from '../../src/shares/sockets-and-streams.ts';
import { aShares, holder } from '../support/shares.ts';

let client: WebSocket;
let socket: WebSocket;
let connection: Connection;

beforeEach(async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  [[socket]] = (await Promise.all([once(server, 'connection'), once(client, 'open')])) as [[WebSocket], []];
  connection = new Connection(socket, {} as IncomingMessage, {} as SocketShare, () => {});
  onTestFinished(() => {
    client.terminate();
    server.close();
  });
});

it('a message that the network takes at once is sent without a promise', async () => {
  const received = once(client, 'message');
  expect(connection.send('small')).toBeUndefined();
  expect(String((await received)[0])).toBe('small');
});

it('a message to a client that does not read is pending until the client reads it', async () => {
  client.pause();
  let isSent = false;
  const sent = connection.send('x'.repeat(16 * 1024 * 1024))?.then(() => {
    isSent = true;
  });
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(socket.bufferedAmount).toBeGreaterThan(0);
  expect(isSent).toBe(false);
  const received = once(client, 'message');
  client.resume();
  await received;
  await sent;
  expect(isSent).toBe(true);
  expect(socket.bufferedAmount).toBe(0);
});

describe('the pings of a socket', () => {
  let pings: number;

  /** Lets that many seconds of the connection's clock pass, and waits until the client has read what was sent. */
  async function pass(seconds: number) {
    for (let ticks = (seconds * 1_000) / tickMs; ticks > 0; ticks -= 1) connection.onTick();
    const received = once(client, 'pong');
    socket.pong('read');
    await received;
    await expect.poll(() => connection.isAlive).toBe(true);
  }

  beforeEach(() => {
    connection.identity = holder('key');
    connection.operations = [{} as SocketOperation];
    socket.on('pong', () => {
      connection.isAlive = true;
    });
    pings = 0;
    client.on('ping', () => {
      pings += 1;
    });
  });

  it('are sent every 12 seconds', async () => {
    for (const [seconds, sent] of [
      [11.75, 0],
      [0.25, 1],
      [11.75, 1],
      [0.25, 2],
    ] as const) {
      await pass(seconds);
      expect(pings).toBe(sent);
    }
  });

  it('end the connection of a peer that has not responded to one when the next is due', async () => {
    client.pause();
    for (let tick = 0; tick < 95; tick += 1) connection.onTick();
    expect(socket.readyState).toBe(socket.OPEN);
    connection.onTick();
    expect(socket.readyState).toBe(socket.CLOSING);
  });

  it('end the connection of a client only in a period in which it has not read of a message that it gets before them', async () => {
    client.pause();
    void connection.send('x'.repeat(64 * 1024 * 1024));
    const reader = (client as unknown as { readonly _socket: Socket })._socket;
    for (let period = 1; period <= 3; period += 1) {
      for (let tick = 0; tick < 48; tick += 1) connection.onTick();
      expect(socket.readyState).toBe(socket.OPEN);
      client.resume();
      await expect.poll(() => reader.bytesRead, { interval: 1 }).toBeGreaterThan(period * 8 * 1024 * 1024);
      client.pause();
      // What has arrived is read, too.
      await new Promise(setImmediate);
    }
    expect(pings).toBe(0);
    for (let tick = 0; tick < 48; tick += 1) connection.onTick();
    expect(socket.readyState).toBe(socket.OPEN);
    for (let tick = 0; tick < 48; tick += 1) connection.onTick();
    expect(socket.readyState).toBe(socket.CLOSING);
  });
});

it.each([
  ['connection_init is closed after 3 seconds', 3, undefined],
  ['an operation is closed after a minute', 60, holder('key')],
])('a socket without %s', (_what, seconds, identity) => {
  connection.identity = identity;
  for (let ticks = (seconds * 1_000) / tickMs; ticks > 0; ticks -= 1) {
    expect(socket.readyState).toBe(socket.OPEN);
    connection.isAlive = true;
    connection.onTick();
  }
  expect(socket.readyState).toBe(socket.CLOSING);
});

it('a pending message is given up when its socket closes', async () => {
  client.pause();
  const sent = connection.send('x'.repeat(16 * 1024 * 1024));
  socket.terminate();
  await expect(sent).resolves.toBeUndefined();
  expect(connection.send('late')).toBeUndefined();
});

it.each([
  ['is read', 0.25],
  ['is not read', 1],
  ['is not read', 9],
])('a client that sends more %s while more than %d MiB wait for it', async (what, mebibytes) => {
  client.pause();
  while (socket.bufferedAmount <= mebibytes * 1024 * 1024) {
    void connection.send('x'.repeat(512 * 1024));
    await new Promise(setImmediate);
  }
  connection.applyBackpressure();
  expect(socket.isPaused).toBe(what === 'is not read');
  expect(socket.readyState).toBe(socket.OPEN);
});

it('a client with many pending messages is not read until it has read them', async () => {
  client.pause();
  while (socket.bufferedAmount === 0) {
    void connection.send('x'.repeat(64 * 1024));
    await new Promise(setImmediate);
  }
  for (let ping = 0; ping < 400; ping += 1) void connection.send('{"type":"pong"}');
  connection.applyBackpressure();
  expect(socket.isPaused).toBe(false);
  for (let ping = 0; ping < 200; ping += 1) void connection.send('{"type":"pong"}');
  connection.applyBackpressure();
  expect(socket.isPaused).toBe(true);
  expect(socket.bufferedAmount).toBeLessThan(1024 * 1024);

  client.resume();
  await expect.poll(() => socket.isPaused).toBe(false);
  await expect.poll(() => connection.pendingMessages).toBe(0);
});

it('a client that does not read is not read for messages that have waited for their turn', async () => {
  client.pause();
  while (socket.bufferedAmount <= 1024 * 1024) {
    void connection.send('x'.repeat(512 * 1024));
    await new Promise(setImmediate);
  }
  const shares = aShares();
  const starts: (() => boolean)[] = [];
  const admission = {
    tryStart: () => false,
    startLater: (_of: object, start: () => boolean) => starts.push(start),
  };
  const inbox = createInbox(
    admission as never,
    new ReclaimingBudget(shares.of.bodies, shares, 'costliest'),
    shares.scheduler,
    () => connection.applyBackpressure(),
    (_socket, handle) => handle(),
  );
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const resume = vi.spyOn(socket, 'resume');
  for (let message = 0; message < 20; message += 1) {
    inbox.receive(connection, Buffer.from('{"type":"pong"}'), false);
    starts.shift()?.();
  }
  // For the first one.
  expect(resume).toHaveBeenCalledOnce();
  expect(timers() - before).toBe(1);

  client.resume();
  await expect.poll(() => socket.isPaused).toBe(false);
});
