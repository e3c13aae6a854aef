/** Which problems the rules of the import find in an invoice, and where. */
import { describe, expect, it } from 'vitest';
import { checkInvoice } from '../../../src/features/malaysia/check-invoice.ts';
import { boundedInvoice } from '../../../src/features/malaysia/invoice.schema.ts';
import { docTypes, knownMembers } from '../../../src/features/malaysia/invoice.ts';
import type { JsonObject } from '../../../src/tools/exact-number.ts';
import { aLine, aNote, anInvoice, aParty, first, found, money } from '../../support/an-invoice.ts';

/** An invoice whose only line has these members, or a tax with these members. */
const withLine = (members: object) => anInvoice({ lines: [{ ...aLine('0'), ...members }] });
const { address, contact } = aParty();
const withTax = (tax: object) => withLine({ taxes: [{ amount: money('0'), ...tax }] });

describe('an invoice', () => {
  it('has all its problems reported together, errors first, in the order of its members', () => {
    const broken = aNote('credit_note', {
      docNumber: '',
      reference: null,
      supplier: aParty({ contact: null }),
      buyer: aParty({ address: { ...aParty().address, postcode: '5000' } }),
      lines: [aLine('1'), aLine('-1', '0.06')],
      totals: { payable: money('1') },
      extra: { totals: { payable: money('1') } },
    });
    expect(found(broken)).toEqual([
      'ERROR reference-required invoice.reference.originalInvoiceCodeNumber',
      'ERROR credit-note-negative invoice.lines.0.amountExclTax',
      'ERROR credit-note-negative invoice.lines.1.taxes.0.amount',
      'WARNING doc-number-empty invoice.docNumber',
      'WARNING contact-recommended invoice.supplier.contact.telephone',
      'WARNING postcode invoice.buyer.address.postcode',
      'WARNING mixed-signs invoice.lines',
      'WARNING credit-note-totals-negative invoice.extra.totals.payable',
      'WARNING extra-names-known-member invoice.extra.totals',
    ]);
  });

  it('has its problems in the order of its lines and taxes, whichever rules they break', () => {
    const taxes = [{ amount: money('-1') }, { type: 'SALES_TAX', amount: money('1') }] as const;
    const lines = Array.from({ length: 11 }, () => ({ ...aLine('1'), extra: { taxes: [{ type: 'SST' }] } }));
    const invoice = aNote('credit_note', {
      supplier: aParty({ extra: { contact: null } }),
      lines: [...lines, { ...aLine('-1'), taxes }, aLine('1')],
    });
    expect(found(invoice).filter((problem) => !/invoice\.lines\.[1-8]\./.test(problem))).toEqual([
      'ERROR credit-note-negative invoice.lines.0.amountExclTax',
      'ERROR tax-type-sst invoice.lines.0.extra.taxes.0.type',
      'ERROR credit-note-negative invoice.lines.9.amountExclTax',
      'ERROR tax-type-sst invoice.lines.9.extra.taxes.0.type',
      'ERROR credit-note-negative invoice.lines.10.amountExclTax',
      'ERROR tax-type-sst invoice.lines.10.extra.taxes.0.type',
      'ERROR tax-type-one invoice.lines.11.taxes.0',
      'ERROR credit-note-negative invoice.lines.11.taxes.1.amount',
      'ERROR credit-note-negative invoice.lines.12.amountExclTax',
      'WARNING contact-recommended invoice.supplier.extra.contact.telephone',
      'WARNING extra-names-known-member invoice.supplier.extra.contact',
      'WARNING extra-names-known-member invoice.lines.0.extra.taxes',
      'WARNING extra-names-known-member invoice.lines.9.extra.taxes',
      'WARNING extra-names-known-member invoice.lines.10.extra.taxes',
      'WARNING mixed-signs invoice.lines',
    ]);
  });

  it.each([
    [200, 'debit-note-positive', /^The amounts of a debit note/],
    [201, 'more-problems', /^More problems like these: 2\.$/],
    [300, 'more-problems', /^More problems like these: 101\.$/],
  ])(
    'with %d problems has at most 200 listed, the last of which counts the others',
    (count, rule, message) => {
      const lines = Array.from({ length: count }, () => aLine('-1'));
      const problems = checkInvoice(aNote('debit_note', { lines }));
      expect(problems.map((problem) => problem.rule)).toEqual([
        ...Array(199).fill('debit-note-positive'),
        rule,
      ]);
      expect(problems[199]).toMatchObject({ severity: 'ERROR', message: expect.stringMatching(message) });
    },
  );

  it('has its errors reported even after 5,000 warnings, and unlisted warnings counted in a warning', () => {
    const lines = Array.from({ length: 5_000 }, () => aLine('1'));
    const problems = checkInvoice(aNote('refund_note', { lines, reference: null }));
    expect(problems).toHaveLength(200);
    expect(problems[0]).toMatchObject({ rule: 'reference-required', severity: 'ERROR' });
    expect(problems[199]).toMatchObject({ rule: 'more-problems', severity: 'WARNING' });
  });
});

it('an invoice has at most 5,000 lines and taxes together', () => {
  const [line, taxed] = [aLine('1'), aLine('1', '0.06')];
  const largest = anInvoice({ lines: [line, line, ...Array<typeof line>(2_499).fill(taxed)] });
  expect(boundedInvoice(largest)).toBe(largest);
  const larger = anInvoice({ lines: [line, ...largest.lines] });
  expect(() => boundedInvoice(larger)).toThrow(/^An invoice can have at most 5000 lines and taxes/);
});

it.each([
  ['k'.repeat(60), 'k'.repeat(60)],
  ['k'.repeat(61), `${'k'.repeat(59)}…`],
  ['😀'.repeat(100), `${'😀'.repeat(29)}…`],
])('the path of a problem contains at most 60 characters of a member name, well-formed: %s', (name, step) => {
  const [problem] = checkInvoice(aNote('credit_note', { totals: { [name]: { inner: money('1') } } }));
  expect(problem?.path).toEqual(['invoice', 'totals', step, 'inner']);
});

describe.each(docTypes)('a document of type %s', (docType) => {
  it('must have a reference if it is a note', () => {
    const blank = ['', ' ', null].map((originalInvoiceCodeNumber) => ({ originalInvoiceCodeNumber }));
    const missing = ['ERROR reference-required invoice.reference.originalInvoiceCodeNumber'];
    for (const reference of [undefined, null, {}, ...blank])
      expect(found(aNote(docType, { reference }))).toEqual(docType.endsWith('_note') ? missing : []);
  });

  it('should have lines, and taxes at its lines only', () => {
    expect(found(aNote(docType, { lines: [] }))).toEqual(['WARNING lines-empty invoice.lines']);
    const misplaced = ['WARNING tax-at-lines-only invoice.extra.taxes'];
    for (const taxes of [[], [{ type: 'SALES_TAX', amount: 1 }], 'none'])
      expect(found(aNote(docType, { extra: { taxes } }))).toEqual(misplaced);
  });
});

it('doc-number-empty reports numbers of blanks, and no other', () => {
  for (const docNumber of ['', '\t \n'])
    expect(found(anInvoice({ docNumber }))).toEqual(['WARNING doc-number-empty invoice.docNumber']);
  expect(found(anInvoice({ docNumber: '0' }))).toEqual([]);
});

it('tax-at-lines-only accepts null, members with other names, and taxes of other objects', () => {
  for (const extra of [{ taxes: null }, { tax: 1, Taxes: [], nested: { taxes: [] } }])
    expect(found(anInvoice({ extra }))).toEqual([]);
  expect(found(anInvoice({ supplier: aParty({ extra: { taxes: [] } }) }))).toEqual([]);
});

describe('the type of a tax', () => {
  const at = 'invoice.lines.0.taxes.0';

  it.each([
    { type: 'SALES_TAX' },
    { type: 'SALES_TAX', otherType: ' ' },
    { type: null, otherType: 'exempt' },
    { otherType: 'SALES_TAX' },
    { otherType: 'SST-2' },
  ])('is a value of the enum or any other text: %j', (tax) => {
    expect(found(withTax(tax))).toEqual([]);
  });

  it.each([{}, { type: null, otherType: ' ' }, { type: 'SALES_TAX', otherType: 'TOURISM_TAX' }])(
    'breaks tax-type-one unless exactly one is present: %j',
    (tax) => expect(found(withTax(tax))).toEqual([`ERROR tax-type-one ${at}`]),
  );

  it.each([
    ['its taxes', withLine({ taxes: [{ amount: money('0') }], extra: { taxes: [{ type: 'SALES_TAX' }] } })],
    ['its taxes by null', withLine({ taxes: [{ amount: money('0') }], extra: { taxes: null } })],
    ['all lines', { ...withTax({}), extra: { lines: [{ amountExclTax: 1 }] } }],
  ])('does not matter where it is not sent, because extra replaces %s', (_what, invoice) => {
    const others = found(invoice).filter((problem) => !problem.includes('extra-names-known-member'));
    expect(others).toEqual([]);
  });

  it.each([
    [`${at}.otherType`, withTax({ otherType: ' sSt ' })],
    [`${at}.extra.type`, withTax({ type: 'SALES_TAX', extra: { type: 'SST' } })],
    [
      'invoice.lines.0.extra.taxes.1.type',
      withLine({ extra: { taxes: [{ type: 'SALES_TAX' }, { type: 'SST' }] } }),
    ],
    ['invoice.extra.lines.0.taxes.0.type', anInvoice({ extra: { lines: [{ taxes: [{ type: 'SST' }] }] } })],
  ])('breaks tax-type-sst at %s', (path, invoice) => {
    const others = found(invoice).filter((problem) => !problem.includes('extra-names-known-member'));
    expect(others).toEqual([`ERROR tax-type-sst ${path}`]);
  });

  it.each<[string, (extra: JsonObject) => ReturnType<typeof anInvoice>]>([
    ['the document', (extra) => anInvoice({ extra })],
    ['a line', (extra) => withLine({ extra })],
    ['the totals', (totals) => anInvoice({ totals })],
  ])('may be SST where it can be a registration: among the extra members of %s', (_place, withExtra) => {
    const registration = { type: 'SST', registrationNumber: 'W10-1808-32000059' };
    const extra = { taxInfo: registration, taxDetails: [registration], taxProfile: { types: ['SST'] } };
    expect(found(withExtra({ ...extra, type: 'SST', taxType: 'SST', sst: 'W10-1' }))).toEqual([]);
  });
});

describe('extra-names-known-member', () => {
  const levels: [string, level: keyof typeof knownMembers, (extra: JsonObject) => object][] = [
    ['invoice', 'invoice', (extra) => ({ extra })],
    ['invoice.reference', 'reference', (extra) => ({ reference: { extra } })],
    ['invoice.supplier', 'party', (extra) => ({ supplier: aParty({ extra }) })],
    ['invoice.buyer.address', 'address', (extra) => ({ buyer: aParty({ address: { ...address, extra } }) })],
    ['invoice.buyer.contact', 'contact', (extra) => ({ buyer: aParty({ contact: { ...contact, extra } }) })],
    ['invoice.lines.0', 'line', (extra) => withLine({ extra })],
    ['invoice.lines.0.taxes.0', 'tax', (extra) => withTax({ type: 'SALES_TAX', extra })],
  ];

  it.each(levels)(
    'reports every member of %s that is a field of the schema, and no other',
    (at, level, withExtra) => {
      const foundWith = (extra: JsonObject) => found(anInvoice(withExtra(extra)));
      for (const member of knownMembers[level]) {
        const problems = foundWith({ [member]: null });
        expect(problems).toContain(`WARNING extra-names-known-member ${at}.extra.${member}`);
        expect(problems.filter((problem) => problem.startsWith('ERROR'))).toEqual([]);
      }
      const others = { tin: 'C1', Amount: money('1'), toString: 'x', 'lines ': [], nested: { amount: 1 } };
      for (const extra of [others, JSON.parse('{"__proto__":{"amount":1}}'), {}])
        expect(foundWith(extra)).toEqual([]);
    },
  );

  it('lets the rules apply to the value that is sent instead of the field', () => {
    const extra = { amountExclTax: money('5'), taxes: [{ type: 'SALES_TAX', amount: '1.00' }] };
    const note = aNote('credit_note', { lines: [{ ...aLine('-1'), extra }] });
    expect(found(note).filter((problem) => !problem.includes('extra-names'))).toEqual([
      'ERROR credit-note-negative invoice.lines.0.extra.amountExclTax',
      'ERROR credit-note-negative invoice.lines.0.extra.taxes.0.amount',
    ]);
    const forms = { docNumber: 17, reference: { originalInvoiceCodeNumber: 16 }, supplier: 'S1' };
    const elsewhere = found(aNote('credit_note', { docNumber: '', reference: null, extra: forms }));
    expect(elsewhere.filter((problem) => /^ERROR|doc-number/.test(problem))).toEqual([]);
  });

  it('does not apply the rules of the field’s document type when another type is sent', () => {
    const note = aNote('credit_note', { lines: [aLine('1')], extra: { docType: '01' } });
    expect(found(note)).toEqual(['WARNING extra-names-known-member invoice.extra.docType']);
    const credit = anInvoice({ lines: [aLine('1')], extra: { docType: 'credit_note' } });
    expect(found(credit)).toContain('ERROR credit-note-negative invoice.lines.0.amountExclTax');
  });
});

/** The rules on the supplier and the buyer. */
describe.each([
  ['supplier', 'Supplier'],
  ['buyer', 'Buyer'],
] as const)('the %s', (party, label) => {
  const withAddress = (address: object) =>
    anInvoice({ [party]: aParty({ address: { ...aParty().address, ...address } }) });
  const withTelephone = (telephone: string | null) =>
    anInvoice({ [party]: aParty({ contact: { telephone } }) });
  const noAddress = `WARNING address-recommended invoice.${party}.address`;
  const noContact = `WARNING contact-recommended invoice.${party}.contact.telephone`;

  it.each([
    ['line1', 'Street'],
    ['city', 'City'],
    ['stateCode', 'State'],
    ['postcode', 'Postcode'],
    ['country', 'Country'],
  ])('address-recommended: warns of an address without %s', (field, missing) => {
    for (const value of [undefined, null, ' ']) {
      const invoice = withAddress({ [field]: value });
      expect(found(invoice)).toEqual([noAddress]);
      expect(first(invoice).message).toBe(`${label}: the address is not complete. Missing: ${missing}.`);
    }
  });

  it.each([undefined, null, {}])(
    'causes one warning each for an address and a contact that are %j',
    (absent) => {
      expect(found(anInvoice({ [party]: absent }))).toEqual([noAddress, noContact]);
      expect(found(anInvoice({ [party]: aParty({ contact: absent }) }))).toEqual([noContact]);
      const invoice = anInvoice({ [party]: aParty({ address: absent }) });
      expect(found(invoice)).toEqual([noAddress]);
      expect(first(invoice).message).toContain('Missing: Street, City, State, Postcode, Country.');
    },
  );

  it('can have its recommended fields among its extra members', () => {
    const { address, contact } = aParty();
    expect(found(anInvoice({ [party]: { extra: { ...address, ...contact } } }))).toEqual([]);
    expect(found(anInvoice({ [party]: { contact, extra: { ...address, city: ' ' } } }))).toEqual([noAddress]);
  });

  const states = Array.from({ length: 17 }, (_, index) => String(index + 1).padStart(2, '0'));
  it.each<[string, string, string[], string[]]>([
    ['01 to 17', 'stateCode', states, ['00', '18', '1', '001', '010', 'KUL', '14 ', '14\n', '１４']],
    ['five digits', 'postcode', ['00000', '09999'], ['5000', '500000', '5000A', ' 50000', '50000\n']],
    ['three capitals', 'country', ['MYS', 'SGP'], ['MY', 'mys', 'MYSA', 'Malaysia', '458', 'MYS\n']],
  ])('should have an address with %s as its %s', (_form, field, accepted, others) => {
    for (const value of accepted) expect(found(withAddress({ [field]: value }))).toEqual([]);
    const rule = { stateCode: 'state-code', country: 'country-code' }[field] ?? field;
    const problem = `WARNING ${rule} invoice.${party}.address.${field}`;
    for (const value of others) expect(found(withAddress({ [field]: value }))).toEqual([problem]);
  });

  it('telephone: accepts 8 to 20 digits, optionally after a +, only', () => {
    for (const telephone of ['12345678', `+${'1'.repeat(20)}`])
      expect(found(withTelephone(telephone))).toEqual([]);
    for (const telephone of ['1234567', '1'.repeat(21), '03-2000 0000', '++12345678', '12345678+'])
      expect(found(withTelephone(telephone))).toEqual([
        `WARNING telephone invoice.${party}.contact.telephone`,
      ]);
    for (const telephone of [null, ' ']) expect(found(withTelephone(telephone))).toEqual([noContact]);
  });

  it('has no telephone number and at most 20 characters of a value repeated in a problem', () => {
    expect(JSON.stringify(checkInvoice(withTelephone('03-2000-7777')))).not.toContain('7777');
    expect(first(withAddress({ postcode: '7'.repeat(20) })).actual).toBe('7'.repeat(20));
    expect(first(withAddress({ postcode: '7'.repeat(21) })).actual).toBe(`${'7'.repeat(19)}…`);
    expect(first(withAddress({ postcode: '😀'.repeat(100) })).actual).toBe(`${'😀'.repeat(9)}…`);
  });
});
