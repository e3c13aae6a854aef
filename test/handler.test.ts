/** `createFolioHandler`: a gateway inside of another server, as a host uses it. */
import { expect, it } from 'vitest';
import { createFolioHandler, type FolioHandler, type FolioSettings } from '../src/handler.ts';
import { alice, readResponse } from './support/gateway.ts';
import { forTest } from './support/lifetimes.ts';
import { json, startService } from './support/service.ts';

function handlerOf(settings: FolioSettings) {
  const lines: string[] = [];
  const writeLog = (line: string) => void lines.push(line);
  return { handler: forTest(createFolioHandler(settings, { writeLog })), lines };
}

const ask = ({ fetch }: FolioHandler) =>
  fetch(
    new Request('https://app.example/api/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...alice },
      body: '{"query":"{ mexicoValidation(by: { documentId: \\"1001\\" }) { result } }"}',
    }),
  );

it('starts once with its first requests, serves them with the sandbox, and writes its log', async () => {
  const { handler, lines } = handlerOf({ NODE_ENV: 'production', UPSTREAM_URL: 'sandbox' });
  expect(lines).toEqual([]);
  for (const response of await Promise.all([ask(handler), ask(handler)]))
    expect((await readResponse(response)).data).toEqual({ mexicoValidation: { result: 'VALID' } });
  const texts = lines.map((line) => JSON.parse(line).msg);
  expect(texts).toContain('operation');
  expect(texts.filter((text) => text.includes('the sandbox returns invented data'))).toHaveLength(1);
  expect(texts).toContainEqual(
    expect.stringMatching(/^sandbox listening on http:\/\/127\.0\.0\.1:\d+\/ \(UPSTREAM_URL /),
  );
});

it('reads its settings when it starts, and rejects with what is wrong with them', async () => {
  const settings: Record<string, string> = { NODE_ENV: 'production', MAX_SOCKETS: 'many' };
  const { handler } = handlerOf(settings);
  await expect(ask(handler)).rejects.toThrow(/MAX_SOCKETS must be .*\n.*UPSTREAM_URL must be set/);
  await expect(handler.start()).rejects.toThrow(/UPSTREAM_URL/);
  Object.assign(settings, { MAX_SOCKETS: '10', UPSTREAM_URL: 'sandbox' });
  await handler.start();
  expect((await ask(handler)).status).toBe(200);
});

it('refuses requests after it was closed, and closes without having started', async () => {
  const { handler } = handlerOf({});
  await ask(handler);
  await handler.close();
  expect((await readResponse(await ask(handler))).errors?.[0]?.extensions).toMatchObject({
    code: 'SHUTTING_DOWN',
  });
  const unused = handlerOf({}).handler;
  await unused.close();
  await expect(ask(unused)).rejects.toThrow('The handler is closed.');
});

it('closes once, and every call of `close` resolves when what is in progress has finished', async () => {
  const service = forTest(await startService());
  const { handler, lines } = handlerOf({ UPSTREAM_URL: service.url, SHUTDOWN_DELAY_MS: '0' });
  const held = service.hold(json(200, {}));
  const response = ask(handler);
  const respond = await held;
  const events: string[] = [];
  const calls = ['first', 'second'].map((call) => handler.close().then(() => events.push(call)));
  for (let turns = 0; turns < 1_000; turns += 1) await new Promise(setImmediate);
  events.push('responds');
  respond();
  await Promise.all([response, ...calls]);
  expect(events).toEqual(['responds', 'first', 'second']);
  const texts = lines.map((line) => JSON.parse(line).msg);
  expect(texts.filter((text) => text === 'draining' || text === 'stopped')).toEqual(['draining', 'stopped']);
});

it('closes while it starts with wrong settings: only the start rejects', async () => {
  const { handler } = handlerOf({ MAX_SOCKETS: 'many' });
  const start = expect(handler.start()).rejects.toThrow(/MAX_SOCKETS/);
  await Promise.all([start, handler.close()]);
});
