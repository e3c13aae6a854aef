/** Connections of other programs in the process, such as those of a host that `createFolioHandler` is used in. */
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { gatewayOfService } from '../support/lifetimes.ts';
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
