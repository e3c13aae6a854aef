/**
 * LIMIT of subscriptions: `ws`, one poll loop per document, one frame per change for all its subscribers; no GraphQL,
 * no checks, no separation of callers. Every subscription is the same operation with the same id.
 */
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { type WebSocket, WebSocketServer } from 'ws';

const pool = new Pool(process.env['UPSTREAM_URL'] as string, { connections: 128 });
const intervalMs = Number(process.env['MALAYSIA_POLL_MIN_MS']);

interface Watch {
  readonly subscribers: Set<WebSocket>;
  message: string | undefined;
  frame: string | undefined;
}

const watches = new Map<string, Watch>();

function watchOf(documentId: string, headers: Record<string, string>): Watch {
  const known = watches.get(documentId);
  if (known) return known;
  const watch: Watch = { subscribers: new Set(), message: undefined, frame: undefined };
  watches.set(documentId, watch);
  const poll = async () => {
    const path = `/v2/einvoice/malaysia/status/${documentId}`;
    const { body } = await pool.request({ method: 'GET', path, headers });
    const { status, message } = JSON.parse(await body.text()) as { status: string; message: string };
    if (message !== watch.message) notify(watch, documentId, status, message);
    setTimeout(poll, intervalMs * (0.9 + 0.2 * Math.random()));
  };
  void poll();
  return watch;
}

function notify(watch: Watch, documentId: string, rawState: string, message: string): void {
  const state = rawState.toUpperCase();
  const observedAt = new Date().toISOString();
  const status = { documentId, state, rawState, isFinal: false, message, observedAt, isDelayed: false };
  watch.message = message;
  watch.frame = JSON.stringify({
    id: '1',
    type: 'next',
    payload: { data: { malaysiaStatusChanged: status } },
  });
  for (const subscriber of watch.subscribers) subscriber.send(watch.frame);
}

const sockets = new WebSocketServer({ noServer: true });
sockets.on('connection', (socket) => {
  let headers: Record<string, string> = {};
  socket.on('message', (data) => {
    const { type, payload } = JSON.parse(String(data));
    if (type === 'connection_init') {
      headers = payload;
      socket.send('{"type":"connection_ack"}');
    } else if (type === 'subscribe') {
      const watch = watchOf(payload.variables.documentId, headers);
      watch.subscribers.add(socket);
      socket.on('close', () => watch.subscribers.delete(socket));
      if (watch.frame) socket.send(watch.frame);
    }
  });
});

createServer((_request, response) => response.end('{"data":{}}'))
  .on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request));
  })
  .listen(Number(process.env['PORT']), '127.0.0.1');
