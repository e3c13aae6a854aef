/** The line that each operation leaves in the log. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alice, bob, startTestGateway, type TestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';
import { openSocket } from '../support/websocket.ts';

let service: does.TestService;
let gateway: TestGateway;

beforeAll(async () => {
  service = await does.startService();
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});
beforeEach(() => service.will(does.json(200, { createGroup: { id: 7 } })));

type Line = Readonly<Record<string, any>>;

const linesOf = ({ log }: TestGateway): Line[] => log().map((line) => JSON.parse(line) as Line);
const lineOf = (requestId: string) =>
  linesOf(gateway).find((line) => line['requestId'] === requestId && line['msg'] === 'operation');

/** Sends the mutation and returns the id of its request. */
async function createGroup(key = randomUUID() as string, headers: Record<string, string> = {}) {
  const requestId = randomUUID();
  const query = 'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { __typename } }';
  const sent = {
    'x-api-key': 'a-key',
    authorization: 'Bearer a-token',
    'x-request-id': requestId,
    ...headers,
  };
  await gateway.ask(query, { input: { name: 'a', idempotencyKey: key } }, sent);
  return requestId;
}

describe('the line of an operation', () => {
  it.each([
    ['OUTCOME_UNKNOWN', does.reset, 'warn'],
    ['UPSTREAM_UNAVAILABLE', does.json(503, {}), 'warn'],
    ['UPSTREAM_BAD_RESPONSE', does.json(200, []), 'warn'],
    ['FORBIDDEN', does.json(403, {}), 'info'],
    ['ok', does.json(200, { createGroup: { id: 7 } }), 'info'],
  ])('with the outcome %s has the right level', async (outcome, behaviour, level) => {
    service.will(behaviour);
    const line = lineOf(await createGroup());
    expect([line?.['outcome'], line?.['level']]).toEqual([outcome, level]);
  });

  it('names the request that was sent when it repeats an idempotency key', async () => {
    const key = randomUUID();
    const first = await createGroup(key);
    const repeated = await createGroup(key);
    expect(lineOf(first)).toMatchObject({ outcome: 'ok', calls: [expect.anything()] });
    expect(lineOf(first)).not.toHaveProperty('sentBy');
    expect(lineOf(repeated)).toMatchObject({ outcome: 'ok', calls: [], sentBy: [first] });
  });

  it('names the request that was sent when a token or an input conflicts with it', async () => {
    const key = randomUUID();
    const first = await createGroup(key);
    const conflicting = await createGroup(key, { authorization: String(bob.authorization) });
    expect(lineOf(conflicting)).toMatchObject({ outcome: 'IDEMPOTENCY_CONFLICT', sentBy: [first] });
  });
});

describe('a refusal before an operation runs', () => {
  it.each([
    ['its text', '{ nothing', {}, 'GRAPHQL_PARSE_FAILED'],
    ['its headers', '{ __typename }', { accept: 'text/plain' }, 'BAD_REQUEST'],
  ])('for %s is logged and counted', async (_what, query, headers, outcome) => {
    const requestId = randomUUID();
    await gateway.ask(query, {}, { ...headers, 'x-request-id': requestId });
    expect(linesOf(gateway)).toContainEqual(
      expect.objectContaining({ msg: 'operation refused', requestId, outcome }),
    );
  });
});

describe('a gateway that stops', () => {
  it('logs what it drains, and at the end how long that took and how many operations it refused', async () => {
    const stopping = await startTestGateway({ UPSTREAM_URL: service.url });
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    service.will(async (request, response) => {
      asked.resolve();
      await held.promise;
      does.json(200, { createGroup: { id: 7 } })(request, response);
    });
    const socket = await openSocket(stopping);
    socket.send({ type: 'connection_init', payload: alice });
    await socket.message();
    const query = 'mutation { createGroup(input: {}) { __typename } }';
    socket.send({ type: 'subscribe', id: 'first', payload: { query } });
    await asked.promise;
    const closed = stopping.close();
    await expect.poll(() => linesOf(stopping).map(({ msg }) => msg)).toContain('draining');
    // The socket is open until its mutation has ended, and new operations are accepted for a moment.
    await expect
      .poll(async () => {
        const id = randomUUID();
        socket.send({ type: 'subscribe', id, payload: { query: '{ __typename }' } });
        return (await socket.messageOf(id)).payload;
      })
      .toMatchObject([{ extensions: { code: 'SHUTTING_DOWN' } }]);
    held.resolve();
    expect((await socket.messageOf('first')).payload).toMatchObject({ data: { createGroup: {} } });
    await closed;
    const lines = linesOf(stopping);
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'draining',
        requests: expect.any(Number),
        webSockets: 1,
        eventStreams: 0,
      }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'operation refused', outcome: 'SHUTTING_DOWN' }),
    );
    expect(lines.at(-1)).toMatchObject({ msg: 'stopped', refused: 1, durationMs: expect.any(Number) });
  });
});
