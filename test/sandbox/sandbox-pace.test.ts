/** The sandbox changes states slowly enough for a subscriber with the default poll intervals to receive each. */
import { expect, it } from 'vitest';
import { configTable } from '../../src/config/variables.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forFile } from '../support/lifetimes.ts';

/** Factor for both the sandbox and the polls: low enough for a loaded machine to subscribe before the first change. */
const speed = 5;

function atSpeed(variable: string): Record<string, string> {
  const ms = Number(configTable.find(({ name }) => name === variable)?.default);
  return { [variable]: String(ms / speed) };
}

const gateway = forFile(
  await startTestGateway({
    SANDBOX_SPEED: String(speed),
    ...atSpeed('MALAYSIA_POLL_MIN_MS'),
    ...atSpeed('MALAYSIA_POLL_MAX_MS'),
  }),
);

it('a subscriber right after the import receives QUEUED, SUBMITTED and VALIDATED', async () => {
  const follow = async (docNumber: string) => {
    const { data } = await gateway.ask(
      `mutation ($docNumber: String!) { importMalaysiaInvoice(input: { queueId: "42", invoice: {
        docType: INVOICE, docNumber: $docNumber, supplier: {}, buyer: {}, lines: [{ amountExclTax: "1.00", taxes: [] }]
      } }) { ... on MalaysiaImport { documentId } } }`,
      { docNumber },
    );
    const { documentId } = data.importMalaysiaInvoice;
    const query = `subscription { malaysiaStatusChanged(documentId: "${documentId}") { state } }`;
    const events = await Array.fromAsync(gateway.webSocketClient().iterate({ query }));
    return events.map((event: any) => event.data.malaysiaStatusChanged.state);
  };
  // Polls have jitter, so ten documents differ.
  const seen = await Promise.all(Array.from({ length: 10 }, (_, index) => follow(`INV-${index}`)));
  expect(seen).toEqual(Array(10).fill(['QUEUED', 'SUBMITTED', 'VALIDATED']));
});
