/** Connections of other programs in the process, such as those of a host that `createFolioHandler` is used in. */
import { readFileSync } from 'node:fs';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { Agent, request } from 'undici';
import { expect, it } from 'vitest';
import { makeCertificate } from '../support/certificate.ts';
import { forTest, gatewayOfService } from '../support/lifetimes.ts';
import { listen } from '../support/listen.ts';
import * as does from '../support/service.ts';
import { onMessage } from '../support/work.ts';

const { service, gateway } = await gatewayOfService(does.json(200, { status: 'queued' }));

/** The sockets of undici that connect from now on. */
function connected(): Socket[] {
  const sockets: Socket[] = [];
  onMessage('undici:client:connected', (message) => sockets.push((message as { socket: Socket }).socket));
  return sockets;
}
const isChanged = (socket: Socket) => Object.hasOwn(socket, 'read');

it('a connection of fetch is as Node makes it, and one of the gateway has the bounds of a response', async () => {
  const sockets = connected();
  await (await fetch(service.url)).text();
  expect(sockets.map(isChanged)).toEqual([false]);
  await gateway.ask('{ malaysiaStatus(documentId: "1") { state } }');
  expect(sockets.filter(isChanged)).toHaveLength(1);
});

it('a connection with HTTP/2 of the host responds, and ends no process', async () => {
  const { file, keyFile } = makeCertificate();
  const certificate = readFileSync(file);
  const server = createSecureServer({ cert: certificate, key: readFileSync(keyFile) });
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': 200 });
    stream.end('of the host');
  });
  const { port } = forTest(await listen(server));
  const agent = forTest(new Agent({ connect: { ca: certificate } }));
  const sockets = connected();
  const { body } = await request(`https://127.0.0.1:${port}`, { dispatcher: agent });
  expect(await body.text()).toBe('of the host');
  expect(sockets.map(isChanged)).toEqual([false]);
});
