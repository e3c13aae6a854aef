/** Connections that wait for a request: each may hold the incomplete head of one. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { maxIdleConnections } from '../../src/http/max-connections.ts';
import { killProcesses, startProcess } from '../support/process.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  killProcesses();
});

it('are at most one for each 128 KiB of the heap', () => {
  expect(maxIdleConnections(256 * 1024 * 1024)).toBe(2_048);
});

it('with incomplete heads of 15 kB do not exhaust a heap of 64 MB, and a connection that is kept is served', async () => {
  const gateway = await startProcess({ NODE_OPTIONS: '--max-old-space-size=64', LOG_LEVEL: 'error' });
  const { hostname, port } = new URL(gateway.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let connections = 0;
  const statusOfHealth = () =>
    new Promise((resolve, reject) => {
      const sent = request(new URL('/health', gateway.url), { agent }, (response) => {
        if (!sent.reusedSocket) connections += 1;
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject).end();
    });
  const headers = Array.from({ length: 90 }, (_, at) => `x-${at}: ${'v'.repeat(160)}\r\n`).join('');
  expect(await statusOfHealth()).toBe(200);
  let closed = 0;
  for (let opened = 0; opened < 6_000; opened += 1) {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on('error', () => {}).on('close', () => (closed += 1));
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    socket.write(`POST /graphql HTTP/1.1\r\nhost: a\r\n${headers}`);
    if (opened % 100 === 99) expect(await statusOfHealth()).toBe(200);
  }
  while (closed < 3_000) expect(await statusOfHealth()).toBe(200);
  expect(connections, 'the connection is kept').toBe(1);
  agent.destroy();
}, 60_000);

it('are closed one after the other when they are too many, the longest waiting first', async () => {
  const gateway = await startProcess({ NODE_OPTIONS: '--max-old-space-size=64', LOG_LEVEL: 'error' });
  const { hostname, port } = new URL(gateway.url);
  const isOpen: boolean[] = [];
  for (let opened = 0; opened < 1_500; opened += 1) {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    isOpen.push(true);
    socket
      .on('error', () => {})
      .on('close', () => {
        isOpen[opened] = false;
      });
    await once(socket, 'connect');
  }
  while (isOpen[0]) await fetch(new URL('/health', gateway.url));
  expect(isOpen.at(-1)).toBe(true);
}, 60_000);
