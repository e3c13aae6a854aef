/** The rules of the import (domain notes, "Malaysia"): all problems at once, in the order of the invoice. */
import type { InputProblem } from '../errors.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../upstream/exact-json.ts';
import {
  docTypes,
  type MalaysiaDocType,
  type MalaysiaInvoice,
  type MalaysiaLine,
  type MalaysiaParty,
} from './invoice.ts';

type Path = readonly string[];

/** Most problems that are listed one by one. */
const maxProblems = 200;

export function checkInvoice(invoice: MalaysiaInvoice, path: Path = ['invoice']): InputProblem[] {
  const problems = [
    ...checkDocNumber(invoice, path),
    ...checkReference(invoice, path),
    ...checkParty(invoice.supplier, [...path, 'supplier']),
    ...checkParty(invoice.buyer, [...path, 'buyer']),
    ...checkLines(invoice, path),
    ...checkTotals(invoice, path),
    ...checkExtra(invoice.extra, knownMembers.invoice, path),
  ];
  return problems.length > maxProblems ? shortened(problems, path) : problems;
}

function checkDocNumber({ docNumber }: MalaysiaInvoice, path: Path): InputProblem[] {
  if (docNumber.trim() !== '') return [];
  return [error('doc-number-empty', [...path, 'docNumber'], 'A document needs a number of your own.')];
}

function checkReference({ docType, reference }: MalaysiaInvoice, path: Path): InputProblem[] {
  const problems = checkExtra(reference?.extra, knownMembers.reference, [...path, 'reference']);
  if (!docTypes[docType].isNote || reference?.originalInvoiceCodeNumber.trim()) return problems;
  const original = docType.startsWith('self_billed') ? 'self-billed invoice' : 'invoice';
  const message = `A ${spoken(docType)} must name the docNumber of the original ${original}.`;
  return [
    error('reference-required', [...path, 'reference', 'originalInvoiceCodeNumber'], message),
    ...problems,
  ];
}

const addressFields = ['line1', 'city', 'stateCode', 'postcode', 'country'] as const;

/** The usual form of a field, and whether its value may be repeated in a problem. */
const forms = {
  stateCode: { rule: 'state-code', pattern: /^(0[1-9]|1[0-7])$/, expected: '01 to 17, with its zero' },
  postcode: { rule: 'postcode', pattern: /^\d{5}$/, expected: 'five digits' },
  country: { rule: 'country-code', pattern: /^[A-Z]{3}$/, expected: 'ISO 3166-1 alpha-3, e.g. MYS' },
} as const;

function checkParty({ address, contact, extra }: MalaysiaParty, path: Path): InputProblem[] {
  const problems: InputProblem[] = [];
  for (const field of addressFields) {
    const value = address?.[field];
    const at = [...path, 'address', field];
    const form = field in forms ? forms[field as keyof typeof forms] : undefined;
    if (!value?.trim()) problems.push(warning('address-recommended', at, `An address should have ${field}.`));
    else if (form && !form.pattern.test(value)) {
      const message = `${field} is not of the form that the tax portal uses.`;
      problems.push(warning(form.rule, at, message, form.expected, value.slice(0, 20)));
    }
  }
  problems.push(...checkExtra(address?.extra, knownMembers.address, [...path, 'address']));
  const telephone = contact?.telephone;
  const at = [...path, 'contact', 'telephone'];
  if (!telephone?.trim()) {
    problems.push(warning('contact-recommended', at, 'A contact should have a telephone number.'));
  } else if (!/^\+?\d{8,20}$/.test(telephone)) {
    const message = 'telephone is not of the form that the tax portal uses.';
    problems.push(warning('telephone', at, message, '8 to 20 digits, + before them allowed'));
  }
  problems.push(...checkExtra(contact?.extra, knownMembers.contact, [...path, 'contact']));
  problems.push(...checkExtra(extra, knownMembers.party, path));
  return problems;
}

function checkLines({ docType, lines }: MalaysiaInvoice, path: Path): InputProblem[] {
  const at = [...path, 'lines'];
  if (lines.length === 0) return [error('lines-empty', at, 'A document needs at least one line.')];
  const problems = lines.flatMap((line, index) => checkLine(docType, line, [...at, String(index)]));
  const amounts = lines.flatMap(({ amountExclTax, taxes }) => [
    amountExclTax,
    ...taxes.map(({ amount }) => amount),
  ]);
  if (amounts.some(isPositive) && amounts.some(isNegative)) {
    const message = 'The document has positive and negative amounts: is that meant?';
    problems.push(warning('mixed-signs', at, message, 'amounts of one sign'));
  }
  return problems;
}

function checkLine(docType: MalaysiaDocType, { amountExclTax, taxes, extra }: MalaysiaLine, path: Path) {
  return [
    ...checkSign(docType, amountExclTax, [...path, 'amountExclTax']),
    ...taxes.flatMap((tax, index) => {
      const at = [...path, 'taxes', String(index)];
      return [
        ...checkSign(docType, tax.amount, [...at, 'amount']),
        ...checkExtra(tax.extra, knownMembers.tax, at),
      ];
    }),
    ...checkExtra(extra, knownMembers.line, path),
  ];
}

interface SignRule {
  readonly rule: string;
  readonly severity: InputProblem['severity'];
  readonly breaks: (amount: ExactNumber) => boolean;
  readonly expected: string;
  readonly message: string;
}

const negative = { breaks: isPositive, expected: '0 or less' };
const positive = { breaks: isNegative, expected: '0 or more' };
const selfBilled = { rule: 'self-billed-sign', severity: 'WARNING' } as const;

const creditMessage = 'The amounts of a credit note are negative: send the sign yourself, none is flipped.';
const debitMessage = 'The amounts of a debit note are positive: send the sign yourself, none is flipped.';
const refundMessage =
  'The amounts of a refund note are negative when they reduce the original and confirm money returned.';

const signRules: Partial<Record<MalaysiaDocType, SignRule>> = {
  credit_note: { rule: 'credit-note-negative', severity: 'ERROR', ...negative, message: creditMessage },
  debit_note: { rule: 'debit-note-positive', severity: 'ERROR', ...positive, message: debitMessage },
  refund_note: { rule: 'refund-note-negative', severity: 'WARNING', ...negative, message: refundMessage },
  self_billed_credit_note: { ...selfBilled, ...negative, message: creditMessage },
  self_billed_debit_note: { ...selfBilled, ...positive, message: debitMessage },
  self_billed_refund_note: { ...selfBilled, ...negative, message: refundMessage },
};

function checkSign(docType: MalaysiaDocType, amount: ExactNumber, path: Path): InputProblem[] {
  const rule = signRules[docType];
  if (!rule?.breaks(amount)) return [];
  const { severity, message, expected } = rule;
  return [{ rule: rule.rule, severity, path, message, expected, actual: amount.text }];
}

function checkTotals({ docType, totals }: MalaysiaInvoice, path: Path): InputProblem[] {
  if (docType !== 'credit_note' || !totals) return [];
  return positiveNumbers(totals, [...path, 'totals']).map(([at, actual]) =>
    error(
      'credit-note-totals-negative',
      at,
      'The totals of a credit note are negative: send the sign yourself, none is flipped.',
      negative.expected,
      actual,
    ),
  );
}

/** Every number above zero in a JSON value, texts that read as numbers included. */
function positiveNumbers(value: JsonValue | undefined, path: Path): [Path, string][] {
  if (value instanceof ExactNumber) return isPositive(value) ? [[path, value.text]] : [];
  if (typeof value === 'number') return value > 0 ? [[path, String(value)]] : [];
  if (typeof value === 'string') {
    const number = ExactNumber.parse(value);
    return number && isPositive(number) ? [[path, number.text]] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, inner]) => positiveNumbers(inner, [...path, member]));
}

/** The members that the schema names, level by level: `extra` may hold any other. */
const knownMembers = {
  invoice: ['docType', 'docNumber', 'reference', 'supplier', 'buyer', 'lines', 'totals'],
  reference: ['originalInvoiceCodeNumber'],
  party: ['address', 'contact'],
  address: addressFields,
  contact: ['telephone'],
  line: ['amountExclTax', 'taxes'],
  tax: ['type', 'amount'],
} as const;

function checkExtra(
  extra: JsonObject | null | undefined,
  known: readonly string[],
  path: Path,
): InputProblem[] {
  return Object.keys(extra ?? {})
    .filter((member) => known.includes(member))
    .map((member) => {
      const message = `${member} has a field of its own: give it there.`;
      return error('extra-names-known-member', [...path, 'extra', member], message);
    });
}

function shortened(problems: InputProblem[], path: Path): InputProblem[] {
  const rest = problems.slice(maxProblems - 1);
  const isError = rest.some(({ severity }) => severity === 'ERROR');
  const message = `There are ${rest.length} more problems like these.`;
  return [...problems.slice(0, maxProblems - 1), (isError ? error : warning)('more-problems', path, message)];
}

function isPositive({ value }: ExactNumber): boolean {
  return value.greaterThan(0);
}

function isNegative({ value }: ExactNumber): boolean {
  return value.lessThan(0);
}

function spoken(docType: MalaysiaDocType): string {
  return docType.replace('self_billed', 'self-billed').replaceAll('_', ' ');
}

function error(rule: string, path: Path, message: string, expected?: string, actual?: string): InputProblem {
  return { rule, severity: 'ERROR', path, message, expected, actual };
}

function warning(
  rule: string,
  path: Path,
  message: string,
  expected?: string,
  actual?: string,
): InputProblem {
  return { rule, severity: 'WARNING', path, message, expected, actual };
}
