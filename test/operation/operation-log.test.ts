/** The line that each operation leaves in the log. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { ErrorSummary } from '../../src/operation/operation-log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { makeCertificate } from '../support/certificate.ts';
import { alice, bob, post, startTestGateway } from '../support/gateway.ts';
import { forTest, gatewayOfService } from '../support/lifetimes.ts';
import { listen } from '../support/listen.ts';
import { metricOf } from '../support/metric.ts';
import * as does from '../support/service.ts';

const created = does.json(200, { createGroup: { id: 7 } });
const { service, gateway } = await gatewayOfService(created);

const lineOf = (requestId: string, msg = 'operation') =>
  gateway.logged(msg).find((line) => line.requestId === requestId);

/** Sends the mutation and returns the id of its request. */
async function createGroup(idempotencyKey: string = randomUUID(), headers = alice) {
  const requestId = randomUUID();
  const query = 'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { __typename } }';
  const input = { name: 'a', idempotencyKey };
  await gateway.ask(query, { input }, { ...headers, 'x-request-id': requestId });
  return requestId;
}

/** The causes of which the runbook says what to look at. */
const advised = new RegExp(
  `^(${[...readFileSync('docs/runbook.md', 'utf8').matchAll(/`([A-Z_…]+)`(?=[^|]* \\|)/g)].map(([, form = '']) => form.replaceAll('…', '.*')).join('|')})$`,
);

describe('the line of an operation', () => {
  it.each([
    ['OUTCOME_UNKNOWN', does.reset, 'warn'],
    ['UPSTREAM_UNAVAILABLE', does.json(503, {}), 'warn'],
    ['UPSTREAM_BAD_RESPONSE', does.json(200, []), 'warn'],
    ['FORBIDDEN', does.json(403, {}), 'info'],
    ['ok', created, 'info'],
  ])('with the outcome %s has the right level', async (outcome, behaviour, level) => {
    service.will(behaviour);
    expect(lineOf(await createGroup())).toMatchObject({ outcome, level });
  });

  it.each<[string, does.Behaviour[]]>([
    ['OUTCOME_UNKNOWN', [does.json(403, {}), does.json(503, {}), does.reset]],
    ['UPSTREAM_UNAVAILABLE', [does.json(403, {}), does.json(503, {}), created]],
    ['FORBIDDEN', [created, does.json(403, {}), does.json(404, {})]],
  ])(
    'with several errors is counted by the one that alerts look at, else by the first: %s',
    async (outcome, behaviours) => {
      const counted = () =>
        metricOf(gateway, `folio_operations_total{type="mutation",operation="other",outcome="${outcome}"}`);
      service.will(...behaviours);
      const before = (await counted()) || 0;
      await gateway.ask(
        `mutation { ${['a', 'b', 'c'].map((name) => `${name}: createGroup(input: {}) { __typename }`).join(' ')} }`,
      );
      expect(service.received).toHaveLength(3);
      expect(await counted()).toBe(before + 1);
    },
  );

  it('has each code and bound of several errors once, and the gravest side effect', () => {
    const summary = new ErrorSummary();
    const errorWith = (extensions: Record<string, string>) => new GraphQLError('It failed.', { extensions });
    const full = (bound: string) => errorWith({ code: 'RATE_LIMITED', bound, sideEffect: 'NONE' });
    const unknown = errorWith({ code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE' });
    summary.add([full('writes'), unknown, full('writes'), full('results')], createMetrics('test'));
    expect(summary.members()).toMatchObject({
      outcome: ['RATE_LIMITED', 'OUTCOME_UNKNOWN'],
      bound: ['writes', 'results'],
      sideEffect: 'POSSIBLE',
    });
  });

  it('contains the reason of a failure, but not that of a refused input, which may quote the caller', async () => {
    const lineAfter = async (behaviour: does.Behaviour) => {
      service.will(behaviour);
      const requestId = randomUUID();
      const query = '{ malaysiaStatus(documentId: "1") { state } }';
      await gateway.ask(query, {}, { ...alice, 'x-request-id': requestId });
      return lineOf(requestId);
    };
    const forbidden = await lineAfter(does.json(403, {}));
    expect(forbidden).toMatchObject({ outcome: 'FORBIDDEN', reason: expect.stringMatching(/\w/) });
    const refused = await lineAfter(does.json(400, { message: 'the name a exists' }));
    expect(refused).toMatchObject({ outcome: 'BAD_USER_INPUT' });
    expect(refused).not.toHaveProperty('reason');
  });

  it('counts the events of a subscription, none when it was refused', async () => {
    service.will(does.json(200, { status: 'validated' }));
    const eventsOf = async (documentId: string) => {
      const headers = { accept: 'text/event-stream', 'x-request-id': randomUUID() };
      const query = `subscription { malaysiaStatusChanged(documentId: "${documentId}") { state } }`;
      await (await post(gateway, { query }, headers)).text();
      return lineOf(headers['x-request-id'])?.events;
    };
    expect([await eventsOf('1'), await eventsOf('')]).toEqual([1, 0]);
  });

  it('names the request that was sent when it repeats an idempotency key, or conflicts with it', async () => {
    const key = randomUUID();
    const startedAt = performance.now();
    const first = await createGroup(key);
    const durations = [lineOf(first)?.durationMs, lineOf(first)?.calls[0].durationMs];
    expect(Math.max(...durations)).toBeLessThan(performance.now() - startedAt + 1);
    const repeated = await createGroup(key);
    expect(lineOf(first)).toMatchObject({
      ...{ outcome: 'ok', operation: 'mutation', durationMs: expect.any(Number) },
      lane: expect.stringMatching(/^[\w-]{8}$/),
      calls: [{ operation: 'createGroup', status: 200, attempts: 1, durationMs: expect.any(Number) }],
    });
    expect(lineOf(first)).not.toHaveProperty('sentBy');
    expect(lineOf(repeated)).toMatchObject({ outcome: 'ok', calls: [], sentBy: [first] });
    const conflicting = await createGroup(key, { ...alice, authorization: bob.authorization });
    expect(lineOf(conflicting)).toMatchObject({ outcome: 'IDEMPOTENCY_CONFLICT', sentBy: [first] });
  });
});

it('the line of an operation has the code of a failed connection to the service, and no address', async () => {
  const { file, keyFile } = makeCertificate();
  const unknown = createServer({ cert: readFileSync(file), key: readFileSync(keyFile) });
  const { port } = forTest(await listen(unknown));
  const plain = forTest(await listen(createTcpServer((socket) => socket.resume().end('220 ready\r\n'))));
  const causeAt = async (address: string, more: Record<string, string> = {}) => {
    const { ask, log, logged } = forTest(await startTestGateway({ UPSTREAM_URL: address, ...more }));
    await ask('{ malaysiaStatus(documentId: "1") { state } }');
    expect(log().join('')).not.toContain(new URL(address).host);
    const { cause } = logged('operation')[0].calls[0];
    expect(advised.test(cause), `the runbook has no row for ${cause}`).toBe(true);
    return cause;
  };
  expect(await causeAt('http://127.0.0.1:1')).toBe('ECONNREFUSED');
  expect(await causeAt('http://folio.invalid')).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
  expect(await causeAt(`https://127.0.0.1:${port}`)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  expect(await causeAt(plain.url)).toBe('UND_ERR_HTTP_PARSER');
  expect(await causeAt(plain.url.replace('http', 'https'))).toBe('ERR_SSL_WRONG_VERSION_NUMBER');
  const refuses = createHttpServer().on('connect', (_, socket) => socket.end('HTTP/1.1 407 \r\n\r\n'));
  const HTTPS_PROXY = forTest(await listen(refuses)).url;
  expect(await causeAt('https://folio.invalid', { HTTPS_PROXY })).toBe('UND_ERR_ABORTED');
});

it('the line of an operation whose time ends while it connects again has the code of the attempt before', async () => {
  const connections: Socket[] = [];
  const silent = createTcpServer((connection) => connections.push(connection));
  silent.once('connection', (connection) => connection.destroy());
  const { url } = forTest(await listen(silent));
  forTest({
    close() {
      for (const connection of connections) connection.destroy();
    },
  });
  const environment = { UPSTREAM_URL: url.replace('http', 'https'), UPSTREAM_READ_DEADLINE_MS: '2000' };
  const { ask, logged } = forTest(await startTestGateway(environment));
  await ask('{ malaysiaStatus(documentId: "1") { state } }');
  expect(logged('operation')[0]).toMatchObject({
    outcome: 'UPSTREAM_TIMEOUT',
    calls: [{ attempts: 2, cause: 'ECONNRESET' }],
  });
});

it.each([
  ['its text', '{ nothing', {}, 'GRAPHQL_PARSE_FAILED'],
  ['its headers', '{ __typename }', { accept: 'text/plain' }, 'BAD_REQUEST'],
])('an operation that is refused for %s is logged', async (_what, query, headers, outcome) => {
  const requestId = randomUUID();
  await gateway.ask(query, {}, { ...headers, 'x-request-id': requestId });
  expect(lineOf(requestId, 'operation refused')).toMatchObject({ outcome });
});
