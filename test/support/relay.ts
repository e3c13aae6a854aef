/** A proxy between a client and a gateway: records what the client sends, and drops responses on request. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { WebSocket, WebSocketServer } from 'ws';
import { listen } from './listen.ts';
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
  /** Requests that the gateway has not responded to, also those whose client is gone. */
  readonly inProgress: number;
  /** What the client sent over each WebSocket, in the order in which they were opened. */
  readonly sockets: Message[][];
  /** Closes the connections of the next `count` requests after the gateway has responded. */
  loseResponses(count: number): void;
  /** Closes the connections of the next `count` requests instead of sending them on. */
  loseRequests(count: number): void;
  /** Neither responds to the next `count` requests nor closes their connections. */
  hangResponses(count: number): void;
  /** Closes the connections of all requests, until it is off again. */
  setOffline(isOffline: boolean): void;
  /** Requests are sent to another gateway from now on. */
  leadTo(gatewayUrl: string): void;
  /** Loses all WebSockets without a closing handshake, and accepts none until `wake`. */
  sleep(): void;
  wake(): void;
  close(): Promise<void>;
}

export async function startRelay(gatewayUrl: string): Promise<Relay> {
  const requests: RelayedRequest[] = [];
  const sockets: Message[][] = [];
  let target = gatewayUrl;
  let answersToLose = 0;
  let requestsToLose = 0;
  let answersToHang = 0;
  let isOffline = false;
  let isAsleep = false;
  let inProgress = 0;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = new Headers(request.headersDistinct as unknown as Record<string, string>);
    const body = await buffer(request);
    requests.push({
      method: request.method as string,
      headers,
      body: body.toString(),
      atMs: performance.now(),
    });
    if (requestsToLose > 0) {
      requestsToLose -= 1;
      throw new Error('The request is lost.');
    }
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) headers.delete(name);
    const hasBody = request.method === 'POST';
    const answer = await fetch(target, {
      method: request.method as string,
      headers,
      ...(hasBody && { body }),
    });
    const content = Buffer.from(await answer.arrayBuffer());
    if (answersToLose > 0) {
      answersToLose -= 1;
      throw new Error('The response is lost.');
    }
    if (answersToHang > 0) {
      answersToHang -= 1;
      return;
    }
    const answered = new Headers(answer.headers);
    for (const name of ['connection', 'content-encoding', 'content-length', 'transfer-encoding'])
      answered.delete(name);
    response.writeHead(answer.status, Object.fromEntries(answered));
    response.end(content);
  }

  async function count(work: Promise<unknown>): Promise<void> {
    inProgress += 1;
    await work;
    inProgress -= 1;
  }

  const server = createServer((request, response) => {
    if (isOffline) request.socket.destroy();
    else void count(pass(request, response).catch(() => request.socket.destroy()));
  });

  const webSockets = new WebSocketServer({ server, verifyClient: () => !isAsleep });
  webSockets.on('connection', (client, { headers }) => {
    const sent: Message[] = [];
    sockets.push(sent);
    const gateway = new WebSocket(target.replace('http', 'ws'), headers['sec-websocket-protocol']);
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

  const { url, close } = await listen(server);
  return {
    url: `${url}/graphql`,
    requests,
    sockets,
    get inProgress() {
      return inProgress;
    },
    loseResponses(count) {
      answersToLose = count;
    },
    loseRequests(count) {
      requestsToLose = count;
    },
    hangResponses(count) {
      answersToHang = count;
    },
    setOffline(next) {
      isOffline = next;
      if (next) server.closeAllConnections();
    },
    leadTo(url) {
      target = url;
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
      await close();
    },
  };
}
