/**
 * WebSocket subscribers (graphql-transport-ws), one subscription each. Environment: URL, SUBSCRIBERS, DOCUMENTS,
 * SECONDS. Prints `ready` when each has received the first state and, SECONDS later, the events received since.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { credentials } from './wrk.ts';

const url = process.env['URL'] as string;
const subscribers = Number(process.env['SUBSCRIBERS']);
const documents = Number(process.env['DOCUMENTS']);
/** Connections that are opened at the same time. */
const burst = 100;

const query = `subscription MalaysiaStatusChanged($documentId: ID!) {
  malaysiaStatusChanged(documentId: $documentId) { documentId state rawState isFinal message observedAt isDelayed }
}`;

let isMeasuring = false;
const latenessMs: number[] = [];

function subscribe(index: number): Promise<void> {
  const socket = new WebSocket(url, 'graphql-transport-ws', { perMessageDeflate: false });
  const documentId = String(1 + (index % documents));
  let hasHeard = false;
  return new Promise((resolve, reject) => {
    const fail = (reason: unknown) => {
      const error = new Error(`subscriber ${index}: ${reason}`);
      // Ends the process: what is measured would be of fewer subscribers.
      if (isMeasuring) throw error;
      reject(error);
    };
    socket.on('error', fail);
    socket.on('close', fail);
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: credentials })));
    socket.on('message', (data) => {
      const heardAt = Date.now();
      const { type, payload } = JSON.parse(String(data));
      if (type === 'connection_ack') {
        socket.send(
          JSON.stringify({ id: '1', type: 'subscribe', payload: { query, variables: { documentId } } }),
        );
      } else if (type === 'ping') {
        socket.send('{"type":"pong"}');
      } else if (type === 'next' && payload.data) {
        const late = heardAt - Number(payload.data.malaysiaStatusChanged.message);
        if (hasHeard && isMeasuring) latenessMs.push(late);
        hasHeard = true;
        resolve();
      } else if (type !== 'pong') {
        fail(JSON.stringify(payload));
      }
    });
  });
}

for (let first = 0; first < subscribers; first += burst) {
  const count = Math.min(burst, subscribers - first);
  await Promise.all(Array.from({ length: count }, (_, index) => subscribe(first + index)));
}
console.log('ready');
isMeasuring = true;
await sleep(Number(process.env['SECONDS']) * 1_000);
latenessMs.sort((a, b) => a - b);
const at = (share: number) => latenessMs[Math.floor(latenessMs.length * share)];
console.log(
  JSON.stringify({
    deliveries: latenessMs.length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: latenessMs.at(-1),
  }),
);
process.exit(0);
