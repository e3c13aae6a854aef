/** What docs/sandbox.md and the page about retries state, through a gateway. `test/sandbox` has the inputs one by one. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { alice, startTestGateway } from '../support/gateway.ts';
import { forFile } from '../support/lifetimes.ts';
import { controlSandbox } from '../support/sandbox-controls.ts';

const gateway = forFile(await startTestGateway());

it('Malaysian document ids that need no import, again after their end', async () => {
  const states = async () => {
    const { data } = await gateway.ask('{ malaysiaStatuses(documentIds: ["2001", "2002"]) { state } }');
    return data.malaysiaStatuses.map(({ state }: { state: string }) => state);
  };
  for (let time = 0; time < 2; time += 1) {
    expect(await states()).toEqual(['QUEUED', 'QUEUED']);
    await controlSandbox(gateway, 'clock', { advanceMs: 8_000 });
    expect(await states()).toEqual(['SUBMITTED', 'SUBMITTED']);
    await controlSandbox(gateway, 'clock', { advanceMs: 10_000 });
    expect(await states()).toEqual(['VALIDATED', 'REJECTED']);
  }
});

it('faults make the errors that the page about retries shows first', async () => {
  const page = readFileSync('docs/retrying-safely.md', 'utf8');
  const shown = [...page.matchAll(/```json\n([\s\S]*?)```/g)]
    .slice(0, 2)
    .map(([, text]) => JSON.parse(String(text)));
  for (const [index, fault] of ['status-503', 'unavailable-2'].entries()) {
    await controlSandbox(gateway, 'faults', { endpoint: 'createGroup', fault });
    const { requestId, upstream } = shown[index];
    const query = 'mutation { createGroup(input: { name: "A" }) { ... on Group { id } } }';
    const { errors } = await gateway.ask(query, {}, { ...alice, 'x-request-id': requestId });
    expect(errors?.[0]?.extensions).toEqual(shown[index]);
    expect(upstream.requestId).toBe(requestId);
  }
});
