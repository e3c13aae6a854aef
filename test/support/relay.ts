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
}

export type Relay = Awaited<ReturnType<typeof startRelay>>;

export async function startRelay(gatewayUrl: string) {
  const requests: RelayedRequest[] = [];
  const sockets: Message[][] = [];
  let target = gatewayUrl;
  /** What happens to so many of the next requests. */
  const next = { loseResponses: 0, loseRequests: 0, hangResponses: 0 };
  let isOffline = false;
  let isAsleep = false;
  let refused = 0;
  let inProgress = 0;

  const set = (fault: keyof typeof next) => (count: number) => {
    next[fault] = count;
  };
  /** Whether the fault happens to this request. */
  function takes(fault: keyof typeof next): boolean {
    if (next[fault] === 0) return false;
    next[fault] -= 1;
    return true;
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = new Headers(request.headersDistinct as unknown as Record<string, string>);
    const body = await buffer(request);
    const method = request.method as string;
    requests.push({ method, headers, body: body.toString() });
    if (takes('loseRequests')) throw new Error('The request is lost.');
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) headers.delete(name);
    const answer = await fetch(target, { method, headers, ...(method === 'POST' && { body }) });
    const content = Buffer.from(await answer.arrayBuffer());
    if (takes('loseResponses')) throw new Error('The response is lost.');
    if (takes('hangResponses')) return;
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
    if (isOffline) {
      refused += 1;
      request.socket.destroy();
    } else void count(pass(request, response).catch(() => request.socket.destroy()));
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
    /** The address for the client. */
    url: `${url}/graphql`,
    requests,
    /** What the client sent over each WebSocket, in the order in which they were opened. */
    sockets,
    /** Requests that the gateway has not responded to, also those whose client is gone. */
    get inProgress() {
      return inProgress;
    },
    /** Number of requests that failed because it was offline. */
    refused: () => refused,
    /** Closes the connections of the next `count` requests after the gateway has responded. */
    loseResponses: set('loseResponses'),
    /** Closes the connections of the next `count` requests instead of sending them on. */
    loseRequests: set('loseRequests'),
    /** Neither responds to the next `count` requests nor closes their connections. */
    hangResponses: set('hangResponses'),
    /** Closes the connections of all requests, until it is off again. */
    setOffline(value: boolean) {
      isOffline = value;
      if (value) server.closeAllConnections();
    },
    /** Requests are sent to another gateway from now on. */
    leadTo(url: string) {
      target = url;
    },
    /** Loses all WebSockets without a closing handshake, and accepts none until `wake`. */
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
