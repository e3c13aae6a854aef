/** The rules on the signs of amounts and totals. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MalaysiaDocType } from '../../../src/features/malaysia/invoice.ts';
import { checkInvoice } from '../../../src/features/malaysia/invoice-rules.ts';
import type { JsonObject } from '../../../src/upstream/exact-json.ts';
import { anyAmount } from '../../support/amounts.ts';
import { aLine, aNote, anInvoice, money } from '../../support/an-invoice.ts';
import { everyDocType, first, found } from '../../support/invoice-problems.ts';

interface SignCase {
  readonly docType: MalaysiaDocType;
  readonly problem: string;
  /** The sign that the service's document requires. */
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

  it(`${problem.split(' ')[1]}: accepts amounts with the right sign`, () => {
    expect(found(aNote(docType, { lines: [aLine(`${wanted}100.00`, `${wanted}8.00`)] }))).toEqual([]);
  });

  it(`${problem.split(' ')[1]}: reports the amounts of a line and of a tax with the wrong sign, as ${problem.split(' ')[0]}`, () => {
    const lines = [aLine(`${other}100.00`, '0', `${other}8.00`)];
    expect(found(aNote(docType, { lines }))).toEqual([
      `${problem} invoice.lines.0.amountExclTax`,
      `${problem} invoice.lines.0.taxes.1.amount`,
    ]);
  });

  it('states the rule, the expected sign, and the amount as it was written', () => {
    const given = first(aNote(docType, { lines: [aLine(`${other}1.50`)] }));
    const kind = docType.replace('self_billed_', '').replace('_', ' ');
    expect(given.message).toMatch(
      new RegExp(`^The amounts of a ${kind} are ${wanted ? 'negative' : 'positive'}`),
    );
    expect([given.expected, given.actual]).toEqual([wanted ? '0 or less' : '0 or more', `${other}1.50`]);
  });

  it('is reported for exactly the amounts on the other side of zero', () => {
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

  it('mixes with either sign', () => {
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

  it('reports each number above zero at any depth, including numbers in strings', () => {
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

  it('accepts negative totals, empty totals and no totals', () => {
    for (const kept of [{ payable: money('-1.50'), sums: [-1, '-2'] }, {}, null, undefined]) {
      expect(found(aNote('credit_note', { totals: kept }))).toEqual([]);
    }
  });

  it('is only a warning for a rate, a count or a year', () => {
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
    'does not apply to the totals of a %s',
    (docType) => {
      expect(found(aNote(docType, { totals }))).toEqual([]);
    },
  );
});

describe('debit-note-totals-positive', () => {
  it('reports each number below zero at any depth, including numbers in strings', () => {
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

  it('accepts positive totals, empty totals and no totals', () => {
    for (const kept of [{ payable: money('1.50'), sums: [1, '2'] }, {}, null, undefined]) {
      expect(found(aNote('debit_note', { totals: kept }))).toEqual([]);
    }
  });
});

describe('mixed-signs', () => {
  it.each(['invoice', 'self_billed_invoice'] as const)('reports both signs in one %s', (docType) => {
    const mixed = ['WARNING mixed-signs invoice.lines'];
    expect(found(anInvoice({ docType, lines: [aLine('1'), aLine('-1')] }))).toEqual(mixed);
    expect(found(anInvoice({ docType, lines: [aLine('1', '-0.06')] }))).toEqual(mixed);
    expect(found(anInvoice({ docType, lines: [aLine('0', '1'), aLine('0', '-1')] }))).toEqual(mixed);
  });

  it('accepts amounts with one sign', () => {
    expect(found(anInvoice({ lines: [aLine('1', '0.06'), aLine('2')] }))).toEqual([]);
    expect(found(anInvoice({ lines: [aLine('-1', '-0.06'), aLine('-2')] }))).toEqual([]);
  });
});
