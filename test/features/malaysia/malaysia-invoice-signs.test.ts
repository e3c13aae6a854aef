/** The rules on the signs of amounts and totals. */

import { describe, expect, it } from 'vitest';
import { checkInvoice } from '../../../src/features/malaysia/check-invoice.ts';
import { docTypes, type MalaysiaDocType } from '../../../src/features/malaysia/invoice.ts';
import { aLine, aNote, anInvoice, first, found, money } from '../../support/an-invoice.ts';

/** Each note with its problem and the sign that the service's document requires. */
const notes: readonly [MalaysiaDocType, problem: string, wanted: '' | '-'][] = [
  ['credit_note', 'ERROR credit-note-negative', '-'],
  ['debit_note', 'ERROR debit-note-positive', ''],
  ['refund_note', 'WARNING refund-note-negative', '-'],
  ['self_billed_credit_note', 'WARNING self-billed-sign', '-'],
  ['self_billed_debit_note', 'WARNING self-billed-sign', ''],
  ['self_billed_refund_note', 'WARNING self-billed-sign', '-'],
];

describe.each(notes)('the sign of a %s', (docType, problem, wanted) => {
  const other = wanted === '-' ? '' : '-';

  it(`is wrong in the amounts of a line and of a tax: ${problem}`, () => {
    const wrong = aNote(docType, { lines: [aLine(`${other}1.50`, `${wanted}1`, `${other}8.00`)] });
    expect(found(wrong)).toEqual([
      `${problem} invoice.lines.0.amountExclTax`,
      `${problem} invoice.lines.0.taxes.1.amount`,
      'WARNING mixed-signs invoice.lines',
    ]);
    const kind = docType.replace('self_billed_', '').replace('_', ' ');
    expect(first(wrong)).toMatchObject({
      message: expect.stringMatching(`^The amounts of a ${kind} are ${wanted ? 'negative' : 'positive'}`),
      expected: wanted ? '0 or less' : '0 or more',
      actual: `${other}1.50`,
    });
  });
});

it.each(docTypes)('zero is allowed everywhere in a %s', (docType) => {
  for (const zero of ['0', '-0', '0.00', '-0.00', '0e5']) {
    const totals = { payable: money(zero), asNumber: 0, asText: zero, sums: [money(zero)] };
    expect(found(aNote(docType, { lines: [aLine(zero, zero), aLine('0', zero)], totals }))).toEqual([]);
  }
});

describe.each([
  ['credit_note', 'credit-note-totals-negative', '', '-', '0 or less'],
  ['debit_note', 'debit-note-totals-positive', '-', '', '0 or more'],
] as const)('the totals of a %s', (docType, rule, wrong, right, expected) => {
  const totals = {
    ...{
      payable: money(`${wrong}0.01`),
      right: money(`${right}1`),
      texts: [`${right}2`],
      plain: Number(`${wrong}5`),
    },
    ...{ text: `${wrong}1.50`, note: `about ${wrong}5`, empty: '', flag: true, nothing: null, zero: '-0' },
    exchangeRate: `${wrong}4.70`,
    tax: { byType: [{ amount: money(`${right}1`) }, { amount: money(`${wrong}1e-9`) }] },
  };

  it('cause a warning for each number of the wrong sign at any depth, also in strings', () => {
    const problems = checkInvoice(aNote(docType, { totals }));
    expect(problems.map(({ path, actual }) => `${path.slice(2).join('.')} ${actual}`)).toEqual([
      `payable ${wrong}0.01`,
      `plain ${wrong}5`,
      `text ${wrong}1.50`,
      `exchangeRate ${wrong}4.70`,
      `tax.byType.1.amount ${wrong}1e-9`,
    ]);
    for (const problem of problems) expect(problem).toMatchObject({ rule, severity: 'WARNING', expected });
  });

  it('may be empty, and have any sign in other documents', () => {
    for (const each of [{}, null, undefined]) expect(found(aNote(docType, { totals: each }))).toEqual([]);
    for (const other of docTypes.filter((each) => !/^(credit|debit)_note$/.test(each)))
      expect([other, ...found(aNote(other, { totals }))]).toEqual([other]);
  });
});

describe.each(['invoice', 'self_billed_invoice'] as const)('the amounts of an %s', (docType) => {
  it.each<[string[], ...ReturnType<typeof aLine>[]]>([
    [['WARNING mixed-signs invoice.lines'], aLine('1'), aLine('-1')],
    [['WARNING mixed-signs invoice.lines'], aLine('1', '-0.06')],
    [[], aLine('1', '0.06'), aLine('2'), aLine('-0')],
    [[], aLine('-1', '-0.06'), aLine('-2'), aLine('0')],
  ])('cause %j: a warning when they have both signs, not counting zeros', (problems, ...lines) => {
    expect(found(anInvoice({ docType, lines }))).toEqual(problems);
  });
});
