/** A client that is still sending an upload gets the response that rejects it. */
import { expect, it } from 'vitest';
import { sendUpload, upload } from '../support/gateway.ts';
import { forFile } from '../support/lifetimes.ts';
import { startProcess } from '../support/process.ts';

/** A separate process: in one process the client has sent everything before the gateway closes the connection. */
const gateway = forFile(await startProcess());

it('an upload of two files is rejected with status 400, each of 10 times', async () => {
  const query =
    'mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "1" }) { __typename } }';
  const bytes = Buffer.alloc(3_000_000);
  for (let time = 0; time < 10; time += 1) {
    const form = upload(query, { file: null }, 'variables.file', { bytes, name: 'a.png' });
    form.set('map', JSON.stringify({ 0: ['variables.file'], 1: ['variables.file'] }));
    form.set('1', new Blob([bytes]), 'b.png');
    const { status, errors } = await sendUpload(gateway, form);
    expect(status).toBe(400);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST', sideEffect: 'NONE' });
  }
});
