import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InputProblem } from '../src/errors.ts';
import { computeTotals, docTypes, type MalaysiaDocType, toWire } from '../src/malaysia/invoice.ts';
import { invoiceRules } from '../src/malaysia/invoice-rule-table.ts';
import { checkInvoice } from '../src/malaysia/invoice-rules.ts';
import { type JsonObject, writeJson } from '../src/upstream/exact-json.ts';
import { aLine, aNote, anInvoice, aParty, money } from './support/an-invoice.ts';

const everyDocType = Object.keys(docTypes) as MalaysiaDocType[];
const notes = everyDocType.filter((docType) => docTypes[docType].isNote);

/** Each problem as `SEVERITY rule path`. */
const found = (invoice = anInvoice()) =>
  checkInvoice(invoice).map(({ severity, rule, path }) => `${severity} ${rule} ${path.join('.')}`);

const first = (invoice: ReturnType<typeof anInvoice>) => checkInvoice(invoice)[0] as InputProblem;

describe('an invoice', () => {
  it.each(everyDocType)('of type %s that keeps all rules has no problem', (docType) => {
    expect(checkInvoice(aNote(docType))).toEqual([]);
  });

  it.each(['invoice', 'self_billed_invoice'] as const)('of type %s may have either sign', (docType) => {
    for (const sign of ['', '-']) {
      expect(found(anInvoice({ docType, lines: [aLine(`${sign}100.00`, `${sign}8.00`)] }))).toEqual([]);
    }
  });

  it('has its problems told all at once, errors first, both in the order of its members', () => {
    const broken = aNote('credit_note', {
      docNumber: '',
      reference: null,
      supplier: aParty({ contact: null }),
      buyer: aParty({ address: { ...aParty().address, postcode: '5000' } }),
      lines: [aLine('1'), aLine('-1', '0.06')],
      totals: { payable: money('1') },
      extra: { lines: [] },
    });
    expect(found(broken)).toEqual([
      'ERROR reference-required invoice.reference.originalInvoiceCodeNumber',
      'ERROR credit-note-negative invoice.lines.0.amountExclTax',
      'ERROR credit-note-negative invoice.lines.1.taxes.0.amount',
      'ERROR extra-names-known-member invoice.extra.lines',
      'WARNING doc-number-empty invoice.docNumber',
      'WARNING contact-recommended invoice.supplier.contact.telephone',
      'WARNING postcode invoice.buyer.address.postcode',
      'WARNING mixed-signs invoice.lines',
      'WARNING credit-note-totals-negative invoice.totals.payable',
    ]);
  });

  it('has its problems told at the path where it stands in the arguments', () => {
    const [problem] = checkInvoice(anInvoice({ docNumber: '' }), ['input', '2', 'invoice']);
    expect(problem?.path).toEqual(['input', '2', 'invoice', 'docNumber']);
  });

  it('has its errors told though 5,000 warnings come first', () => {
    const lines = Array.from({ length: 5_000 }, () => aLine('1'));
    const problems = checkInvoice(aNote('refund_note', { lines, extra: { lines: [] } }));
    expect(problems[0]).toMatchObject({ rule: 'extra-names-known-member', severity: 'ERROR' });
    expect(problems).toHaveLength(200);
    expect(problems[199]).toMatchObject({ rule: 'more-problems', severity: 'WARNING' });
  });

  it('has each problem as severe as its row in the rule table says', () => {
    const broken = aNote('credit_note', {
      ...{ docNumber: '', reference: null, supplier: null, lines: [aLine('1'), aLine('-1')] },
      ...{ totals: { a: 1 }, extra: { taxes: [{ type: 'SST' }], lines: [] } },
    });
    const rows: Readonly<Record<string, { readonly severity: string }>> = invoiceRules;
    const problems = checkInvoice(broken);
    expect(new Set(problems.map(({ rule }) => rule)).size).toBe(10);
    for (const { rule, severity } of problems) expect([rule, severity]).toEqual([rule, rows[rule]?.severity]);
  });

  it('has at most 200 problems listed', () => {
    const withProblems = (count: number) =>
      aNote('debit_note', { lines: Array.from({ length: count }, () => aLine('-1')) });
    expect(checkInvoice(withProblems(200)).map(({ rule }) => rule)).toEqual(
      Array(200).fill('debit-note-positive'),
    );
    for (const count of [201, 300]) {
      const problems = checkInvoice(withProblems(count));
      expect(problems).toHaveLength(200);
      expect(problems[198]).toMatchObject({ rule: 'debit-note-positive' });
      expect(problems[199]).toEqual({
        rule: 'more-problems',
        severity: 'ERROR',
        path: ['invoice'],
        message: `There are ${count - 199} more problems like these.`,
      });
    }
  });

  it('has the problems beyond 200 told as a warning when none of them is an error', () => {
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

  it('quotes at most 60 characters of a member name of the caller', () => {
    expect(stepsOf('k'.repeat(60))).toEqual(['invoice', 'totals', 'k'.repeat(60), 'inner']);
    expect(stepsOf('k'.repeat(61))).toEqual(['invoice', 'totals', `${'k'.repeat(59)}…`, 'inner']);
    expect(stepsOf('k'.repeat(60_000))).toEqual(['invoice', 'totals', `${'k'.repeat(59)}…`, 'inner']);
  });

  it('stays well-formed where a character of two code units is cut', () => {
    const [, , step = ''] = stepsOf('😀'.repeat(100)) ?? [];
    expect(step.length).toBeLessThanOrEqual(60);
    expect(step.isWellFormed()).toBe(true);
  });
});

describe('reference-required', () => {
  it('is broken by each of the six notes without the number of its original', () => {
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

  it.each(['invoice', 'self_billed_invoice'] as const)('is kept by an %s without one', (docType) => {
    for (const reference of [undefined, null, {}, original(''), original(null)]) {
      expect(found(anInvoice({ docType, reference }))).toEqual([]);
    }
  });

  it('says that a self-billed note refers to a self-billed invoice', () => {
    expect(first(aNote('debit_note', { reference: null })).message).toBe(
      'A debit note must name the docNumber of the original invoice.',
    );
    expect(first(aNote('self_billed_debit_note', { reference: null })).message).toBe(
      'A self-billed debit note must name the docNumber of the original self-billed invoice.',
    );
  });

  function original(originalInvoiceCodeNumber: string | null) {
    return { originalInvoiceCodeNumber };
  }
});

describe('lines-empty', () => {
  it.each(everyDocType)('is broken by a %s without lines, and kept by one line', (docType) => {
    expect(found(aNote(docType, { lines: [] }))).toEqual(['WARNING lines-empty invoice.lines']);
    expect(found(aNote(docType, { lines: [aLine('0')] }))).toEqual([]);
  });
});

describe('doc-number-empty', () => {
  it.each(['', ' ', '\t\n'])('is broken by the number %j', (docNumber) => {
    expect(found(anInvoice({ docNumber }))).toEqual(['WARNING doc-number-empty invoice.docNumber']);
  });

  it('is kept by any other', () => {
    expect(found(anInvoice({ docNumber: '0' }))).toEqual([]);
  });
});

interface SignCase {
  readonly docType: MalaysiaDocType;
  readonly problem: string;
  /** The sign that the document wants. */
  readonly wanted: '' | '-';
}

const signCases: readonly SignCase[] = [
  { docType: 'credit_note', problem: 'ERROR credit-note-negative', wanted: '-' },
  { docType: 'debit_note', problem: 'ERROR debit-note-positive', wanted: '' },
  { docType: 'refund_note', problem: 'WARNING refund-note-negative', wanted: '-' },
  { docType: 'self_billed_credit_note', problem: 'WARNING self-billed-sign', wanted: '-' },
  { docType: 'self_billed_debit_note', problem: 'WARNING self-billed-sign', wanted: '' },
  { docType: 'self_billed_refund_note', problem: 'WARNING self-billed-sign', wanted: '-' },
];

describe.each(signCases)('the sign of a $docType', ({ docType, problem, wanted }) => {
  const other = wanted === '-' ? '' : '-';

  it(`${problem.split(' ')[1]}: is kept by amounts of the right sign`, () => {
    expect(found(aNote(docType, { lines: [aLine(`${wanted}100.00`, `${wanted}8.00`)] }))).toEqual([]);
  });

  it(`${problem.split(' ')[1]}: is broken by a line's amount and by a tax's, as ${problem.split(' ')[0]}`, () => {
    const lines = [aLine(`${other}100.00`, '0', `${other}8.00`)];
    expect(found(aNote(docType, { lines }))).toEqual([
      `${problem} invoice.lines.0.amountExclTax`,
      `${problem} invoice.lines.0.taxes.1.amount`,
    ]);
  });

  it('says the rule, what is expected and what was given as it was written', () => {
    const given = first(aNote(docType, { lines: [aLine(`${other}1.50`)] }));
    const kind = docType.replace('self_billed_', '').replace('_', ' ');
    expect(given.message).toMatch(
      new RegExp(`^The amounts of a ${kind} are ${wanted ? 'negative' : 'positive'}`),
    );
    expect([given.expected, given.actual]).toEqual([wanted ? '0 or less' : '0 or more', `${other}1.50`]);
  });

  it('is wrong for exactly the amounts on the other side of zero', () => {
    fc.assert(
      fc.property(fc.array(anyAmount, { minLength: 1, maxLength: 10 }), (amounts) => {
        const lines = amounts.map(({ text }) => aLine(text));
        const wrong = amounts.flatMap(({ digits }, index) =>
          (wanted ? digits > 0n : digits < 0n) ? `${problem} invoice.lines.${index}.amountExclTax` : [],
        );
        const signs = new Set(amounts.map(({ digits }) => (digits > 0n ? 1 : digits < 0n ? -1 : 0)));
        const mixed = signs.has(1) && signs.has(-1) ? ['WARNING mixed-signs invoice.lines'] : [];
        expect(found(aNote(docType, { lines }))).toEqual([...wrong, ...mixed]);
      }),
    );
  });
});

describe('zero', () => {
  it.each(everyDocType)('is allowed everywhere in a %s', (docType) => {
    for (const zero of ['0', '-0', '0.00', '-0.00', '0e5']) {
      const invoice = aNote(docType, {
        lines: [aLine(zero, zero), aLine('0', zero)],
        totals: { payable: money(zero), asNumber: 0, asText: zero, sums: [money(zero)] },
      });
      expect(found(invoice)).toEqual([]);
    }
  });

  it('has no sign that could be mixed with another', () => {
    expect(found(anInvoice({ lines: [aLine('1'), aLine('-0'), aLine('0')] }))).toEqual([]);
    expect(found(anInvoice({ lines: [aLine('-1'), aLine('0')] }))).toEqual([]);
  });
});

describe('credit-note-totals-negative', () => {
  const totals: JsonObject = {
    payable: money('0.01'),
    negative: money('-1'),
    plain: 5,
    text: '1.50',
    note: 'about 5',
    empty: '',
    flag: true,
    nothing: null,
    tax: { byType: [{ amount: money('-1') }, { amount: money('1e-9') }] },
  };

  it('is broken by each number above zero, however deep, also when written as text', () => {
    expect(
      checkInvoice(aNote('credit_note', { totals })).map(({ path, actual }) => [path.join('.'), actual]),
    ).toEqual([
      ['invoice.totals.payable', '0.01'],
      ['invoice.totals.plain', '5'],
      ['invoice.totals.text', '1.50'],
      ['invoice.totals.tax.byType.1.amount', '1e-9'],
    ]);
    expect(first(aNote('credit_note', { totals }))).toMatchObject({
      rule: 'credit-note-totals-negative',
      severity: 'WARNING',
      expected: '0 or less',
    });
  });

  it('is kept by negative totals, by empty ones and by none', () => {
    for (const kept of [{ payable: money('-1.50'), sums: [-1, '-2'] }, {}, null, undefined]) {
      expect(found(aNote('credit_note', { totals: kept }))).toEqual([]);
    }
  });

  it('never stops an invoice for a rate, a count or a year', () => {
    const rates = {
      totalExclTax: '-10.00',
      exchangeRate: '4.70',
      lineCount: 1,
      year: '2026',
      rounding: 0.01,
    };
    const problems = checkInvoice(aNote('credit_note', { totals: rates }));
    expect(problems.map(({ severity, path }) => `${severity} ${path.at(-1)}`)).toEqual([
      ...['WARNING exchangeRate', 'WARNING lineCount', 'WARNING year', 'WARNING rounding'],
    ]);
  });

  it.each(everyDocType.filter((docType) => !['credit_note', 'debit_note'].includes(docType)))(
    'says nothing of the totals of a %s',
    (docType) => {
      expect(found(aNote(docType, { totals }))).toEqual([]);
    },
  );
});

describe('debit-note-totals-positive', () => {
  it('is broken by each number below zero, however deep, also when written as text', () => {
    const totals: JsonObject = {
      ...{ payable: money('-0.01'), discount: -5, text: '-1.50', rate: 4.7, note: 'minus 5', zero: '-0' },
      tax: { byType: [{ amount: money('1') }, { amount: money('-1e-9') }] },
    };
    const problems = checkInvoice(aNote('debit_note', { totals }));
    expect(problems.map(({ path, actual }) => [path.join('.'), actual])).toEqual([
      ['invoice.totals.payable', '-0.01'],
      ['invoice.totals.discount', '-5'],
      ['invoice.totals.text', '-1.50'],
      ['invoice.totals.tax.byType.1.amount', '-1e-9'],
    ]);
    expect(problems[0]).toMatchObject({
      ...{ rule: 'debit-note-totals-positive', severity: 'WARNING', expected: '0 or more' },
    });
  });

  it('is kept by positive totals, by empty ones and by none', () => {
    for (const kept of [{ payable: money('1.50'), sums: [1, '2'] }, {}, null, undefined]) {
      expect(found(aNote('debit_note', { totals: kept }))).toEqual([]);
    }
  });
});

describe('tax-at-lines-only', () => {
  it.each(everyDocType)('is broken by taxes among the extra members of a %s', (docType) => {
    for (const taxes of [[], [{ type: 'SALES_TAX', amount: 1 }], null, 'none']) {
      expect(found(aNote(docType, { extra: { taxes } }))).toEqual([
        'WARNING tax-at-lines-only invoice.extra.taxes',
      ]);
    }
  });

  it('is kept by members of other names, and by those of other objects', () => {
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
  ])('is one of the enum or any other: %j', (tax) => {
    expect(found(withTax(tax))).toEqual([]);
  });

  it.each([
    {},
    { type: null, otherType: null },
    { otherType: '' },
    { otherType: ' ' },
    { type: 'SALES_TAX', otherType: 'TOURISM_TAX' },
  ])('breaks tax-type-one where it is not exactly one: %j', (tax) => {
    expect(found(withTax(tax))).toEqual([`ERROR tax-type-one ${at}`]);
  });

  it.each(['SST', 'sst', 'Sst', ' SST '])('breaks tax-type-sst as otherType %j', (otherType) => {
    expect(found(withTax({ otherType }))).toEqual([`ERROR tax-type-sst ${at}.otherType`]);
  });

  const anywhere: [string, ReturnType<typeof anInvoice>, string][] = [
    ['a tax', withTax({ type: 'SALES_TAX', extra: { taxType: 'sst' } }), `${at}.extra.taxType`],
    [
      'a line',
      anInvoice({ lines: [{ ...aLine('0'), extra: { taxType: 'SST' } }] }),
      'invoice.lines.0.extra.taxType',
    ],
    [
      'a line, deep',
      anInvoice({ lines: [{ ...aLine('0'), extra: { otherTaxes: [{ a: 1 }, { type: 'SST' }] } }] }),
      'invoice.lines.0.extra.otherTaxes.1.type',
    ],
    ['the document', anInvoice({ extra: { tax_type: 'SST' } }), 'invoice.extra.tax_type'],
    ['a list', anInvoice({ extra: { taxTypes: ['SALES_TAX', 'SST'] } }), 'invoice.extra.taxTypes.1'],
    ['totals', anInvoice({ totals: { byTax: [{ type: 'Sst', amount: 1 }] } }), 'invoice.totals.byTax.0.type'],
  ];
  it.each(anywhere)('breaks tax-type-sst in the further members of %s', (_where, invoice, path) => {
    expect(found(invoice)).toEqual([`ERROR tax-type-sst ${path}`]);
  });

  it('breaks tax-type-sst beside the rule on known members and the one on taxes of a document', () => {
    expect(found(withTax({ type: 'SALES_TAX', extra: { type: 'SST' } }))).toEqual([
      `ERROR tax-type-sst ${at}.extra.type`,
      `ERROR extra-names-known-member ${at}.extra.type`,
    ]);
    expect(found(anInvoice({ extra: { taxes: [{ type: 'sst' }] } }))).toEqual([
      'ERROR tax-type-sst invoice.extra.taxes.0.type',
      'WARNING tax-at-lines-only invoice.extra.taxes',
    ]);
  });

  it('may be called SST where it is the type of something else', () => {
    const registrations = { registrations: [{ type: 'SST', number: 'W10-1808-32000001' }] };
    expect(found(anInvoice({ supplier: aParty({ extra: { ...registrations, idType: 'SST' } }) }))).toEqual(
      [],
    );
    expect(found(anInvoice({ extra: { note: 'SST', type: 'SST', sst: 1 } }))).toEqual([]);
    expect(found(anInvoice({ lines: [{ ...aLine('0'), extra: { description: 'SST' } }] }))).toEqual([]);
  });
});

describe('mixed-signs', () => {
  it.each(['invoice', 'self_billed_invoice'] as const)('is broken by both signs in one %s', (docType) => {
    const mixed = ['WARNING mixed-signs invoice.lines'];
    expect(found(anInvoice({ docType, lines: [aLine('1'), aLine('-1')] }))).toEqual(mixed);
    expect(found(anInvoice({ docType, lines: [aLine('1', '-0.06')] }))).toEqual(mixed);
    expect(found(anInvoice({ docType, lines: [aLine('0', '1'), aLine('0', '-1')] }))).toEqual(mixed);
  });

  it('is kept by one sign', () => {
    expect(found(anInvoice({ lines: [aLine('1', '0.06'), aLine('2')] }))).toEqual([]);
    expect(found(anInvoice({ lines: [aLine('-1', '-0.06'), aLine('-2')] }))).toEqual([]);
  });
});

describe.each(['supplier', 'buyer'] as const)('the %s', (party) => {
  const withAddress = (address: object) =>
    anInvoice({ [party]: aParty({ address: { ...aParty().address, ...address } }) });
  const withTelephone = (telephone: string | null) =>
    anInvoice({ [party]: aParty({ contact: { telephone } }) });
  const fields = ['line1', 'city', 'stateCode', 'postcode', 'country'] as const;

  it.each(fields)('address-recommended: should have %s in its address', (field) => {
    for (const value of [undefined, null, '', ' ']) {
      expect(checkInvoice(withAddress({ [field]: value }))).toEqual([
        {
          rule: 'address-recommended',
          severity: 'WARNING',
          path: ['invoice', party, 'address'],
          message: `The address of the ${party} should have ${field}.`,
          expected: field,
        },
      ]);
    }
  });

  it('address-recommended: should have an address, all of whose missing fields one warning names', () => {
    for (const address of [undefined, null, {}]) {
      const problems = checkInvoice(anInvoice({ [party]: aParty({ address }) }));
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatchObject({
        message: `The address of the ${party} should have line1, city, stateCode, postcode and country.`,
        expected: fields.join(', '),
      });
    }
    expect(first(withAddress({ city: '', country: null })).message).toBe(
      `The address of the ${party} should have city and country.`,
    );
  });

  it('is recommended: without it, one warning for its address and one for its contact', () => {
    for (const absent of [undefined, null, {}]) {
      expect(found(anInvoice({ [party]: absent }))).toEqual([
        `WARNING address-recommended invoice.${party}.address`,
        `WARNING contact-recommended invoice.${party}.contact.telephone`,
      ]);
    }
  });

  it('may have its recommended fields among its extra members', () => {
    const { address, contact } = aParty();
    expect(found(anInvoice({ [party]: { extra: { ...address, ...contact } } }))).toEqual([]);
    expect(found(anInvoice({ [party]: { contact, extra: { ...address, city: ' ' } } }))).toEqual([
      `WARNING address-recommended invoice.${party}.address`,
    ]);
  });

  it('contact-recommended: should have a telephone number', () => {
    for (const contact of [undefined, null, {}, { telephone: null }, { telephone: ' ' }]) {
      expect(found(anInvoice({ [party]: aParty({ contact }) }))).toEqual([
        `WARNING contact-recommended invoice.${party}.contact.telephone`,
      ]);
    }
  });

  it('state-code: is one of 01 to 17, two digits', () => {
    const codes = Array.from({ length: 17 }, (_, index) => String(index + 1).padStart(2, '0'));
    for (const stateCode of codes) expect(found(withAddress({ stateCode }))).toEqual([]);
    for (const stateCode of ['00', '18', '1', '001', '010', 'KUL', '14 ', '14\n', '１４']) {
      expect(checkInvoice(withAddress({ stateCode }))).toEqual([
        {
          rule: 'state-code',
          severity: 'WARNING',
          path: ['invoice', party, 'address', 'stateCode'],
          message: 'stateCode does not have the format that the tax portal expects.',
          expected: '01 to 17, two digits',
          actual: stateCode,
        },
      ]);
    }
  });

  it('postcode: has five digits', () => {
    for (const postcode of ['50000', '00000', '09999']) expect(found(withAddress({ postcode }))).toEqual([]);
    for (const postcode of ['5000', '500000', '5000A', ' 50000', '50000\n', '50 000']) {
      expect(found(withAddress({ postcode }))).toEqual([
        `WARNING postcode invoice.${party}.address.postcode`,
      ]);
    }
  });

  it('country-code: is three capital letters', () => {
    for (const country of ['MYS', 'SGP']) expect(found(withAddress({ country }))).toEqual([]);
    for (const country of ['MY', 'mys', 'MYSA', 'Malaysia', '458', 'MYS\n']) {
      expect(found(withAddress({ country }))).toEqual([
        `WARNING country-code invoice.${party}.address.country`,
      ]);
    }
  });

  it('telephone: has 8 to 20 digits, optionally after a +', () => {
    for (const telephone of ['12345678', '+12345678', '1'.repeat(20), `+${'1'.repeat(20)}`]) {
      expect(found(withTelephone(telephone))).toEqual([]);
    }
    const others = ['1234567', '1'.repeat(21), '03-2000 0000', '++12345678', '12345678+', 'none given'];
    for (const telephone of others) {
      expect(found(withTelephone(telephone))).toEqual([
        `WARNING telephone invoice.${party}.contact.telephone`,
      ]);
    }
  });

  it('has no telephone number repeated in a problem, and of a long value 20 characters', () => {
    expect(JSON.stringify(checkInvoice(withTelephone('03-2000-7777')))).not.toContain('7777');
    expect(first(withAddress({ postcode: '7'.repeat(100) })).actual).toBe('7'.repeat(20));
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

  it.each(Object.entries(levels))('is broken by any member of %s that the schema names', (at, level) => {
    const [known, withExtra] = level;
    for (const member of known) {
      expect(found(withExtra({ [member]: null }))).toEqual([
        `ERROR extra-names-known-member ${at}.extra.${member}`,
      ]);
    }
  });

  it.each(Object.entries(levels))('is kept by any other member of %s', (_at, [, withExtra]) => {
    const others = { tin: 'C1', Amount: money('1'), toString: 'x', 'lines ': [], nested: { amount: 1 } };
    expect(found(withExtra(others))).toEqual([]);
    expect(found(withExtra(JSON.parse('{"__proto__":{"amount":1}}') as JsonObject))).toEqual([]);
    expect(found(withExtra({}))).toEqual([]);
  });
});

describe('the totals of an invoice', () => {
  const texts = (...lines: readonly ReturnType<typeof aLine>[]) => {
    const { amountExclTax, taxAmount, amountInclTax } = computeTotals(lines);
    return [amountExclTax.text, taxAmount.text, amountInclTax.text];
  };

  it('are exact where binary floats are not', () => {
    expect(texts(aLine('0.1', '0.01'), aLine('0.2', '0.02'))).toEqual(['0.3', '0.03', '0.33']);
    expect(texts(aLine('9007199254740993'), aLine('0.01', '0.01'))).toEqual([
      ...['9007199254740993.01', '0.01', '9007199254740993.02'],
    ]);
  });

  it('have as many decimal places as the amount that has most', () => {
    expect(texts(aLine('1.50', '0.120'), aLine('2'))).toEqual(['3.50', '0.120', '3.620']);
    expect(texts(aLine('1.50'), aLine('-1.50'))).toEqual(['0.00', '0', '0.00']);
  });

  it('of no lines are 0', () => {
    expect(texts()).toEqual(['0', '0', '0']);
  });

  it('are those of integer arithmetic, whatever the amounts', () => {
    const amounts = fc.array(fc.record({ amount: anyAmount, taxes: fc.array(anyAmount, { maxLength: 3 }) }), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(amounts, (lines) => {
        const excluding = lines.map(({ amount }) => amount);
        const taxes = lines.flatMap((line) => line.taxes);
        expect(texts(...lines.map((line) => aLine(line.amount.text, ...line.taxes.map(textOf))))).toEqual([
          ...[exactSum(excluding), exactSum(taxes), exactSum([...excluding, ...taxes])],
        ]);
      }),
    );
  });
});

describe('an invoice on the wire', () => {
  const sent = (invoice: ReturnType<typeof anInvoice>) => writeJson(toWire(invoice));

  it('has the members of the interface document, its numbers as they were written', () => {
    const invoice = aNote('credit_note', {
      supplier: aParty({ contact: null }),
      buyer: {},
      lines: [aLine('-1436.50', '-86.190'), aLine('-0.00')],
      totals: { payable: money('-1522.690'), asFloat: money('1.0e2') },
    });
    expect(sent(invoice)).toBe(
      '{"docType":"credit_note","docNumber":"INV-1","totals":{"payable":-1522.690,"asFloat":1.0e2},' +
        '"reference":{"originalInvoiceCodeNumber":"INV-0"},' +
        '"supplier":{"address":{"line1":"1 Jalan Contoh","city":"Kuala Lumpur","stateCode":"14",' +
        '"postcode":"50000","country":"MYS"}},"buyer":{},' +
        '"lines":[{"amountExclTax":-1436.50,"taxes":[{"type":"SERVICE_TAX","amount":-86.190}]},' +
        '{"amountExclTax":-0.00,"taxes":[]}]}',
    );
  });

  it('leaves out what is absent or null, at every level', () => {
    const absent = anInvoice({
      reference: null,
      totals: null,
      extra: null,
      supplier: { address: { line1: null, city: undefined, postcode: '50000', extra: null }, contact: {} },
      buyer: { address: null, contact: null, extra: undefined },
      lines: [{ ...aLine('1'), extra: null }],
    });
    expect(JSON.parse(sent(absent))).toEqual({
      docType: 'invoice',
      docNumber: 'INV-1',
      supplier: { address: { postcode: '50000' }, contact: {} },
      buyer: {},
      lines: [{ amountExclTax: 1, taxes: [] }],
    });
  });

  it('has no supplier, buyer, reference number or tax type that was not given', () => {
    const invoice = anInvoice({
      ...{ supplier: null, buyer: undefined, reference: { originalInvoiceCodeNumber: null } },
      lines: [{ ...aLine('1'), taxes: [{ type: null, otherType: 'TOURISM_TAX', amount: money('2.50') }] }],
    });
    expect(sent(invoice)).toBe(
      '{"docType":"invoice","docNumber":"INV-1","reference":{},' +
        '"lines":[{"amountExclTax":1,"taxes":[{"type":"TOURISM_TAX","amount":2.50}]}]}',
    );
  });

  it('keeps empty texts, empty totals and an empty list of lines', () => {
    const empty = anInvoice({ docNumber: '', supplier: { address: { city: '' } }, totals: {}, lines: [] });
    expect(JSON.parse(sent({ ...empty, buyer: {} }))).toEqual({
      ...{ docType: 'invoice', docNumber: '', supplier: { address: { city: '' } }, buyer: {} },
      ...{ totals: {}, lines: [] },
    });
  });

  it('has the extra members merged in at their level, an explicit null included', () => {
    const extra = (level: string) => ({ level, nothing: null, rate: money('4.70') });
    const merged = (level: string) => ({ level, nothing: null, rate: 4.7 });
    const invoice = anInvoice({
      extra: extra('invoice'),
      reference: { originalInvoiceCodeNumber: 'INV-0', extra: extra('reference') },
      supplier: { extra: extra('supplier') },
      buyer: { address: { extra: extra('address') }, contact: { extra: extra('contact') } },
      lines: [
        {
          amountExclTax: money('1'),
          taxes: [{ type: 'SALES_TAX', amount: money('0'), extra: extra('tax') }],
          extra: extra('line'),
        },
      ],
    });
    expect(JSON.parse(sent(invoice))).toEqual({
      ...{ docType: 'invoice', docNumber: 'INV-1' },
      ...merged('invoice'),
      reference: { originalInvoiceCodeNumber: 'INV-0', ...merged('reference') },
      supplier: merged('supplier'),
      buyer: { address: merged('address'), contact: merged('contact') },
      lines: [
        {
          amountExclTax: 1,
          taxes: [{ type: 'SALES_TAX', amount: 0, ...merged('tax') }],
          ...merged('line'),
        },
      ],
    });
    expect(sent(invoice).match(/"rate":4\.70/g)).toHaveLength(7);
  });

  it('has an extra member named __proto__ as a member like any other', () => {
    const extra = JSON.parse('{"__proto__":{"docNumber":"INV-2"}}') as JsonObject;
    const wire = toWire(anInvoice({ extra }));
    expect(wire['docNumber']).toBe('INV-1');
    expect(Object.getPrototypeOf(wire)).toBe(Object.prototype);
    expect(writeJson(wire)).toContain('"__proto__":{"docNumber":"INV-2"}');
  });

  it('keeps each amount to the letter', () => {
    fc.assert(
      fc.property(fc.array(anyAmount, { minLength: 1 }), (amounts) => {
        const body = sent(anInvoice({ lines: amounts.map(({ text }) => aLine(text)) }));
        const written = [...body.matchAll(/"amountExclTax":([^,]+),/g)].map(([, text]) => text);
        expect(written).toEqual(amounts.map(textOf));
      }),
    );
  });

  it('leaves the invoice as it was', () => {
    const invoice = anInvoice({ extra: { a: 1 } });
    toWire(invoice);
    expect(invoice).toEqual(anInvoice({ extra: { a: 1 } }));
  });
});

interface Amount {
  /** The amount times ten to the power of `places`. */
  readonly digits: bigint;
  readonly places: number;
  readonly text: string;
}

/** Up to 30 digits with up to 8 decimal places, `-0.00` among them. */
const anyAmount: fc.Arbitrary<Amount> = fc
  .record({
    digits: fc.oneof(
      fc.bigInt({ min: -999n, max: 999n }),
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
    ),
    places: fc.nat({ max: 8 }),
    negativeZero: fc.boolean(),
  })
  .map(({ digits, places, negativeZero }) => {
    const text = inPlaces(digits, places);
    return { digits, places, text: digits === 0n && negativeZero ? `-${text}` : text };
  });

function textOf({ text }: Amount): string {
  return text;
}

/** The sum in integers, written with as many places as the addend that has most. */
function exactSum(amounts: readonly Amount[]): string {
  const most = Math.max(0, ...amounts.map(({ places }) => places));
  return inPlaces(
    amounts.reduce((sum, { digits, places }) => sum + digits * 10n ** BigInt(most - places), 0n),
    most,
  );
}

function inPlaces(digits: bigint, places: number): string {
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0');
  const sign = digits < 0n ? '-' : '';
  return sign + (places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`);
}
