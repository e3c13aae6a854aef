/** A Malaysian invoice from its check to its final state, with typed operations, against the embedded sandbox. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CheckMalaysiaInvoiceDocument,
  ImportMalaysiaInvoiceDocument,
  ImportMalaysiaInvoicesDocument,
  type MalaysiaInvoiceInput,
  MalaysiaStatusChangedDocument,
  MalaysiaStatusDocument,
  MalaysiaStatusesDocument,
} from './generated/graphql.ts';
import { bob, startTestGateway, type TestGateway } from './support/gateway.ts';
import { run } from './support/run.ts';
import { controlSandbox, sandboxCalls } from './support/sandbox-controls.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    MALAYSIA_POLL_MIN_MS: '20',
    MALAYSIA_POLL_MAX_MS: '50',
  });
});
afterAll(() => gateway.close());

/** Advances the sandbox's clock, so that a slow machine misses no state. */
const pass = (advanceMs: number) => controlSandbox(gateway, 'clock', { advanceMs });

const invoice = (more: Partial<MalaysiaInvoiceInput> = {}): MalaysiaInvoiceInput => ({
  docType: 'INVOICE',
  docNumber: 'INV-0001',
  supplier: {
    address: {
      line1: 'Jalan Contoh 1',
      city: 'Kuala Lumpur',
      stateCode: '14',
      postcode: '50000',
      country: 'MYS',
    },
    contact: { telephone: '+60300000000' },
  },
  buyer: {
    address: { line1: 'Jalan Contoh 2', city: 'Ipoh', stateCode: '08', postcode: '30000', country: 'MYS' },
    contact: { telephone: '+60500000000' },
  },
  lines: [
    { amountExclTax: '1000.00', taxes: [{ type: 'SALES_TAX', amount: '100.00' }] },
    { amountExclTax: '336.50', taxes: [] },
  ],
  ...more,
});

function documentIdOf(result: { __typename?: string; documentId?: string } | null | undefined): string {
  expect(result?.__typename).toBe('MalaysiaImport');
  return result?.documentId as string;
}

describe('a Malaysian e-invoice', () => {
  it('is imported, and followed over a WebSocket from QUEUED to VALIDATED', async () => {
    const { importMalaysiaInvoice } = await run(gateway, ImportMalaysiaInvoiceDocument, {
      input: { queueId: '42', invoice: invoice() },
    });
    expect(importMalaysiaInvoice).toMatchObject({
      queueId: '42',
      docType: 'INVOICE',
      docNumber: 'INV-0001',
      status: { state: 'QUEUED' },
    });
    const documentId = documentIdOf(importMalaysiaInvoice);
    const events = gateway
      .webSocketClient()
      .iterate({ query: MalaysiaStatusChangedDocument.toString(), variables: { documentId } });
    const states: string[] = [];
    for await (const { data } of events as AsyncIterable<any>) {
      states.push(data.malaysiaStatusChanged.state);
      // The portal submits a document after 8 s and decides 10 s later.
      await pass(states.length === 1 ? 9_000 : 10_000);
    }
    expect(states).toEqual(['QUEUED', 'SUBMITTED', 'VALIDATED']);
    const { malaysiaStatus } = await run(gateway, MalaysiaStatusDocument, { documentId });
    expect(malaysiaStatus).toMatchObject({
      state: 'VALIDATED',
      isFinal: true,
      govPortal: { uuid: expect.any(String) },
    });
  });

  it('with portal identifiers in the response has them in the result of the import', async () => {
    const { importMalaysiaInvoice } = await run(gateway, ImportMalaysiaInvoiceDocument, {
      input: { queueId: '42', invoice: invoice({ docNumber: 'INV-NOW' }) },
    });
    expect(importMalaysiaInvoice).toMatchObject({
      govPortal: { submissionId: expect.any(String), uuid: expect.any(String) },
    });
  });

  it('is refused with the broken rules, and not sent, if it is a credit note with positive amounts', async () => {
    const note = invoice({
      docType: 'CREDIT_NOTE',
      docNumber: 'CN-1',
      reference: { originalInvoiceCodeNumber: 'INV-0001' },
      totals: { payable: '1436.50' },
    });
    const { importMalaysiaInvoice } = await run(gateway, ImportMalaysiaInvoiceDocument, {
      input: { queueId: '42', invoice: note },
    });
    expect(importMalaysiaInvoice).toMatchObject({ __typename: 'InvalidInput' });
    const problems =
      importMalaysiaInvoice?.__typename === 'InvalidInput' ? importMalaysiaInvoice.problems : [];
    expect(problems.map(({ rule, path, actual }) => [rule, path.join('.'), actual])).toEqual([
      ['credit-note-negative', 'invoice.lines.0.amountExclTax', '1000.00'],
      ['credit-note-negative', 'invoice.lines.0.taxes.0.amount', '100.00'],
      ['credit-note-negative', 'invoice.lines.1.amountExclTax', '336.50'],
      ['credit-note-totals-negative', 'invoice.totals.payable', '1436.50'],
    ]);
    const calls = await sandboxCalls(gateway);
    expect(JSON.stringify(calls)).not.toContain('CN-1');
  });

  it('is checked without a call, with exact totals', async () => {
    const { checkMalaysiaInvoice } = await run(gateway, CheckMalaysiaInvoiceDocument, { invoice: invoice() });
    expect(checkMalaysiaInvoice).toEqual({
      isValid: true,
      problems: [],
      totals: { amountExclTax: '1336.50', taxAmount: '100.00', amountInclTax: '1436.50' },
    });
  });

  it('in a batch of ten has its own outcome, independent of the others', async () => {
    const input = Array.from({ length: 10 }, (_, index) => ({
      queueId: index === 3 ? '../bad' : '42',
      invoice: invoice({ docType: index === 5 ? 'CREDIT_NOTE' : 'INVOICE', docNumber: `BATCH-${index}` }),
    }));
    const { data, errors } = await gateway.ask(ImportMalaysiaInvoicesDocument.toString(), { input });
    const outcomes = data.importMalaysiaInvoices.map((outcome: any) => outcome?.__typename ?? null);
    expect(outcomes).toEqual(
      input.map((_, index) => (index === 3 ? null : index === 5 ? 'InvalidInput' : 'MalaysiaImport')),
    );
    expect(errors).toMatchObject([
      { path: ['importMalaysiaInvoices', 3], extensions: { code: 'BAD_USER_INPUT', sideEffect: 'NONE' } },
    ]);
    const numbers = data.importMalaysiaInvoices.flatMap((outcome: any) => outcome?.docNumber ?? []);
    expect(numbers).toEqual(
      input.flatMap(({ invoice: { docNumber } }, index) => (index === 3 || index === 5 ? [] : docNumber)),
    );
  });

  it('with an unknown id is NOT_FOUND among known ones', async () => {
    const { importMalaysiaInvoice } = await run(gateway, ImportMalaysiaInvoiceDocument, {
      input: { queueId: '42', invoice: invoice({ docNumber: 'KNOWN-1' }) },
    });
    const documentIds = [documentIdOf(importMalaysiaInvoice), '999999'];
    const { data, errors } = await gateway.ask(MalaysiaStatusesDocument.toString(), { documentIds });
    expect(data.malaysiaStatuses).toMatchObject([{ documentId: documentIds[0] }, null]);
    expect(errors).toMatchObject([{ path: ['malaysiaStatuses', 1], extensions: { code: 'NOT_FOUND' } }]);
  });

  it('that another caller imported is NOT_FOUND', async () => {
    const { importMalaysiaInvoice } = await run(gateway, ImportMalaysiaInvoiceDocument, {
      input: { queueId: '42', invoice: invoice({ docNumber: 'MINE-1' }) },
    });
    const documentId = documentIdOf(importMalaysiaInvoice);
    const { errors } = await gateway.ask(MalaysiaStatusDocument.toString(), { documentId }, bob);
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });
});

it('a thousand subscribers to one document cause as many polls as one subscriber', async () => {
  const { importMalaysiaInvoice } = await run(gateway, ImportMalaysiaInvoiceDocument, {
    input: { queueId: '42', invoice: invoice({ docNumber: 'THOUSAND-SLOW' }) },
  });
  const documentId = documentIdOf(importMalaysiaInvoice);
  const query = MalaysiaStatusChangedDocument.toString();
  const clients = Array.from({ length: 10 }, () => gateway.webSocketClient());
  let subscribed = 0;
  const startedAt = performance.now();
  const last = await Promise.all(
    Array.from({ length: 1_000 }, async (_, index) => {
      let state = '';
      const events = (clients[index % 10] as (typeof clients)[number]).iterate({
        query,
        variables: { documentId },
      });
      for await (const { data } of events as AsyncIterable<any>) {
        if (state === '') subscribed += 1;
        if (state === '' && subscribed === 1_000) await pass(200_000);
        state = data.malaysiaStatusChanged.state;
      }
      return state;
    }),
  );
  expect(new Set(last)).toEqual(new Set(['VALIDATED']));
  const calls = await sandboxCalls(gateway);
  const polls = calls.filter(({ path, at }: any) => path.endsWith(`/malaysia/status/${documentId}`) && at);
  // One poll at a time, at intervals of 18 ms or more, for any number of subscribers. The import read the status once too.
  expect(polls.length).toBeLessThanOrEqual((performance.now() - startedAt) / 18 + 2);
});
