/** What a service sends around a body, and in how many pieces: chunks, their extensions, and trailers. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { beginReading, countArrival } from '../../src/tools/event-loop-turns.ts';
import { createDispatcher } from '../../src/upstream/dispatcher.ts';
import { forTest, gatewayWith } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';
import { cpuClock, onMessage, pass, turnCounts, work } from '../support/work.ts';

const calls = 60;
const { service, gateway } = await gatewayWith({
  UPSTREAM_CONNECTIONS: String(3 * calls),
  UPSTREAM_CONCURRENCY_PER_CALLER: String(calls),
  UPSTREAM_READ_DEADLINE_MS: '120000',
});

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
const json = '{"status":"queued"}';
const chunk = (text: string, extension = '') => `${text.length.toString(16)}${extension}\r\n${text}\r\n`;
const end = '0\r\n\r\n';

const writes =
  (...parts: string[]): does.Behaviour =>
  ({ socket }) => {
    for (const part of parts) socket.write(part);
  };

const read = () => gateway.ask('{ malaysiaStatus(documentId: "1") { state } }');

it('responses with 60 KB of chunk extensions, or in chunks of one byte, are read over one connection', async () => {
  const extended = chunk(json, `;${'x'.repeat(60_000)}`);
  const single = chunk(' ').repeat(40_000) + chunk(json);
  const whole = [extended, single, extended].map((text) => writes(head, text, end));
  service.will(...whole);
  for (const _each of whole) expect((await read()).data.malaysiaStatus).toEqual({ state: 'QUEUED' });
});

it('chunks that take long are read in a turn of the event loop each, and their response is read to its end', async () => {
  const turns = turnCounts();
  onMessage('undici:request:bodyChunkReceived', () => {
    turns.count();
    pass(11);
  });
  service.will(writes(head + chunk(' ').repeat(20) + chunk(json + ' '.repeat(40_000)) + end));
  expect((await read()).data?.malaysiaStatus).toEqual({ state: 'QUEUED' });
  expect(turns.mostOfTurn()).toBeLessThan(3);
});

it('11,000 headers of a response that already has more than it may cost little time', async () => {
  service.will(writes(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(17_000)}\r\n${'x:\r\n'.repeat(11_000)}`));
  const spentMs = cpuClock();
  const { errors } = await read();
  // 530 ms if each of them is an error of its own, three times.
  expect(spentMs()).toBeLessThan(250);
  expect(errors?.[0]?.extensions['code']).toBe('UPSTREAM_UNAVAILABLE');
});

it('a response that comes before a request is not taken for its response, however busy the gateway is', async () => {
  const url = new URL(service.url);
  const config = readConfig({ UPSTREAM_URL: url.href, UPSTREAM_CONNECTIONS: '1' });
  const dispatcher = createDispatcher(config, url);
  forTest({ close: () => dispatcher.destroy() });
  const bodyOf = async (path: string) =>
    (await dispatcher.request({ origin: url.origin, path, method: 'GET' })).body.text();
  const sockets: Socket[] = [];
  onMessage('undici:client:connected', (message) => sockets.push((message as { socket: Socket }).socket));
  const ofService: Socket[] = [];
  service.will(({ url: path, socket }, response) => {
    ofService.push(socket);
    response.end(path);
  });
  expect(await bodyOf('/1')).toBe('/1');

  let isOver = false;
  forTest({ close: () => (isOver = true) });
  const beBusy = () => {
    countArrival();
    beginReading();
    work(11);
  };
  const beBusyInEachTurn = () => {
    if (isOver) return;
    beBusy();
    setImmediate(beBusyInEachTurn);
  };
  beBusyInEachTurn();
  ofService[0]?.write(`HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n${'x'.repeat(9_000)}`);
  while (!sockets[0]?.destroyed && !sockets[0]?.readableLength) await new Promise(setImmediate);
  onMessage('undici:request:create', () => {
    beBusy();
    setImmediate(beBusy);
  });
  expect(await bodyOf('/2')).toBe('/2');
});

it.each([
  [
    '3,500 headers',
    'headers',
    '',
    `HTTP/1.1 200 OK\r\n${'x:\r\n'.repeat(3_500)}content-length: ${json.length}\r\n\r\n${json}`,
  ],
  ['trailers', 'trailers', head + chunk(json), `0\r\n${'x: y\r\n'.repeat(2_000)}\r\n`],
])(
  '%s of 60 responses that arrive at the same time are read in several turns of the event loop',
  async (_what, part, begin, rest) => {
    const held: IncomingMessage[] = [];
    service.will(...Array(calls).fill((request: IncomingMessage) => held.push(request)));
    const ids = Array.from({ length: calls }, (_, index) => String(index + 1));
    const query = 'query ($ids: [ID!]!) { malaysiaStatuses(documentIds: $ids) { state } }';
    const asked = gateway.ask(query, { ids });
    await expect.poll(() => held.length).toBe(calls);
    service.will(does.json(503, {}));
    for (const { socket } of held) socket.write(begin);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    const turns = turnCounts();
    onMessage(`undici:request:${part}`, () => {
      turns.count();
      pass(4);
    });
    for (const { socket } of held) socket.write(rest);
    expect((await asked).data.malaysiaStatuses).toEqual(ids.map(() => ({ state: 'QUEUED' })));
    expect(turns.all()).toBeGreaterThanOrEqual(calls);
    // A turn has 10 ms for them.
    expect(turns.mostOfTurn()).toBeLessThan(12);
  },
);
