/** A proxy between a client and a gateway: records what the client sends, and drops responses on request. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { WebSocket, WebSocketServer } from 'ws';
import type { Message } from './websocket.ts';

export interface RelayedRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
  /** When it arrived (ms, `performance.now()`). */
  readonly atMs: number;
}

export interface Relay {
  /** The address for the client. */
  readonly url: string;
  readonly requests: RelayedRequest[];
  /** What the client sent over each WebSocket, in the order in which they were opened. */
  readonly sockets: Message[][];
  /** Closes the connections of the next `count` requests after the gateway has responded. */
  loseResponses(count: number): void;
  /** Loses all WebSockets without a closing handshake, and accepts none until `wake`. */
  sleep(): void;
  wake(): void;
  close(): Promise<void>;
}

export async function startRelay(gatewayUrl: string): Promise<Relay> {
  const requests: RelayedRequest[] = [];
  const sockets: Message[][] = [];
  let answersToLose = 0;
  let isAsleep = false;

  const server = createServer(async (request, response) => {
    const headers = new Headers(request.headersDistinct as unknown as Record<string, string>);
    const body = await buffer(request);
    requests.push({
      method: request.method as string,
      headers,
      body: body.toString(),
      atMs: performance.now(),
    });
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) headers.delete(name);
    const answer = await fetch(gatewayUrl, { method: request.method as string, headers, body });
    const content = Buffer.from(await answer.arrayBuffer());
    if (answersToLose > 0) {
      answersToLose -= 1;
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(content);
  });

  const webSockets = new WebSocketServer({ server, verifyClient: () => !isAsleep });
  webSockets.on('connection', (client, { headers }) => {
    const sent: Message[] = [];
    sockets.push(sent);
    const gateway = new WebSocket(gatewayUrl.replace('http', 'ws'), headers['sec-websocket-protocol']);
    const opened = once(gateway, 'open');
    // A client that closes before the gateway has accepted the connection ends it with an error.
    opened.catch(() => {});
    gateway.on('error', () => {});
    client.on('message', async (data) => {
      sent.push(JSON.parse(String(data)) as Message);
      await opened;
      gateway.send(String(data));
    });
    gateway.on('message', (data) => client.send(String(data)));
    client.on('close', () => gateway.close());
    gateway.on('close', (code) => client.close(code === 4403 ? code : undefined));
  });

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    requests,
    sockets,
    loseResponses(count) {
      answersToLose = count;
    },
    sleep() {
      isAsleep = true;
      for (const client of webSockets.clients) client.terminate();
    },
    wake() {
      isAsleep = false;
    },
    async close() {
      for (const client of webSockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
