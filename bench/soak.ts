/**
 * Sends a mix of valid and invalid operations, and checks that the heap has not grown afterwards:
 *
 *     npm run soak -- 600        # seconds; default 60
 *
 * The gateway, the service and the clients share one process, so that one heap shows all leaks.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { credentialHeaders } from '../src/caller.ts';
import { sendUpload, startTestGateway, type TestGateway, upload } from '../test/support/gateway.ts';
import * as does from '../test/support/service.ts';
import { openSocket } from '../test/support/websocket.ts';

declare const gc: () => void;

const seconds = Number(process.argv[2] ?? 60);
const workers = 12;
/** Difference between two sizes of this process's heap without a leak (bytes). */
const tolerance = 12 * 1024 * 1024;

const uuid = '00000000-0000-0000-0000-000000000000';
const good: does.Behaviour = (request, response) => {
  const path = request.url ?? '';
  const answer = path.includes('mexico')
    ? { documentId: 1, uuid, validation_result: 'VALID', validatedAt: '2026-01-01T00:00:00Z', steps: {} }
    : path.includes('/status/')
      ? { status: ['queued', 'submitted', 'validated'][Math.floor(Math.random() * 3)] }
      : path.includes('scan')
        ? { scanDocuments: { docId: 1, status: 'COMPLETED', data: {} } }
        : { createGroup: { id: 1 } };
  does.json(200, answer)(request, response);
};
const bad = [
  does.reset,
  does.truncate,
  does.htmlPage(502),
  does.json(500, {}),
  does.json(401, {}),
  does.text(200, '<'),
];

const anything: does.Behaviour = (request, response) => {
  const behaviour =
    Math.random() < 0.9 ? good : (bad[Math.floor(Math.random() * bad.length)] as does.Behaviour);
  behaviour(request, response);
};

const callerOf = (index: number) => ({
  [credentialHeaders.apiKey]: `key-${index % 30}`,
  authorization: `Bearer token-${index % 7}`,
});
const file = Buffer.alloc(300_000, 'x');
const scan =
  'mutation ($f: Upload!, $k: String) { scanIdentityCard(input: { file: $f, queueId: "1", idempotencyKey: $k }) { __typename } }';
const watch = (id: number) =>
  `subscription { malaysiaStatusChanged(documentId: "${id}") { state isDelayed } }`;

/** One action of a client; some disconnect during it. */
const deeds: ((gateway: TestGateway, index: number) => Promise<unknown>)[] = [
  (gateway, index) =>
    gateway.ask(`{ mexicoValidation(by: { documentId: "${index % 50}" }) { result } }`, {}, callerOf(index)),
  (gateway, index) => gateway.ask('{ nope }', {}, callerOf(index)),
  (gateway, index) =>
    gateway.ask(
      'mutation ($k: String) { createGroup(input: { name: "a", idempotencyKey: $k }) { __typename } }',
      { k: index % 3 === 0 ? `soak-key-${index}` : null },
      callerOf(index),
    ),
  (gateway, index) =>
    sendUpload(
      gateway,
      upload(scan, { f: null, k: index % 2 === 0 ? `soak-scan-${index}` : null }, 'variables.f', {
        bytes: file,
        name: 'a.png',
      }),
      callerOf(index),
    ),
  (gateway, index) =>
    fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...callerOf(index) },
      body: JSON.stringify({ query: `{ malaysiaStatus(documentId: "${index}") { state } }` }),
      signal: AbortSignal.timeout(1 + (index % 5)),
    }),
  async (gateway, index) => {
    const socket = await openSocket(gateway);
    socket.send({ type: 'connection_init', payload: callerOf(index) });
    await socket.message();
    for (let id = 0; id < 5; id += 1)
      socket.send({ type: 'subscribe', id: `${id}`, payload: { query: watch((index + id) % 40) } });
    await socket.message();
    socket.send({ type: 'complete', id: '0' });
    if (index % 2 === 0) socket.raw.terminate();
    else socket.close();
    await socket.closed();
  },
  async (gateway, index) => {
    const response = await fetch(`${gateway.url}?query=${encodeURIComponent(watch(index % 40))}`, {
      headers: { accept: 'text/event-stream', 'x-graphql-yoga-csrf': '1', ...callerOf(index) },
      signal: AbortSignal.timeout(20 + (index % 100)),
    });
    for await (const _ of response.body as unknown as AsyncIterable<unknown>);
  },
];

let operations = 0;

async function mix(gateway: TestGateway, durationMs: number): Promise<void> {
  const until = Date.now() + durationMs;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (Date.now() < until) {
        const index = operations;
        operations += 1;
        const deed = deeds[Math.floor(Math.random() * deeds.length)] as (typeof deeds)[number];
        // Many fail on purpose; only the memory that they leave counts.
        await deed(gateway, index).catch(() => {});
      }
    }),
  );
}

async function calmHeap(): Promise<number> {
  await sleep(3_000);
  for (let round = 0; round < 3; round += 1) {
    gc();
    await sleep(100);
  }
  return process.memoryUsage().heapUsed;
}

const service = await does.startService(anything);
const gateway = await startTestGateway({
  UPSTREAM_URL: service.url,
  IDEMPOTENCY_TTL_MS: '1000',
  MALAYSIA_POLL_MIN_MS: '50',
  UPSTREAM_READ_DEADLINE_MS: '2000',
  LOG_LEVEL: 'silent',
});
const forget = setInterval(() => {
  service.received.length = 0;
}, 500);

await mix(gateway, Math.max(5_000, seconds * 100));
const before = await calmHeap();
await mix(gateway, seconds * 1_000);
const after = await calmHeap();
clearInterval(forget);
const { status } = await gateway.ask('{ __typename }');
await gateway.close();
await service.close();

const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
console.log(
  `${operations} operations; heap ${megabytes(before)} MB before, ${megabytes(after)} MB after; alive: ${status === 200}`,
);
if (after - before > tolerance || status !== 200) {
  console.error(`The heap grew by more than ${megabytes(tolerance)} MB, or the gateway has stopped.`);
  process.exitCode = 1;
}
