/** Which problems the rules of the import find in an invoice, and where. */
import { describe, expect, it } from 'vitest';
import { invoiceRules } from '../../../src/features/malaysia/invoice-rule-table.ts';
import { checkInvoice } from '../../../src/features/malaysia/invoice-rules.ts';
import type { JsonObject } from '../../../src/upstream/exact-json.ts';
import { aLine, aNote, anInvoice, aParty, money } from '../../support/an-invoice.ts';
import { everyDocType, first, found, notes } from '../../support/invoice-problems.ts';

describe('an invoice', () => {
  it.each(everyDocType)('of type %s that keeps all rules has no problem', (docType) => {
    expect(checkInvoice(aNote(docType))).toEqual([]);
  });

  it.each(['invoice', 'self_billed_invoice'] as const)('of type %s may have either sign', (docType) => {
    for (const sign of ['', '-']) {
      expect(found(anInvoice({ docType, lines: [aLine(`${sign}100.00`, `${sign}8.00`)] }))).toEqual([]);
    }
  });

  it('has all its problems reported together, errors first, each in the order of its members', () => {
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

  it('has its problems reported at its path in the arguments', () => {
    const [problem] = checkInvoice(anInvoice({ docNumber: '' }), ['input', '2', 'invoice']);
    expect(problem?.path).toEqual(['input', '2', 'invoice', 'docNumber']);
  });

  it('has its errors reported even after 5,000 warnings', () => {
    const lines = Array.from({ length: 5_000 }, () => aLine('1'));
    const problems = checkInvoice(aNote('refund_note', { lines, reference: null }));
    expect(problems[0]).toMatchObject({ rule: 'reference-required', severity: 'ERROR' });
    expect(problems).toHaveLength(200);
    expect(problems[199]).toMatchObject({ rule: 'more-problems', severity: 'WARNING' });
  });

  it('has problems with the severity of their rules', () => {
    const broken = aNote('credit_note', {
      ...{ docNumber: '', reference: null, supplier: null, lines: [aLine('1'), aLine('-1')] },
      ...{ totals: { a: 1 }, extra: { taxes: [{ type: 'SST' }], supplier: {} } },
    });
    const rows: Readonly<Record<string, { readonly severity: string }>> = invoiceRules;
    const problems = checkInvoice(broken);
    expect(new Set(problems.map(({ rule }) => rule)).size).toBe(9);
    for (const { rule, severity } of problems) expect([rule, severity]).toEqual([rule, rows[rule]?.severity]);
  });

  it('has at most 200 problems listed, the last of which counts the others', () => {
    const withProblems = (count: number) =>
      aNote('debit_note', { lines: Array.from({ length: count }, () => aLine('-1')) });
    expect(checkInvoice(withProblems(200)).map(({ rule }) => rule)).toEqual(
      Array(200).fill('debit-note-positive'),
    );
    for (const count of [201, 300]) {
      const problems = checkInvoice(withProblems(count));
      expect(problems).toHaveLength(200);
      expect(problems[198]).toMatchObject({ rule: 'debit-note-positive' });
      expect(problems[199]).toMatchObject({
        rule: 'more-problems',
        severity: 'ERROR',
        path: ['invoice'],
        message: `More problems like these: ${count - 199}.`,
      });
    }
  });

  it('has its unlisted problems counted in a warning if none of them is an error', () => {
    const lines = Array.from({ length: 300 }, () => aLine('1'));
    expect(checkInvoice(aNote('refund_note', { lines }))[199]).toMatchObject({
      rule: 'more-problems',
      severity: 'WARNING',
    });
  });
});

describe('the path of a problem', () => {
  const stepsOf = (name: string) =>
    checkInvoice(aNote('credit_note', { totals: { [name]: { inner: money('1') } } }))[0]?.path;

  it('contains at most 60 characters of a member name', () => {
    expect(stepsOf('k'.repeat(60))).toEqual(['invoice', 'totals', 'k'.repeat(60), 'inner']);
    expect(stepsOf('k'.repeat(61))).toEqual(['invoice', 'totals', `${'k'.repeat(59)}…`, 'inner']);
    expect(stepsOf('k'.repeat(60_000))).toEqual(['invoice', 'totals', `${'k'.repeat(59)}…`, 'inner']);
  });

  it('is well-formed after a surrogate pair is cut', () => {
    const [, , step = ''] = stepsOf('😀'.repeat(100)) ?? [];
    expect(step.length).toBeLessThanOrEqual(60);
    expect(step.isWellFormed()).toBe(true);
  });
});

describe('reference-required', () => {
  it('reports each of the six notes without the number of its original', () => {
    expect(notes).toHaveLength(6);
    for (const docType of notes) {
      for (const reference of [undefined, null, {}, ...['', ' ', null].map(original)]) {
        expect(found(aNote(docType, { reference }))).toEqual([
          'ERROR reference-required invoice.reference.originalInvoiceCodeNumber',
        ]);
      }
      expect(found(aNote(docType))).toEqual([]);
    }
  });

  it.each(['invoice', 'self_billed_invoice'] as const)('accepts an %s without an original', (docType) => {
    for (const reference of [undefined, null, {}, original(''), original(null)]) {
      expect(found(anInvoice({ docType, reference }))).toEqual([]);
    }
  });

  it('names the self-billed invoice as the original of a self-billed note', () => {
    expect(first(aNote('debit_note', { reference: null })).message).toBe(
      'A debit note must name the document number of the original invoice.',
    );
    expect(first(aNote('self_billed_debit_note', { reference: null })).message).toBe(
      'A self-billed debit note must name the document number of the original self-billed invoice.',
    );
  });

  function original(originalInvoiceCodeNumber: string | null) {
    return { originalInvoiceCodeNumber };
  }
});

describe('lines-empty', () => {
  it.each(everyDocType)('reports a %s without lines, and accepts one line', (docType) => {
    expect(found(aNote(docType, { lines: [] }))).toEqual(['WARNING lines-empty invoice.lines']);
    expect(found(aNote(docType, { lines: [aLine('0')] }))).toEqual([]);
  });
});

describe('doc-number-empty', () => {
  it.each(['', ' ', '\t\n'])('reports the number %j', (docNumber) => {
    expect(found(anInvoice({ docNumber }))).toEqual(['WARNING doc-number-empty invoice.docNumber']);
  });

  it('accepts any other number', () => {
    expect(found(anInvoice({ docNumber: '0' }))).toEqual([]);
  });
});

describe('tax-at-lines-only', () => {
  it.each(everyDocType)('reports taxes among the extra members of a %s', (docType) => {
    for (const taxes of [[], [{ type: 'SALES_TAX', amount: 1 }], 'none']) {
      expect(found(aNote(docType, { extra: { taxes } }))).toEqual([
        'WARNING tax-at-lines-only invoice.extra.taxes',
      ]);
    }
  });

  it('accepts taxes that are null', () => {
    expect(found(anInvoice({ extra: { taxes: null } }))).toEqual([]);
  });

  it('accepts members with other names, and those of other objects', () => {
    expect(found(anInvoice({ extra: { tax: 1, Taxes: [], nested: { taxes: [] } } }))).toEqual([]);
    expect(found(anInvoice({ supplier: aParty({ extra: { taxes: [] } }) }))).toEqual([]);
  });
});

describe('the type of a tax', () => {
  const withTax = (tax: object) =>
    anInvoice({ lines: [{ ...aLine('0'), taxes: [{ amount: money('0'), ...tax }] }] });
  const at = 'invoice.lines.0.taxes.0';

  it.each([
    { type: 'SALES_TAX' },
    { type: 'SERVICE_TAX', otherType: null },
    { type: 'SALES_TAX', otherType: ' ' },
    { otherType: 'TOURISM_TAX' },
    { type: null, otherType: 'exempt' },
    { otherType: 'SALES_TAX' },
    { otherType: 'SST-2' },
  ])('is a value of the enum or any other text: %j', (tax) => {
    expect(found(withTax(tax))).toEqual([]);
  });

  it.each([
    {},
    { type: null, otherType: null },
    { otherType: '' },
    { otherType: ' ' },
    { type: 'SALES_TAX', otherType: 'TOURISM_TAX' },
  ])('breaks tax-type-one unless exactly one is present: %j', (tax) => {
    expect(found(withTax(tax))).toEqual([`ERROR tax-type-one ${at}`]);
  });

  it.each(['SST', 'sst', 'Sst', ' SST '])('breaks tax-type-sst as otherType %j', (otherType) => {
    expect(found(withTax({ otherType }))).toEqual([`ERROR tax-type-sst ${at}.otherType`]);
  });

  it('breaks tax-type-sst in addition to extra-names-known-member', () => {
    expect(found(withTax({ type: 'SALES_TAX', extra: { type: 'SST' } }))).toEqual([
      `ERROR tax-type-sst ${at}.extra.type`,
      `WARNING extra-names-known-member ${at}.extra.type`,
    ]);
  });

  it('may be SST where it is not the type of a tax', () => {
    const registrations = { registrations: [{ type: 'SST', number: 'W10-1808-32000001' }] };
    expect(found(anInvoice({ supplier: aParty({ extra: { ...registrations, idType: 'SST' } }) }))).toEqual(
      [],
    );
    expect(found(anInvoice({ extra: { note: 'SST', type: 'SST', sst: 1 } }))).toEqual([]);
    expect(found(anInvoice({ lines: [{ ...aLine('0'), extra: { description: 'SST' } }] }))).toEqual([]);
  });
});

describe('extra-names-known-member', () => {
  const address = (extra: JsonObject) => aParty({ address: { ...aParty().address, extra } });
  const contact = (extra: JsonObject) => aParty({ contact: { ...aParty().contact, extra } });
  const reference = (extra: JsonObject) => ({ originalInvoiceCodeNumber: 'INV-0', extra });
  const tax = (extra: JsonObject) => ({ type: 'SALES_TAX' as const, amount: money('0'), extra });

  const levels: Readonly<
    Record<string, readonly [known: readonly string[], (extra: JsonObject) => ReturnType<typeof anInvoice>]>
  > = {
    invoice: [
      ['docType', 'docNumber', 'reference', 'supplier', 'buyer', 'lines', 'totals'],
      (extra) => anInvoice({ extra }),
    ],
    'invoice.reference': [
      ['originalInvoiceCodeNumber'],
      (extra) => anInvoice({ reference: reference(extra) }),
    ],
    'invoice.supplier': [['address', 'contact'], (extra) => anInvoice({ supplier: aParty({ extra }) })],
    'invoice.buyer.address': [
      ['line1', 'city', 'stateCode', 'postcode', 'country'],
      (extra) => anInvoice({ buyer: address(extra) }),
    ],
    'invoice.buyer.contact': [['telephone'], (extra) => anInvoice({ buyer: contact(extra) })],
    'invoice.lines.0': [
      ['amountExclTax', 'taxes'],
      (extra) => anInvoice({ lines: [{ ...aLine('0'), extra }] }),
    ],
    'invoice.lines.0.taxes.0': [
      ['type', 'otherType', 'amount'],
      (extra) => anInvoice({ lines: [{ ...aLine('0'), taxes: [tax(extra)] }] }),
    ],
  };

  it.each(Object.entries(levels))('reports every member of %s that is a field of the schema', (at, level) => {
    const [known, withExtra] = level;
    for (const member of known) {
      const problems = found(withExtra({ [member]: null }));
      expect(problems).toContain(`WARNING extra-names-known-member ${at}.extra.${member}`);
      expect(problems.filter((problem) => problem.startsWith('ERROR'))).toEqual([]);
    }
  });

  it.each(Object.entries(levels))('accepts any other member of %s', (_at, [, withExtra]) => {
    const others = { tin: 'C1', Amount: money('1'), toString: 'x', 'lines ': [], nested: { amount: 1 } };
    expect(found(withExtra(others))).toEqual([]);
    expect(found(withExtra(JSON.parse('{"__proto__":{"amount":1}}') as JsonObject))).toEqual([]);
    expect(found(withExtra({}))).toEqual([]);
  });

  it('lets the rules apply to the value that is sent instead of the field', () => {
    const extra = { amountExclTax: money('5'), taxes: [{ type: 'SALES_TAX', amount: '1.00' }] };
    const note = aNote('credit_note', { lines: [{ ...aLine('-1'), extra }] });
    expect(found(note).filter((problem) => !problem.includes('extra-names'))).toEqual([
      'ERROR credit-note-negative invoice.lines.0.extra.amountExclTax',
      'ERROR credit-note-negative invoice.lines.0.extra.taxes.0.amount',
    ]);
    const elsewhere = aNote('credit_note', { docNumber: '', reference: null });
    const forms = { docNumber: 17, reference: { originalInvoiceCodeNumber: 16 }, supplier: 'S1' };
    const errors = found({ ...elsewhere, extra: forms }).filter((problem) =>
      /^ERROR|doc-number/.test(problem),
    );
    expect(errors).toEqual([]);
  });

  it('does not apply the rules of the field’s document type when another type is sent', () => {
    const note = aNote('credit_note', { lines: [aLine('1')], extra: { docType: '01' } });
    expect(found(note)).toEqual(['WARNING extra-names-known-member invoice.extra.docType']);
    const credit = anInvoice({ lines: [aLine('1')], extra: { docType: 'credit_note' } });
    expect(found(credit)).toContain('ERROR credit-note-negative invoice.lines.0.amountExclTax');
  });
});
