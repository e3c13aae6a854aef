/** A Malaysian invoice from its import to its final state, with typed operations, against the embedded sandbox. */
import { print } from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  ImportMalaysiaInvoiceDocument,
  type MalaysiaInvoiceInput,
  MalaysiaStatusChangedDocument,
  MalaysiaStatusDocument,
} from '../packages/client/src/gql/graphql.ts';
import { startTestGateway } from './support/gateway.ts';
import { forFile } from './support/lifetimes.ts';
import { run } from './support/run.ts';
import { controlSandbox, sandboxCalls } from './support/sandbox-controls.ts';

const gateway = forFile(await startTestGateway({ MALAYSIA_POLL_MIN_MS: '20', MALAYSIA_POLL_MAX_MS: '50' }));

/** Advances the sandbox's clock, so that a slow machine misses no state. */
const pass = (advanceMs: number) => controlSandbox(gateway, 'clock', { advanceMs });

const address = { line1: 'Jalan Contoh 1', city: 'Ipoh', stateCode: '08', postcode: '30000', country: 'MYS' };
const party = { address, contact: { telephone: '+60300000000' } };
const invoice = (more: Partial<MalaysiaInvoiceInput> = {}): MalaysiaInvoiceInput => ({
  ...{ docType: 'INVOICE', docNumber: 'INV-0001', supplier: party, buyer: party },
  lines: [
    { amountExclTax: '1000.00', taxes: [{ type: 'SALES_TAX', amount: '100.00' }] },
    { amountExclTax: '336.50', taxes: [] },
  ],
  ...more,
});

async function importedId(docNumber: string): Promise<string> {
  const input = { queueId: '42', invoice: invoice({ docNumber }) };
  const imported = (await run(gateway, ImportMalaysiaInvoiceDocument, { input })).importMalaysiaInvoice;
  if (imported?.__typename !== 'MalaysiaImport') throw new Error('not imported');
  expect(imported).toMatchObject({
    ...{ queueId: '42', docType: 'INVOICE', docNumber, status: { state: 'QUEUED' } },
  });
  return imported.documentId;
}

describe('a Malaysian e-invoice', () => {
  it('is imported, and followed over a WebSocket from QUEUED to VALIDATED', async () => {
    const documentId = await importedId('INV-0001');
    const events = gateway
      .webSocketClient()
      .iterate({ query: print(MalaysiaStatusChangedDocument), variables: { documentId } });
    const states: string[] = [];
    for await (const { data } of events as AsyncIterable<any>) {
      states.push(data.malaysiaStatusChanged.state);
      // The portal submits a document after 8 s and decides 10 s later.
      await pass(states.length === 1 ? 9_000 : 10_000);
    }
    expect(states).toEqual(['QUEUED', 'SUBMITTED', 'VALIDATED']);
    const { malaysiaStatus } = await run(gateway, MalaysiaStatusDocument, { documentId });
    const govPortal = { submissionId: expect.any(String), uuid: expect.any(String) };
    expect(malaysiaStatus).toMatchObject({ state: 'VALIDATED', isFinal: true, govPortal });
  });
});

it('two hundred subscribers to one document cause as many polls as one subscriber', async () => {
  const documentId = await importedId('MANY-SLOW');
  const query = print(MalaysiaStatusChangedDocument);
  const clients = Array.from({ length: 4 }, () => gateway.webSocketClient());
  let subscribed = 0;
  const startedAt = performance.now();
  const last = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      let state = '';
      const client = clients[index % 4] as (typeof clients)[number];
      const events = client.iterate({ query, variables: { documentId } });
      for await (const { data } of events as AsyncIterable<any>) {
        if (state === '') subscribed += 1;
        if (state === '' && subscribed === 200) await pass(200_000);
        state = data.malaysiaStatusChanged.state;
      }
      return state;
    }),
  );
  expect(new Set(last)).toEqual(new Set(['VALIDATED']));
  const calls = await sandboxCalls(gateway);
  const polls = calls.filter(({ path }) => path.endsWith(`/malaysia/status/${documentId}`));
  // One poll at a time, at intervals of 18 ms or more, for any number of subscribers. The import read the status once too.
  expect(polls.length).toBeLessThanOrEqual((performance.now() - startedAt) / 18 + 2);
});
