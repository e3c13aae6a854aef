/** An import refuses only what the service's document forbids; everything else is at most a warning. */
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { forFile, gatewayOfService } from '../../support/lifetimes.ts';
import { driftOf } from '../../support/metric.ts';
import * as does from '../../support/service.ts';

const { service, gateway } = await gatewayOfService(
  does.json(200, { docId: 5, requestId: 'r', docNumber: 'N' }),
);

const query = `mutation ($invoice: MalaysiaInvoiceInput!, $key: String) {
  importMalaysiaInvoice(input: { queueId: "q.1", invoice: $invoice, idempotencyKey: $key }) {
    ... on MalaysiaImport {
      documentId docType rawDocType docNumber govPortal { submissionId uuid } warnings { rule severity path message }
    }
    ... on InvalidInput { problems { rule severity path message } }
  }
}`;
const check = `query ($invoice: MalaysiaInvoiceInput!) {
  checkMalaysiaInvoice(invoice: $invoice) { isValid problems { rule severity path message } }
}`;
const reference = { originalInvoiceCodeNumber: 'INV-0' };
const anInvoice = (members: object = {}) => ({ docType: 'INVOICE', docNumber: 'N', lines: [], ...members });
const line = { amountExclTax: '-10.00' };

async function imported(invoice: object = anInvoice(), key?: string, at = gateway) {
  const { data, errors } = await at.ask(query, { invoice, key });
  expect(errors).toBeUndefined();
  return data.importMalaysiaInvoice;
}

const rules = (problems: readonly { rule: string; severity: string }[]) =>
  problems.map(({ rule, severity }) => `${severity} ${rule}`);

const party = ['WARNING address-recommended', 'WARNING contact-recommended'];
const parties = [...party, ...party];

/** An accepted invoice, and its warnings except those about absent parties. */
const accepted: [what: string, invoice: object, ...warnings: string[]][] = [
  [
    'without parties, taxes or anything that is not said to be required',
    { lines: [{ amountExclTax: '1.50' }] },
  ],
  ['without lines and number', { docNumber: '' }, 'doc-number-empty', 'lines-empty'],
  [
    'that is a credit note with a rate and a count among its totals',
    { docType: 'CREDIT_NOTE', reference, lines: [line], totals: { exchangeRate: '4.70', lineCount: 1 } },
    ...['credit-note-totals-negative', 'credit-note-totals-negative'],
  ],
];

const sandboxed = forFile(await startTestGateway());

describe('an invoice', () => {
  it.each(accepted)('%s is accepted by the sandbox, with its warnings', async (_what, members, ...warned) => {
    const invoice = anInvoice(members);
    const { documentId, warnings } = await imported(invoice, undefined, sandboxed);
    expect(documentId).toMatch(/^50\d\d$/);
    expect(rules(warnings).sort()).toEqual([...parties, ...warned.map((rule) => `WARNING ${rule}`)].sort());
    const { data } = await sandboxed.ask(check, { invoice });
    expect(data.checkMalaysiaInvoice).toEqual({ isValid: true, problems: warnings });
  });

  it('can be sent in forms that the fields cannot have', async () => {
    const lines = [{ amountExclTax: '1.50', quantity: 12 }];
    const supplier = { address: '1 Jalan Contoh, Ipoh' };
    const { warnings } = await imported(
      anInvoice({ docNumber: '', extra: { docNumber: 17, lines }, supplier: { extra: supplier } }),
    );
    expect(rules(warnings).filter((warning) => !party.includes(warning))).toEqual(
      Array(3).fill('WARNING extra-names-known-member'),
    );
    const sent = service.received.map(({ body }) => JSON.parse(String(body)));
    expect(sent).toEqual([{ docType: 'invoice', docNumber: 17, supplier, lines }]);
  });

  it('imported again with its key has the same outcome, warnings and reports of the service', async () => {
    service.will(does.json(200, { docId: 5, errors: ['half'] }));
    const first = await imported(anInvoice(), 'key-12345678');
    expect(await imported(anInvoice(), 'key-12345678')).toEqual(first);
    expect(rules(first.warnings)).toEqual(
      expect.arrayContaining(['WARNING lines-empty', 'WARNING reported-by-service']),
    );
    expect(service.received).toHaveLength(1);
  });

  it('that the service refuses has its reasons, then the warnings, also when it is sent again with its key', async () => {
    const invoice = anInvoice({ docNumber: '' });
    for (let sent = 1; sent <= 2; sent += 1) {
      service.will(
        does.json(400, { message: ['docNumber should not be empty', 'lines should not be empty'] }),
      );
      expect(rules((await imported(invoice, 'key-refused-1')).problems)).toEqual([
        'ERROR refused-by-service',
        'ERROR refused-by-service',
        'WARNING doc-number-empty',
        ...parties,
        'WARNING lines-empty',
      ]);
      expect(service.received).toHaveLength(sent);
    }
  });

  it('that breaks a rule is refused before a call, with its warnings after its errors', async () => {
    const lines = [{ amountExclTax: '1', taxes: [{ amount: '0' }] }];
    const invoice = anInvoice({ docNumber: '', lines });
    const { problems } = await imported(invoice);
    expect(rules(problems)).toEqual(['ERROR tax-type-one', 'WARNING doc-number-empty', ...parties]);
    expect(service.received).toEqual([]);
    const { data } = await gateway.ask(check, { invoice });
    expect(data.checkMalaysiaInvoice).toEqual({ isValid: false, problems });
  });
});

it.each([
  [{}, { docType: null, rawDocType: null, docNumber: null }],
  [
    { docType: 'consolidated_invoice', docNumber: 17 },
    { docType: null, rawDocType: 'consolidated_invoice', docNumber: '17' },
  ],
  [
    { docType: 1, docNumber: '' },
    { docType: null, rawDocType: '1', docNumber: null },
  ],
  [
    { docType: 'invoice', docNumber: 'INV-9' },
    { docType: 'INVOICE', rawDocType: 'invoice', docNumber: 'INV-9' },
  ],
])(
  'an import has the type and number that the service reports, not those that were sent: %j',
  async (response, expected) => {
    service.will(does.json(200, { docId: 1, ...response }));
    expect(await imported()).toMatchObject(expected);
  },
);

it('an import has the document of a list of one, and none of a list of two', async () => {
  service.will(
    does.json(200, { data: [{ docId: 7 }] }),
    does.json(200, { data: [{ docId: 5 }, { docId: 6 }] }),
  );
  expect(await imported()).toMatchObject({ documentId: '7' });
  const { errors } = await gateway.ask(query, { invoice: anInvoice() });
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE', sideEffect: 'POSSIBLE' });
});

it.each<[string, does.Behaviour, object | null, string | undefined]>([
  [
    'QUEUED and not delayed while the service does not know the document',
    does.json(404, {}),
    { state: 'QUEUED', isDelayed: false },
    undefined,
  ],
  ['an error for another failure', does.json(403, {}), null, 'FORBIDDEN'],
])('the status of an imported document is %s', async (_what, behaviour, status, code) => {
  service.will(does.json(200, { docId: 5 }), behaviour);
  const withStatus = query.replace('documentId', 'status { state isDelayed }');
  const { data, errors } = await gateway.ask(withStatus, { invoice: anInvoice() });
  expect(data?.importMalaysiaInvoice?.status ?? null).toEqual(status);
  expect(errors?.[0]?.extensions['code']).toBe(code);
});

describe('the portal of an import', () => {
  const portalOf = async (members: object) => {
    service.will(does.json(200, { docId: 2, ...members }));
    return (await imported()).govPortal;
  };
  const both = { submissionId: 'S1', uuid: 'U1' };

  it.each<[string, object, object | null]>([
    ['under any other name', { myPortal: both }, both],
    ['under the placeholder name before any other', { other: { uuid: 'X' }, govPortal: both }, both],
    ['absent', {}, null],
    ['at the top level', both, null],
    ['in a list of one', { govPortal: [both] }, both],
    ['as null', { govPortal: null }, null],
  ])('is recognized by its members: %s', async (_where, members, expected) => {
    expect(await portalOf(members)).toEqual(expected);
  });

  it.each([
    [both, []],
    [{ ...both, longId: '1' }, ['unknown-member import.portalTwo.longId']],
  ])('causes drift under another name for its unknown members alone: %j', async (portalTwo, logged) => {
    const complete = { requestId: 'r', queueId: 1, docType: 'invoice', docNumber: '1', message: '' };
    const trackingUrl = 'http://a.invalid/';
    const drift = await driftOf(gateway, () => portalOf({ ...complete, trackingUrl, portalTwo }));
    expect(drift).toMatchObject({ counted: logged.length, logged });
  });
});
