/** Checks an invoice against the rule table and returns all problems at once, errors first. */
import { type InputProblem, maxProblems } from '../../errors.ts';
import type { ExactNumber, JsonObject, JsonValue } from '../../upstream/exact-json.ts';
import { type Found, isSst, numbersIn, sstTypesIn } from './free-json.ts';
import {
  docTypes,
  type MalaysiaDocType,
  type MalaysiaInvoice,
  type MalaysiaLine,
  type MalaysiaParty,
  type MalaysiaTax,
} from './invoice.ts';
import { type InvoiceRule, problem } from './invoice-rule-table.ts';

type Path = readonly string[];

type Problems = Generator<InputProblem, void, void>;

export function checkInvoice(invoice: MalaysiaInvoice, path: Path = ['invoice']): InputProblem[] {
  return listed(problemsOf(invoice, path), path);
}

/** At most 200 problems, errors first. If there are more, the last one counts those that are not listed; they are not stored. */
export function listed(problems: Iterable<InputProblem>, path: Path): InputProblem[] {
  const errors: InputProblem[] = [];
  const warnings: InputProblem[] = [];
  let count = 0;
  for (const found of problems) {
    const kept = found.severity === 'ERROR' ? errors : warnings;
    if (kept.length < maxProblems) kept.push(found);
    count += 1;
  }
  const list = [...errors, ...warnings];
  if (count <= maxProblems) return list;
  list.length = maxProblems - 1;
  const rest = problem('more-problems', path, `There are ${count - list.length} more problems like these.`);
  return [...list, errors.length < maxProblems ? { ...rest, severity: 'WARNING' } : rest];
}

export function* problemsOf(invoice: MalaysiaInvoice, path: Path): Problems {
  yield* checkDocNumber(invoice, path);
  yield* checkReference(invoice, path);
  yield* checkParty(invoice.supplier, [...path, 'supplier']);
  yield* checkParty(invoice.buyer, [...path, 'buyer']);
  yield* checkLines(invoice, path);
  yield* checkTotals(invoice, path);
  yield* checkInvoiceExtra(invoice, path);
}

function* checkDocNumber({ docNumber }: MalaysiaInvoice, path: Path): Problems {
  if (docNumber.trim() !== '') return;
  yield problem('doc-number-empty', [...path, 'docNumber'], 'A document should have a docNumber.');
}

function* checkReference({ docType, reference }: MalaysiaInvoice, path: Path): Problems {
  if (docTypes[docType].isNote && !reference?.originalInvoiceCodeNumber?.trim()) {
    const original = docType.startsWith('self_billed') ? 'self-billed invoice' : 'invoice';
    const message = `A ${spoken(docType)} must name the docNumber of the original ${original}.`;
    yield problem('reference-required', [...path, 'reference', 'originalInvoiceCodeNumber'], message);
  }
  yield* checkExtra(reference?.extra, knownMembers.reference, [...path, 'reference']);
}

const addressFields = ['line1', 'city', 'stateCode', 'postcode', 'country'] as const;

/** Expected formats of address fields. */
const addressForms = [
  ['stateCode', 'state-code', /^(0[1-9]|1[0-7])$/, '01 to 17, two digits'],
  ['postcode', 'postcode', /^\d{5}$/, 'five digits'],
  ['country', 'country-code', /^[A-Z]{3}$/, 'ISO 3166-1 alpha-3, e.g. MYS'],
] as const;

/** A field in the party's `extra` counts as present: the service may accept it there. */
function* checkParty(party: MalaysiaParty | null | undefined, path: Path): Problems {
  const { address, contact, extra } = party ?? {};
  const missing = addressFields.filter((field) => isBlank(address?.[field]) && isBlank(extra?.[field]));
  if (missing.length > 0) {
    const message = `The address of the ${path.at(-1)} should have ${spokenList(missing)}.`;
    yield problem('address-recommended', [...path, 'address'], message, missing.join(', '));
  }
  for (const [field, rule, form, expected] of addressForms) {
    const value = address?.[field];
    if (!value?.trim() || form.test(value)) continue;
    const message = `${field} does not have the format that the tax portal expects.`;
    yield problem(rule, [...path, 'address', field], message, expected, value.slice(0, 20));
  }
  yield* checkExtra(address?.extra, knownMembers.address, [...path, 'address']);
  const telephone = contact?.telephone;
  const at = [...path, 'contact', 'telephone'];
  if (telephone?.trim()) {
    if (!/^\+?\d{8,20}$/.test(telephone)) {
      const message = 'telephone does not have the format that the tax portal expects.';
      yield problem('telephone', at, message, '8 to 20 digits, optionally after a +');
    }
  } else if (isBlank(extra?.['telephone'])) {
    yield problem('contact-recommended', at, 'A contact should have a telephone number.');
  }
  yield* checkExtra(contact?.extra, knownMembers.contact, [...path, 'contact']);
  yield* checkExtra(extra, knownMembers.party, path);
}

function isBlank(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** `a, b and c` */
function spokenList(names: readonly string[]): string {
  return names.join(', ').replace(/, (\w+)$/, ' and $1');
}

function* checkLines({ docType, lines }: MalaysiaInvoice, path: Path): Problems {
  const at = [...path, 'lines'];
  if (lines.length === 0) yield problem('lines-empty', at, 'A document should have at least one line.');
  for (const [index, line] of lines.entries()) yield* checkLine(docType, line, [...at, String(index)]);
  const amounts = lines.flatMap(({ amountExclTax, taxes }) => [
    amountExclTax,
    ...taxes.map(({ amount }) => amount),
  ]);
  if (amounts.some(isPositive) && amounts.some(isNegative)) {
    const message = 'The document has both positive and negative amounts. Check that this is intended.';
    yield problem('mixed-signs', at, message, 'amounts of one sign');
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
    yield* checkTaxType(tax, at);
    yield* checkSign(docType, tax.amount, [...at, 'amount']);
    yield* checkExtra(tax.extra, knownMembers.tax, at, { isTax: true });
  }
  const type = extra?.['type'];
  if (isSst(type)) yield* sstProblems([[[...path, 'extra', 'type'], type]]);
  yield* checkExtra(extra, knownMembers.line, path);
}

function* checkTaxType({ type, otherType }: MalaysiaTax, path: Path): Problems {
  const isOther = otherType !== null && otherType !== undefined && otherType.trim() !== '';
  if (isOther === Boolean(type)) {
    const message =
      'A tax must have either a type or, for a type that is not in the enum, an otherType, and not both.';
    yield problem('tax-type-one', path, message, 'type or otherType');
  }
  if (isSst(otherType)) yield* sstProblems([[[...path, 'otherType'], otherType]]);
}

function* sstProblems(found: Iterable<Found>): Problems {
  const message = 'The tax type SST is ambiguous. Send SALES_TAX or SERVICE_TAX instead.';
  for (const [at, actual] of found) {
    yield problem('tax-type-sst', at, message, 'SALES_TAX or SERVICE_TAX', actual.trim());
  }
}

interface SignRule {
  readonly rule: InvoiceRule;
  readonly breaks: (amount: ExactNumber) => boolean;
  readonly expected: string;
  readonly message: string;
}

const negative = { breaks: isPositive, expected: '0 or less' };
const positive = { breaks: isNegative, expected: '0 or more' };

const creditMessage =
  'The amounts of a credit note are negative. Send them with their sign: the gateway does not change it.';
const debitMessage =
  'The amounts of a debit note are positive. Send them with their sign: the gateway does not change it.';
const refundMessage =
  'The amounts of a refund note are negative when they reduce the original and confirm money returned.';

const signRules: Partial<Record<MalaysiaDocType, SignRule>> = {
  credit_note: { rule: 'credit-note-negative', ...negative, message: creditMessage },
  debit_note: { rule: 'debit-note-positive', ...positive, message: debitMessage },
  refund_note: { rule: 'refund-note-negative', ...negative, message: refundMessage },
  self_billed_credit_note: { rule: 'self-billed-sign', ...negative, message: creditMessage },
  self_billed_debit_note: { rule: 'self-billed-sign', ...positive, message: debitMessage },
  self_billed_refund_note: { rule: 'self-billed-sign', ...negative, message: refundMessage },
};

function* checkSign(docType: MalaysiaDocType, amount: ExactNumber, path: Path): Problems {
  const rule = signRules[docType];
  if (rule?.breaks(amount)) yield problem(rule.rule, path, rule.message, rule.expected, amount.text);
}

const totalsRules: Partial<Record<MalaysiaDocType, SignRule>> = {
  credit_note: {
    rule: 'credit-note-totals-negative',
    ...negative,
    message:
      'The amounts in the totals of a credit note are negative. Ignore this warning if the value is not an amount.',
  },
  debit_note: {
    rule: 'debit-note-totals-positive',
    ...positive,
    message:
      'The amounts in the totals of a debit note are positive. Ignore this warning if the value is not an amount.',
  },
};

/** The service's document does not name the members of `totals`: a rate or a count may have either sign, so a problem is a warning. */
function* checkTotals({ docType, totals }: MalaysiaInvoice, path: Path): Problems {
  const at = [...path, 'totals'];
  yield* sstProblems(sstTypesIn(totals ?? {}, at, false));
  const rule = totalsRules[docType];
  if (!rule || !totals) return;
  for (const [place, actual] of numbersIn(totals, at, rule.breaks)) {
    yield problem(rule.rule, place, rule.message, rule.expected, actual);
  }
}

function* checkInvoiceExtra({ extra }: MalaysiaInvoice, path: Path): Problems {
  const at = [...path, 'extra'];
  if ((extra?.['taxes'] ?? null) !== null) {
    const message = 'Tax is stated at lines only. Send it in lines[].taxes.';
    yield problem('tax-at-lines-only', [...at, 'taxes'], message);
  }
  yield* checkExtra(extra, knownMembers.invoice, path);
}

/** Fields of the schema at each level: `extra` must not contain them. */
const knownMembers = {
  invoice: ['docType', 'docNumber', 'reference', 'supplier', 'buyer', 'lines', 'totals'],
  reference: ['originalInvoiceCodeNumber'],
  party: ['address', 'contact'],
  address: addressFields,
  contact: ['telephone'],
  line: ['amountExclTax', 'taxes'],
  tax: ['type', 'otherType', 'amount'],
} as const;

function* checkExtra(
  extra: JsonObject | null | undefined,
  known: readonly string[],
  path: Path,
  { isTax = false }: { isTax?: boolean } = {},
): Problems {
  yield* sstProblems(sstTypesIn(extra ?? {}, [...path, 'extra'], isTax));
  for (const member of Object.keys(extra ?? {})) {
    if (!known.includes(member)) continue;
    const message = `${member} is a field of the schema. Send it in that field, not in extra.`;
    yield problem('extra-names-known-member', [...path, 'extra', member], message);
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
