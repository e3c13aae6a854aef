/** What the gateway expects of a document, after a hundred others were watched to their end in the sandbox. */
import { describe, expect, it } from 'vitest';
import { alice, bob, startTestGateway } from '../../support/gateway.ts';
import { forFile } from '../../support/lifetimes.ts';
import { controlSandbox } from '../../support/sandbox-controls.ts';

/** So long that only the clock of the sandbox changes a state. */
const hour = 3_600_000;

const gateway = forFile(
  await startTestGateway({
    ...{ MALAYSIA_POLL_MIN_MS: '100', MALAYSIA_POLL_MAX_MS: '200' },
    MALAYSIA_POLL_BUDGET_PER_SECOND: '100000',
  }),
);
await controlSandbox(gateway, 'course', { queuedMs: hour, submittedMs: hour });

const importAll = `mutation ($input: [ImportMalaysiaInvoiceInput!]!) {
  importMalaysiaInvoices(input: $input) { ... on MalaysiaImport { documentId } }
}`;
const status = 'documentId state since expected { likelyBy atLatestBy basis }';
let imports = 0;

async function importInvoices(count: number, headers = alice): Promise<string[]> {
  const input = Array.from({ length: count }, () => ({
    queueId: '42',
    invoice: { docType: 'INVOICE', docNumber: `INV-${imports++}`, supplier: {}, buyer: {}, lines: [] },
  }));
  const { data } = await gateway.ask(importAll, { input }, headers);
  return data.importMalaysiaInvoices.map(({ documentId }: { documentId: string }) => documentId);
}

/** Imports documents and watches them. The returned function waits until all have a state, and returns these statuses. */
async function watchNew(count: number, credentials = alice) {
  const documentIds = await importInvoices(count, credentials);
  const query = `subscription ($documentIds: [ID!]!) { malaysiaStatusesChanged(documentIds: $documentIds) { ${status} } }`;
  const events = gateway.webSocketClient(credentials).iterate({ query, variables: { documentIds } });
  return async (state: string): Promise<any[]> => {
    const statuses: any[] = [];
    while (statuses.length < count) {
      const { data } = (await events.next()).value as any;
      if (data.malaysiaStatusesChanged.state === state) statuses.push(data.malaysiaStatusesChanged);
    }
    return statuses;
  };
}

const advance = () => controlSandbox(gateway, 'clock', { advanceMs: hour });
const between = (from: string, to: string) => new Date(to).getTime() - new Date(from).getTime();

describe('what is expected of a document', () => {
  it('is null for the first hundred, which have the time since which their state was seen', async () => {
    const watches = [await watchNew(50), await watchNew(50, bob)];
    const until = async (state: string) => (await Promise.all(watches.map((next) => next(state)))).flat();
    const queued = await until('QUEUED');
    await advance();
    const submitted = await until('SUBMITTED');
    await advance();
    const validated = await until('VALIDATED');
    expect([...queued, ...submitted, ...validated].filter(({ expected }) => expected !== null)).toEqual([]);
    for (const [index, states] of [queued, submitted].entries())
      for (const { documentId, since } of states) {
        const later = [submitted, validated][index]?.find((each) => each.documentId === documentId);
        expect(between(since, later.since)).toBeGreaterThan(0);
      }
  });

  it('is a time for its next state then, from the documents of all callers together', async () => {
    const next = await watchNew(1);
    const [queued] = await next('QUEUED');
    await advance();
    const [submitted] = await next('SUBMITTED');
    await advance();
    const [final] = await next('VALIDATED');
    for (const { since, expected } of [queued, submitted]) {
      expect(expected.basis).toBe(100);
      expect(between(since, expected.likelyBy)).toBeGreaterThan(0);
      expect(between(expected.likelyBy, expected.atLatestBy)).toBeGreaterThanOrEqual(0);
    }
    expect(final.expected).toBeNull();
  });

  it('is part of a query of a document that the caller watches, and of no other', async () => {
    const [watched] = await (await watchNew(1))('QUEUED');
    const [other = ''] = await importInvoices(1);
    const query = `query ($documentIds: [ID!]!) { malaysiaStatuses(documentIds: $documentIds) { ${status} } }`;
    const { data } = await gateway.ask(query, { documentIds: [watched.documentId, other] });
    expect(watched.expected.basis).toBe(100);
    expect(data.malaysiaStatuses).toEqual([
      watched,
      { documentId: other, state: 'QUEUED', since: null, expected: null },
    ]);
  });
});
