/** Which application sends an operation, as its client says: what log and traces keep of it. */
import { afterEach, expect, it } from 'vitest';
import { startCollector } from '../support/collector.ts';
import { alice, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openSocket } from '../support/websocket.ts';

const query = 'query Limits { gatewayInfo { limits { maxBatchSize } } }';

let gateway: TestGateway;
afterEach(() => gateway.close());

/** The application in the last line of an operation. */
function logged() {
  const lines = gateway.log().map((line) => JSON.parse(line));
  const { clientName, clientVersion } = lines.findLast(({ msg }) => msg === 'operation');
  return { clientName, clientVersion };
}

/** The application of a query over a WebSocket. */
async function loggedOverSocket(payload: object | undefined, headers: Record<string, string> = {}) {
  const socket = await openSocket(gateway, { headers });
  socket.send({ type: 'connection_init', payload });
  expect(await socket.message()).toMatchObject({ type: 'connection_ack' });
  socket.send({ type: 'subscribe', id: '1', payload: { query } });
  expect(await socket.messageOf('1')).toMatchObject({ payload: { data: {} } });
  await expect.poll(() => gateway.log().some((line) => line.includes('"operation"'))).toBe(true);
  socket.close();
  return logged();
}

it.each(['apollographql', 'x-graphql'])(
  'an operation’s log line has the application of %s-client-name',
  async (prefix) => {
    gateway = await startTestGateway();
    const named = {
      [`${prefix}-client-name`]: 'com.example.folio-ios',
      [`${prefix}-client-version`]: '2.3.1',
    };
    await gateway.ask(query, {}, named);
    expect(logged()).toEqual({ clientName: 'com.example.folio-ios', clientVersion: '2.3.1' });
    await gateway.ask(query);
    expect(logged()).toEqual({ clientName: undefined, clientVersion: undefined });
    await gateway.ask(query, {}, { [`${prefix}-client-version`]: '2.3.1' });
    expect(logged()).toEqual({ clientName: undefined, clientVersion: undefined });
  },
);

it('a name and a version are cut and have no characters that a log or a label could misread', async () => {
  gateway = await startTestGateway();
  const name = `a"b\\c{d}é\u009b[31m;${'x'.repeat(8_000)}`;
  await gateway.ask(query, {}, { 'x-graphql-client-name': name, 'x-graphql-client-version': `1${name}` });
  expect(logged()).toEqual({
    clientName: `a_b_c_d____31m_${'x'.repeat(49)}`,
    clientVersion: `1a_b_c_d____31m_${'x'.repeat(16)}`,
  });
});

it.each([
  [
    'at the top of the payload',
    { ...alice, 'ApolloGraphQL-Client-Name': 'ios', 'apollographql-client-version': '2' },
    {},
  ],
  ['under `headers`', { headers: { 'x-graphql-client-name': 'ios', 'x-graphql-client-version': '2' } }, {}],
  ['in the upgrade request', alice, { 'x-graphql-client-name': 'ios', 'x-graphql-client-version': '2' }],
  [
    'in the upgrade request, without a payload',
    undefined,
    { 'x-graphql-client-name': 'ios', 'x-graphql-client-version': '2' },
  ],
  [
    'in the payload, which wins over the upgrade request',
    { 'x-graphql-client-name': 'ios', 'x-graphql-client-version': '2' },
    { 'x-graphql-client-name': 'web' },
  ],
])('a WebSocket names its application %s', async (_where, payload, headers) => {
  gateway = await startTestGateway();
  expect(await loggedOverSocket(payload, headers)).toEqual({ clientName: 'ios', clientVersion: '2' });
});

it.each([
  ['a number', 7],
  ['an object', { name: 'ios' }],
  ['null', null],
  ['blanks', '   '],
])('a WebSocket whose client name is %s is served without one', async (_what, name) => {
  gateway = await startTestGateway();
  expect(await loggedOverSocket({ ...alice, 'x-graphql-client-name': name })).toEqual({});
});

it('an operation’s span has the application', async () => {
  const collector = await startCollector();
  gateway = await startTestGateway(collector.environment);
  await gateway.ask(query, {}, { 'apollographql-client-name': 'ios', 'apollographql-client-version': '2' });
  await gateway.close();
  expect(collector.spans.find(({ name }) => name === 'query')?.attributes).toMatchObject({
    'graphql.client.name': 'ios',
    'graphql.client.version': '2',
  });
  await collector.close();
});
