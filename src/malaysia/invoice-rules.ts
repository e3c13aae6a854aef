/** The rules of the import (domain notes, "Malaysia"): all problems at once, in the order of the invoice. */
import { type InputProblem, maxProblems } from '../errors.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../upstream/exact-json.ts';
import {
  docTypes,
  type MalaysiaDocType,
  type MalaysiaInvoice,
  type MalaysiaLine,
  type MalaysiaParty,
} from './invoice.ts';

type Path = readonly string[];

type Problems = Generator<InputProblem, void, void>;

/** Longest step of a path, in characters: members of `totals` have names of the caller's own. */
const maxStepLength = 60;

export function checkInvoice(invoice: MalaysiaInvoice, path: Path = ['invoice']): InputProblem[] {
  return listed(problemsOf(invoice, path), path);
}

/** At most 200 problems; the last of them counts those that are not listed, none of which is kept. */
export function listed(problems: Iterable<InputProblem>, path: Path): InputProblem[] {
  const list: InputProblem[] = [];
  let unlisted = 0;
  let isError = false;
  for (const problem of problems) {
    if (list.length < maxProblems) list.push(problem);
    else {
      unlisted += 1;
      isError ||= problem.severity === 'ERROR';
    }
  }
  const last = list[maxProblems - 1];
  if (unlisted > 0 && last) {
    const message = `There are ${unlisted + 1} more problems like these.`;
    const summary = isError || last.severity === 'ERROR' ? error : warning;
    list[maxProblems - 1] = summary('more-problems', path, message);
  }
  return list;
}

export function* problemsOf(invoice: MalaysiaInvoice, path: Path): Problems {
  yield* checkDocNumber(invoice, path);
  yield* checkReference(invoice, path);
  yield* checkParty(invoice.supplier, [...path, 'supplier']);
  yield* checkParty(invoice.buyer, [...path, 'buyer']);
  yield* checkLines(invoice, path);
  yield* checkTotals(invoice, path);
  yield* checkExtra(invoice.extra, knownMembers.invoice, path);
}

function* checkDocNumber({ docNumber }: MalaysiaInvoice, path: Path): Problems {
  if (docNumber.trim() !== '') return;
  yield error('doc-number-empty', [...path, 'docNumber'], 'A document needs a number of your own.');
}

function* checkReference({ docType, reference }: MalaysiaInvoice, path: Path): Problems {
  if (docTypes[docType].isNote && !reference?.originalInvoiceCodeNumber.trim()) {
    const original = docType.startsWith('self_billed') ? 'self-billed invoice' : 'invoice';
    const message = `A ${spoken(docType)} must name the docNumber of the original ${original}.`;
    yield error('reference-required', [...path, 'reference', 'originalInvoiceCodeNumber'], message);
  }
  yield* checkExtra(reference?.extra, knownMembers.reference, [...path, 'reference']);
}

const addressFields = ['line1', 'city', 'stateCode', 'postcode', 'country'] as const;

/** The usual form of a field, and whether its value may be repeated in a problem. */
const forms = {
  stateCode: { rule: 'state-code', pattern: /^(0[1-9]|1[0-7])$/, expected: '01 to 17, with its zero' },
  postcode: { rule: 'postcode', pattern: /^\d{5}$/, expected: 'five digits' },
  country: { rule: 'country-code', pattern: /^[A-Z]{3}$/, expected: 'ISO 3166-1 alpha-3, e.g. MYS' },
} as const;

function* checkParty({ address, contact, extra }: MalaysiaParty, path: Path): Problems {
  for (const field of addressFields) {
    const value = address?.[field];
    const at = [...path, 'address', field];
    const form = field in forms ? forms[field as keyof typeof forms] : undefined;
    if (!value?.trim()) yield warning('address-recommended', at, `An address should have ${field}.`);
    else if (form && !form.pattern.test(value)) {
      const message = `${field} is not of the form that the tax portal uses.`;
      yield warning(form.rule, at, message, form.expected, value.slice(0, 20));
    }
  }
  yield* checkExtra(address?.extra, knownMembers.address, [...path, 'address']);
  const telephone = contact?.telephone;
  const at = [...path, 'contact', 'telephone'];
  if (!telephone?.trim()) {
    yield warning('contact-recommended', at, 'A contact should have a telephone number.');
  } else if (!/^\+?\d{8,20}$/.test(telephone)) {
    const message = 'telephone is not of the form that the tax portal uses.';
    yield warning('telephone', at, message, '8 to 20 digits, + before them allowed');
  }
  yield* checkExtra(contact?.extra, knownMembers.contact, [...path, 'contact']);
  yield* checkExtra(extra, knownMembers.party, path);
}

function* checkLines({ docType, lines }: MalaysiaInvoice, path: Path): Problems {
  const at = [...path, 'lines'];
  if (lines.length === 0) yield error('lines-empty', at, 'A document needs at least one line.');
  for (const [index, line] of lines.entries()) yield* checkLine(docType, line, [...at, String(index)]);
  const amounts = lines.flatMap(({ amountExclTax, taxes }) => [
    amountExclTax,
    ...taxes.map(({ amount }) => amount),
  ]);
  if (amounts.some(isPositive) && amounts.some(isNegative)) {
    const message = 'The document has positive and negative amounts: is that meant?';
    yield warning('mixed-signs', at, message, 'amounts of one sign');
  }
}

function* checkLine(
  docType: MalaysiaDocType,
  { amountExclTax, taxes, extra }: MalaysiaLine,
  path: Path,
): Problems {
  yield* checkSign(docType, amountExclTax, [...path, 'amountExclTax']);
  for (const [index, tax] of taxes.entries()) {
    const at = [...path, 'taxes', String(index)];
    yield* checkSign(docType, tax.amount, [...at, 'amount']);
    yield* checkExtra(tax.extra, knownMembers.tax, at);
  }
  yield* checkExtra(extra, knownMembers.line, path);
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

function* checkSign(docType: MalaysiaDocType, amount: ExactNumber, path: Path): Problems {
  const rule = signRules[docType];
  if (!rule?.breaks(amount)) return;
  const { severity, message, expected } = rule;
  yield { rule: rule.rule, severity, path, message, expected, actual: amount.text };
}

const totalsMessage = 'The totals of a credit note are negative: send the sign yourself, none is flipped.';

function* checkTotals({ docType, totals }: MalaysiaInvoice, path: Path): Problems {
  if (docType !== 'credit_note' || !totals) return;
  for (const [at, actual] of positiveNumbers(totals, [...path, 'totals'])) {
    yield error('credit-note-totals-negative', at, totalsMessage, negative.expected, actual);
  }
}

/** Every number above zero in a JSON value, texts that read as numbers included. */
function* positiveNumbers(value: JsonValue | undefined, path: Path): Generator<[Path, string], void, void> {
  if (value instanceof ExactNumber) {
    if (isPositive(value)) yield [path, value.text];
  } else if (typeof value === 'number') {
    if (value > 0) yield [path, String(value)];
  } else if (typeof value === 'string') {
    const number = ExactNumber.parse(value);
    if (number && isPositive(number)) yield [path, number.text];
  } else if (typeof value === 'object' && value !== null) {
    for (const [member, inner] of Object.entries(value)) {
      yield* positiveNumbers(inner, [...path, quoted(member)]);
    }
  }
}

/** Text of the caller's own, as far as a problem repeats it. */
export function quoted(step: string): string {
  return step.length > maxStepLength ? `${step.slice(0, maxStepLength - 1).toWellFormed()}…` : step;
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

function* checkExtra(extra: JsonObject | null | undefined, known: readonly string[], path: Path): Problems {
  for (const member of Object.keys(extra ?? {})) {
    if (!known.includes(member)) continue;
    const message = `${member} has a field of its own: give it there.`;
    yield error('extra-names-known-member', [...path, 'extra', member], message);
  }
}

function isPositive({ sign }: ExactNumber): boolean {
  return sign > 0;
}

function isNegative({ sign }: ExactNumber): boolean {
  return sign < 0;
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
