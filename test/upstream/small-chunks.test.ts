/** Responses of the service in chunks of one byte: the time that they take from one turn of the event loop. */
import type { ServerResponse } from 'node:http';
import { threadCpuUsage } from 'node:process';
import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { forFile, forTest, serviceForFile } from '../support/lifetimes.ts';

const calls = 60;
const held: ServerResponse[] = [];
const service = await serviceForFile((_request, response) => void held.push(response));
const gateway = forFile(
  await startTestGateway({ UPSTREAM_URL: service.url, UPSTREAM_CONCURRENCY_PER_CALLER: String(calls) }),
);

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

it('are read in several turns of the event loop', async () => {
  const ids = Array.from({ length: calls }, (_, index) => String(index + 1));
  const asked = gateway.ask('query ($ids: [ID!]!) { malaysiaStatuses(documentIds: $ids) { state } }', {
    ids,
  });
  while (held.length < calls) await new Promise(setImmediate);
  const json = '{"status":"queued"}';
  const body = `${'1\r\n \r\n'.repeat(10_000)}${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`;
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
  for (const { socket } of held) socket?.write(head + body);
  const longestMs = longestTurn();
  const { data } = await asked;
  expect(data.malaysiaStatuses).toEqual(ids.map(() => ({ state: 'QUEUED' })));
  expect(longestMs()).toBeLessThan(60);
});
