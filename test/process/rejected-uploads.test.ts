/** A client that is still sending an upload gets the response that rejects it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { alice } from '../support/gateway.ts';
import { type GatewayProcess, killProcesses, startProcess } from '../support/process.ts';

/** A separate process: in one process the client has sent everything before the gateway closes the connection. */
let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startProcess({ UPSTREAM_URL: 'sandbox' });
});
afterAll(killProcesses);

it('an upload of two files is rejected with status 400, each of 10 times', async () => {
  const query =
    'mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "1" }) { __typename } }';
  for (let time = 0; time < 10; time += 1) {
    const form = new FormData();
    form.set('operations', JSON.stringify({ query, variables: { file: null } }));
    form.set('map', JSON.stringify({ 0: ['variables.file'], 1: ['variables.file'] }));
    for (const name of ['0', '1'])
      form.set(name, new Blob([Buffer.alloc(3_000_000)], { type: 'image/png' }), 'a.png');
    const headers = { 'x-graphql-yoga-csrf': '1', accept: 'application/graphql-response+json', ...alice };
    const response = await fetch(gateway.url, { method: 'POST', headers, body: form });
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { extensions: object }[] };
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST', sideEffect: 'NONE' });
  }
});
