/** What a service sends around a body: chunk extensions and trailers. */
import type { IncomingMessage } from 'node:http';
import { threadCpuUsage } from 'node:process';
import { expect, it, vi } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { forFile, forTest, serviceForFile } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const calls = 60;
const service = await serviceForFile();
const gateway = forFile(
  await startTestGateway({ UPSTREAM_URL: service.url, UPSTREAM_CONCURRENCY_PER_CALLER: String(calls) }),
);

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
const json = '{"status":"queued"}';
const chunk = (text: string, extension = '') => `${text.length.toString(16)}${extension}\r\n${text}\r\n`;
const end = '0\r\n\r\n';

const writes =
  (...parts: string[]): does.Behaviour =>
  ({ socket }) => {
    for (const part of parts) socket.write(part);
  };

/** Writes the text again and again until the connection is closed. */
const writesEndlessly =
  (start: string, text: string): does.Behaviour =>
  ({ socket }) => {
    socket.on('error', () => {}).write(start);
    const more = () => {
      if (!socket.destroyed) socket.write(text, () => setImmediate(more));
    };
    more();
  };

const read = async () => (await gateway.ask('{ malaysiaStatus(documentId: "1") { state } }')) as any;
const write = () => gateway.ask('mutation { createGroup(input: {}) { __typename } }');

const endless: [string, does.Behaviour][] = [
  ['chunk extensions', writesEndlessly(`${head}13;`, 'x'.repeat(10_000))],
  ['extensions of small chunks', writesEndlessly(head, chunk(' ', `;${'x'.repeat(100)}`).repeat(100))],
  ['trailers', writesEndlessly(`${head}${chunk(json)}0\r\n`, 'x: y\r\n'.repeat(1_000))],
];

it.each(endless)('a read whose response has endless %s fails', async (_what, behaviour) => {
  service.will(behaviour, behaviour, behaviour);
  const { errors } = await read();
  expect(errors[0].extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE' });
});

it.each(endless)('a write whose response has endless %s may have had an effect', async (_what, behaviour) => {
  service.will(behaviour);
  const refusal = { code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE' };
  expect((await write()).errors?.[0]?.extensions).toMatchObject(refusal);
});

it('responses with 60 KB of chunk extensions, or in chunks of one byte, are read over one connection', async () => {
  const extended = chunk(json, `;${'x'.repeat(60_000)}`);
  const single = chunk(' ').repeat(40_000) + chunk(json);
  const whole = [extended, single, extended].map((text) => writes(head, text, end));
  service.will(...whole);
  for (const _each of whole) expect((await read()).data.malaysiaStatus).toEqual({ state: 'QUEUED' });
});

/** Most CPU time of one turn of the event loop so far (ms). */
function longestTurn(): () => number {
  let most = 0;
  let before = threadCpuUsage();
  const measure = () => {
    const { user, system } = threadCpuUsage(before);
    most = Math.max(most, (user + system) / 1_000);
    before = threadCpuUsage();
    next = setImmediate(measure);
  };
  let next = setImmediate(measure);
  forTest({ close: () => clearImmediate(next) });
  return () => most;
}

it('trailers of 60 responses that arrive at the same time are read in several turns of the event loop', async () => {
  const held: IncomingMessage[] = [];
  service.will(...Array(calls).fill((request: IncomingMessage) => held.push(request)));
  const ids = Array.from({ length: calls }, (_, index) => String(index + 1));
  const asked = gateway.ask('query ($ids: [ID!]!) { malaysiaStatuses(documentIds: $ids) { state } }', {
    ids,
  });
  await vi.waitUntil(() => held.length === calls);
  service.will(does.json(503, {}));
  for (const { socket } of held) socket.write(head + chunk(json));
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  for (const { socket } of held) socket.write(`0\r\n${'x: y\r\n'.repeat(11_000)}`);
  const longestMs = longestTurn();
  const { errors } = await asked;
  expect(errors).toHaveLength(calls);
  expect(longestMs()).toBeLessThan(60);
});
