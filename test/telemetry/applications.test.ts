/** Which application sends an operation, as its client says: what log and traces keep of it. */
import { expect, it } from 'vitest';
import { alice, startTestGateway } from '../support/gateway.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import { openSocket } from '../support/websocket.ts';

const query = 'query Limits { gatewayInfo { limits { maxBatchSize } } }';
const gateway = forFile(await startTestGateway());

/** The application in the last line of an operation. */
function logged() {
  const { clientName, clientVersion } = gateway.logged('operation').at(-1);
  return { clientName, clientVersion };
}

it.each(['apollographql', 'x-graphql'])(
  'an operation’s log line has the application of %s-client-name',
  async (prefix) => {
    const [name, version] = [`${prefix}-client-name`, `${prefix}-client-version`];
    const none = { clientName: undefined, clientVersion: undefined };
    await gateway.ask(query, {}, { [name]: 'com.example.folio-ios', [version]: '2.3.1' });
    expect(logged()).toEqual({ clientName: 'com.example.folio-ios', clientVersion: '2.3.1' });
    await gateway.ask(query);
    expect(logged()).toEqual(none);
    await gateway.ask(query, {}, { [version]: '2.3.1' });
    expect(logged()).toEqual(none);
  },
);

it('a name and a version are cut and have no characters that a log or a label could misread', async () => {
  const name = `a"b\\c{d}é\u009b[31m;${'x'.repeat(8_000)}`;
  await gateway.ask(query, {}, { 'x-graphql-client-name': name, 'x-graphql-client-version': `1${name}` });
  expect(logged()).toEqual({
    clientName: `a_b_c_d____31m_${'x'.repeat(49)}`,
    clientVersion: `1a_b_c_d____31m_${'x'.repeat(16)}`,
  });
});

const ios2 = { 'x-graphql-client-name': 'ios', 'x-graphql-client-version': '2' };
const apollo = { 'ApolloGraphQL-Client-Name': 'ios', 'apollographql-client-version': '2' };
const named = { clientName: 'ios', clientVersion: '2' };

it.each<[string, object | undefined, Record<string, string>, object]>([
  ['has the application at the top of its payload', { ...alice, ...apollo }, {}, named],
  ['has the application under `headers` of its payload', { headers: ios2 }, {}, named],
  ['has the application of its upgrade request', alice, ios2, named],
  ['has the application of its upgrade request, without a payload', undefined, ios2, named],
  ['has that of its payload, not of its upgrade request', ios2, { 'x-graphql-client-name': 'web' }, named],
  ['is served without an application of a number', { ...alice, 'x-graphql-client-name': 7 }, {}, {}],
  ['is served without an application of null', { 'x-graphql-client-name': null }, {}, {}],
  ['is served without an application of blanks', { 'x-graphql-client-name': '   ' }, {}, {}],
])('a WebSocket %s', async (_title, payload, headers, application) => {
  const before = gateway.logged('operation').length;
  const socket = forTest(await openSocket(gateway, { headers }));
  socket.send({ type: 'connection_init', payload });
  expect(await socket.message()).toMatchObject({ type: 'connection_ack' });
  socket.subscribe('1', query);
  expect(await socket.messageOf('1')).toMatchObject({ payload: { data: {} } });
  await expect.poll(() => gateway.logged('operation').length).toBe(before + 1);
  expect(logged()).toEqual({ clientName: undefined, clientVersion: undefined, ...application });
});
