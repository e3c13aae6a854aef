/** Requests whose callers end their side of the connection in the middle of the body. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService(does.json(200, { createGroup: { id: 7 } }));
  gateway = await startTestGateway({ UPSTREAM_URL: service.url, LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

const query = 'mutation ($f: Upload!) { scanIdentityCard(input: { file: $f, queueId: "7" }) { __typename } }';
const part = (name: string, text: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
const operations = part('operations', JSON.stringify({ query, variables: { f: null } }));
const map = part('map', '{"0":["variables.f"]}');
const file = '--b\r\ncontent-disposition: form-data; name="0"; filename="a.png"\r\n\r\naaa';

it.each([
  ['in a JSON body', 'application/json', '{"query":'],
  ['in the operations of a multipart request', 'multipart/form-data; boundary=b', operations.slice(0, 90)],
  ['between the operations and the file', 'multipart/form-data; boundary=b', operations + map],
  ['in the file', 'multipart/form-data; boundary=b', operations + map + file],
])('get BAD_REQUEST, NONE as a GraphQL error: %s', async (_place, type, body) => {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.end(
    `POST /graphql HTTP/1.1\r\nhost: a\r\nx-graphql-yoga-csrf: 1\r\nx-api-key: a-key\r\nauthorization: Bearer a\r\n` +
      `accept: application/graphql-response+json\r\ncontent-type: ${type}\r\ncontent-length: 5000\r\n\r\n${body}`,
  );
  await once(socket, 'close');
  const [head = '', json = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 [24]00 /);
  const { errors } = JSON.parse(json);
  expect(errors[0].extensions).toMatchObject({ code: 'BAD_REQUEST', sideEffect: 'NONE' });
  expect(service.received.filter(({ path }) => path.includes('group'))).toEqual([]);
});
