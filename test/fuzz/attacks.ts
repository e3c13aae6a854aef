/** The attacks of the fuzzer: each sends one random piece of hostile traffic and resolves when it is over. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { costlyOperation } from '../support/costly-operation.ts';
import { withKey } from '../support/gateway.ts';
import type { Random } from '../support/random.ts';
import { headOf } from '../support/raw-http.ts';

/** Longest time that an attack waits for a response (ms): the gateway may wait for more bytes. */
const patienceMs = 300;

export type Attack = (url: URL, random: Random) => Promise<readonly string[]>;

/** Texts that replace a part of a message. */
const oddities = [
  ...['null', 'true', '-1', '1e400', '""', '[]', '{}', '{"toString":1}', '{"__proto__":{"then":1}}'],
  ...['"\\ud800"', '[['.repeat(5_000), '{"a":'.repeat(2_000), '\0', '\r\n', '\r\n\r\n', '%00'],
  ...['\u2028', 'x'.repeat(2_000), '--', ';', '"', ':'],
];

/** Cuts, repeats, inserts and replaces at random places. */
export function mutated(text: string, random: Random): string {
  let result = text;
  for (let changes = random.below(4); changes > 0; changes -= 1) {
    const at = random.below(result.length + 1);
    const length = random.below(12);
    const part = result.slice(at, at + length);
    const changed = random.pick([
      () => '',
      () => part + part,
      () => part + random.pick(oddities),
      () => random.pick(oddities),
      () => String.fromCharCode(random.below(256)) + part,
      () => part.replace(/"[^"]*"|\d+/, () => random.pick(oddities)),
    ]);
    result = result.slice(0, at) + changed() + result.slice(at + length);
  }
  return result;
}

const manyIds = JSON.stringify(Array.from({ length: 100 }, (_, id) => String(id)));
const uploads = [
  'mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "1" }) { __typename } }',
  'mutation ($file: Upload!) { createFapiao(input: { document: { file: $file } }) { __typename } }',
  'mutation ($file: Upload!) { createFapiao(input: { document: { file: $file }, idempotencyKey: "12345678" }) { __typename } }',
];
const operations = [
  '{ __typename }',
  '{ mexicoValidation(by: { documentId: "1001" }) { result } }',
  '{ malaysiaStatuses(documentIds: ["1", "2", "3"]) { state } }',
  `{ malaysiaStatuses(documentIds: ${manyIds}) { state } }`,
  'mutation { createGroup(input: {}) { __typename } }',
  'mutation { createGroup(input: { idempotencyKey: "87654321" }) { __typename } }',
  'mutation { exportDocuments(input: {}) { __typename ... on ExportResult { csv } } }',
  ...uploads,
];
const subscriptions = [
  'subscription { malaysiaStatusChanged(documentId: "1") { state } }',
  `subscription { malaysiaStatusesChanged(documentIds: ${manyIds}) { state } }`,
];
const streams = ['text/event-stream', 'multipart/mixed;subscriptionSpec=1.0'];

/** Credentials of one of several attackers, each with some tokens. */
const attacker = (random: Random) => ({
  ...withKey(`attacker ${random.below(6)}`),
  authorization: `Bearer ${random.below(3)}`,
});

const webSocket: Attack = async (url, random) => {
  const socket = new WebSocket(url.href.replace('http', 'ws'), 'graphql-transport-ws');
  const received: string[] = [];
  socket.on('error', () => {}).on('message', (data) => received.push(String(data)));
  await once(socket, 'open');
  if (random.chance(0.2)) socket.pause();
  const messages = [
    { type: 'connection_init', payload: random.chance(0.7) ? attacker(random) : {} },
    { type: 'subscribe', id: '1', payload: { query: random.pick(operations) } },
    { type: 'subscribe', id: '2', payload: { query: random.pick(subscriptions), variables: {} } },
    { type: 'ping', payload: {} },
    { type: 'complete', id: '2' },
    { type: 'complete', id: '1' },
  ].map((message) => JSON.stringify(message));
  for (let sent = 1 + random.below(8); sent > 0; sent -= 1) {
    const message = random.chance(0.6) ? (messages.shift() ?? '{}') : random.pick(messages);
    const bytes = Buffer.from(mutated(message ?? '', random), random.chance(0.1) ? 'latin1' : 'utf8');
    if (socket.readyState === socket.OPEN) socket.send(bytes, { binary: random.chance(0.1) });
  }
  await Promise.race([once(socket, 'close').catch(() => {}), sleep(random.below(patienceMs / 2))]);
  socket.terminate();
  return received;
};

/** Sends bytes in pieces on one connection. */
async function sendRaw(url: URL, bytes: Buffer, random: Random): Promise<readonly string[]> {
  const socket = connect(Number(url.port), url.hostname);
  let received = '';
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {}).on('data', (chunk) => (received += chunk));
  await Promise.race([once(socket, 'connect').catch(() => {}), closed]);
  if (random.chance(0.2)) socket.pause();
  for (let at = 0; at < bytes.length && !socket.destroyed; ) {
    const length = random.chance(0.7) ? bytes.length : 1 + random.below(200);
    socket.write(bytes.subarray(at, at + length));
    at += length;
    if (random.chance(0.3)) await sleep(1);
  }
  if (random.chance(0.3)) socket.end();
  await Promise.race([closed, sleep(random.below(patienceMs))]);
  if (random.chance(0.3)) socket.resetAndDestroy();
  else socket.destroy();
  return received.split(/(?=HTTP\/1\.1 \d)/);
}

const framing: Attack = (url, random) => {
  const requests = Array.from({ length: 1 + random.below(4) }, () => {
    const body = JSON.stringify({ query: random.pick(operations) });
    const lengths = [
      `content-length: ${body.length}`,
      `content-length: ${body.length - 1}`,
      'transfer-encoding: chunked',
      `content-length: 5\r\ncontent-length: ${body.length}`,
      'transfer-encoding: chunked, identity',
      'expect: 100-continue',
      'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    const line = `${random.pick(['POST', 'GET', 'PUT', 'OPTIONS'])} /graphql?query={__typename}`;
    const headers = headOf(line, { 'content-type': 'application/json', ...attacker(random) });
    const content = random.chance(0.5) ? body : `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    return `${headers.slice(0, -2)}${random.pick(lengths)}\r\n\r\n${content}`;
  });
  return sendRaw(url, Buffer.from(mutated(requests.join(''), random), 'latin1'), random);
};

/** Headers and body of a request with a file. */
export function anUpload(random: Random) {
  const boundary = random.pick(['b', '--', 'a b', 'x'.repeat(70)]);
  const part = (name: string, content: string, file = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
  const parts = [
    part('operations', JSON.stringify({ query: random.pick(uploads), variables: { file: null } })),
    part('map', '{"0":["variables.file"]}'),
    part(
      '0',
      'bytes of a card'.repeat(random.below(2_000)),
      '; filename="card.png"\r\ncontent-type: image/png',
    ),
  ];
  if (random.chance(0.2)) parts.reverse();
  const headers = {
    ...attacker(random),
    'x-graphql-yoga-csrf': '1',
    'content-type': `multipart/form-data; boundary="${boundary}"`,
  };
  return { headers, body: `${parts.join('')}--${boundary}--\r\n` };
}

const multipart: Attack = (url, random) => {
  const { headers, body: valid } = anUpload(random);
  const body = mutated(valid, random);
  const length = random.chance(0.8) ? Buffer.byteLength(body) : random.below(100_000);
  const head = headOf('POST /graphql', { ...headers, 'content-length': String(length) });
  return sendRaw(url, Buffer.from(random.chance(0.8) ? head + body : mutated(head + body, random)), random);
};

/** Headers and body of a request without a file. */
export function anOperation(random: Random) {
  const operation = random.pick([
    () => ({ query: random.pick(operations) }),
    () => ({ query: random.pick(subscriptions) }),
    () => costlyOperation(random),
  ]);
  const headers = {
    ...attacker(random),
    accept: random.pick(['application/json', ...streams]),
    'content-type': 'application/json',
  };
  return { headers, body: JSON.stringify(operation()) };
}

/** Requests at the same time, whose callers leave in the middle of them, of their operations or of their results. */
const leaving: Attack = async (url, random) => {
  const requests = Array.from({ length: 1 + random.below(8) }, () => {
    const { headers, body } = anOperation(random);
    const length = String(Buffer.byteLength(body));
    const bytes = Buffer.from(headOf('POST /graphql', { ...headers, 'content-length': length }) + body);
    return random.chance(0.3) ? bytes.subarray(0, random.below(bytes.length)) : bytes;
  });
  const received = await Promise.all(requests.map((bytes) => sendRaw(url, bytes, random)));
  return received.flat();
};

export const attacks: Readonly<Record<string, Attack>> = { webSocket, framing, multipart, leaving };
