/** Requests whose callers end their side of the connection in the middle of the body. */
import { expect, it } from 'vitest';
import { alice, scanOperation } from '../support/gateway.ts';
import { forTest, gatewayWith } from '../support/lifetimes.ts';
import { form, headOf, openConnection, resultIn } from '../support/raw-http.ts';

const { gateway } = await gatewayWith({ LOG_LEVEL: 'silent' });

/** Sends a part of a body. Returns the status line and the error. */
async function responseTo(type: Record<string, string>, body: string) {
  const accept = 'application/graphql-response+json';
  const head = headOf('POST /graphql', { ...alice, ...type, accept, 'content-length': '5000' });
  const { socket, until, text } = forTest(await openConnection(gateway.url, head + body, true));
  socket.end();
  await until(/\r\n\r\n\{.*\}/s);
  return [text().split('\r\n', 1)[0], resultIn(text()).errors[0].extensions];
}

it('get BAD_REQUEST, NONE as a GraphQL error, wherever they are cut', async () => {
  const body = form.beforeFile(scanOperation, { file: null }) + form.file('a'.repeat(100)).slice(0, -2);
  const cuts = Array.from({ length: Math.floor(body.length / 10) }, (_, index) => body.slice(0, index * 10));
  const expected = [
    expect.stringMatching(/^HTTP\/1\.1 [24]00 /),
    { code: 'BAD_REQUEST', sideEffect: 'NONE' },
  ];
  const responses = [responseTo({ 'content-type': 'application/json' }, '{"query":')];
  for (const cut of cuts) {
    responses.push(responseTo(form.headers, cut));
    // Of many that arrive at once, a busy machine has no time for some.
    await gateway.ask('{ __typename }');
  }
  for (const response of await Promise.all(responses)) expect(response).toMatchObject(expected);
  expect((await gateway.ask('{ __typename }')).status).toBe(200);
});
