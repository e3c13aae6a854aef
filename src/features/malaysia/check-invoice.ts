/** Checks an invoice against the rule table and returns all problems at once, errors first. */
import { type InputProblem, maxProblems } from '../../input-problems.ts';
import { text } from '../../texts/texts.ts';
import type { ExactNumber, JsonObject, JsonValue } from '../../tools/exact-number.ts';
import { isObject } from '../../tools/is-object.ts';
import { quoted, shortened } from '../../tools/shortened.ts';
import {
  docTypeOf,
  isNote,
  knownMembers,
  type MalaysiaDocType,
  type MalaysiaInvoice,
  taxTypes,
  toWire,
  type WithExtra,
} from './invoice.ts';
import { type InvoiceRule, invoiceProblem } from './invoice-rule-table.ts';
import { member, numberOf, visitLeaves } from './json-search.ts';

export type Path = readonly string[];

type Problems = Generator<InputProblem, void, void>;

/** The argument that every path begins with. */
export const root: Path = ['invoice'];

export function checkInvoice(invoice: MalaysiaInvoice, wire = toWire(invoice)): InputProblem[] {
  return mostSevere(problemsOf(invoice, wire));
}

/**
 * At most 200 problems, errors first, both in the order of the invoice. If there are more, the last one counts those that are
 * not listed; they are not stored.
 */
export function mostSevere(problems: Iterable<InputProblem>): InputProblem[] {
  const errors: InputProblem[] = [];
  const warnings: InputProblem[] = [];
  let count = 0;
  for (const found of problems) {
    const kept = found.severity === 'ERROR' ? errors : warnings;
    if (kept.length < maxProblems) kept.push(found);
    count += 1;
  }
  const list = [...inOrder(errors), ...inOrder(warnings)];
  if (count <= maxProblems) return list;
  list.length = maxProblems - 1;
  const messageText = text('problem.more-like-these', { count: count - list.length });
  const rest = invoiceProblem('more-problems', root, { messageText });
  return [...list, errors.length < maxProblems ? { ...rest, severity: 'WARNING' } : rest];
}

/** Problems by their places in the invoice: the members of an object before the object, fields before the members of `extra`. */
function inOrder(problems: readonly InputProblem[]): InputProblem[] {
  return problems
    .map((problem) => ({ problem, place: placeOf(problem.path) }))
    .sort((a, b) => comparePlaces(a.place, b.place))
    .map(({ problem }) => problem);
}

const memberOrder: readonly string[] = [...Object.values(knownMembers).flat(), 'extra'];

/** The place of each step of a path among its neighbours, up to a name that is not of the schema. */
function placeOf(path: Path): number[] {
  const places = path
    .slice(root.length)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : memberOrder.indexOf(step)));
  const unknown = places.indexOf(-1);
  return unknown < 0 ? places : [...places.slice(0, unknown), memberOrder.length];
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((place, index) => place !== b[index]);
  if (at < 0 || b[at] === undefined) return b.length - a.length;
  return (a[at] ?? 0) - b[at];
}

/** The rules apply to the members as they are sent: a value in `extra` is sent instead of the field's. */
export function* problemsOf(invoice: MalaysiaInvoice, wire: JsonObject): Problems {
  const at: At = (...steps) => [...root, ...inputPath(invoice, steps)];
  const docType = docTypeOf(wire['docType']);
  if (isBlank(wire['docNumber'])) {
    yield invoiceProblem('doc-number-empty', at('docNumber'));
  }
  yield* checkReference(docType, wire['reference'], at);
  for (const party of ['supplier', 'buyer'] as const) yield* checkParty(wire[party], party, at);
  yield* checkTaxTypes(invoice);
  yield* checkLines(docType, wire['lines'], at);
  yield* checkTotals(docType, wire['totals'], at);
  if (!isBlank(wire['taxes'])) yield invoiceProblem('tax-at-lines-only', at('taxes'));
  yield* checkExtras(invoice);
}

/** Returns the path in the arguments of the member that is sent at these steps. */
type At = (...steps: readonly string[]) => string[];

/** The path in the invoice of a member that is sent: through `extra` where that has it, and `otherType` for a `type`. */
function inputPath(invoice: MalaysiaInvoice, steps: Path): string[] {
  let level: unknown = invoice;
  for (const [index, step] of steps.entries()) {
    const { extra, otherType, [step]: own } = (level ?? {}) as Readonly<Record<string, JsonValue>>;
    if (isObject(extra) && Object.hasOwn(extra, step))
      return [...steps.slice(0, index), 'extra', ...steps.slice(index).map(quoted)];
    if (step === 'type' && isBlank(own) && !isBlank(otherType))
      return [...steps.slice(0, index), 'otherType'];
    level = own;
  }
  return steps.map(quoted);
}

function* checkReference(
  docType: MalaysiaDocType | undefined,
  reference: JsonValue | undefined,
  at: At,
): Problems {
  if (!docType || !isNote(docType)) return;
  // A reference in another form may name the original in a way that the service's document does not show.
  if (!isBlank(isObject(reference) ? member(reference, 'originalInvoiceCodeNumber') : reference)) return;
  const original = docType.startsWith('self_billed') ? 'document.self_billed_invoice' : 'document.invoice';
  const params = { note: text(`document.${docType}`), original: text(original) };
  const messageText = text('problem.original-missing', params);
  yield invoiceProblem('reference-required', at('reference', 'originalInvoiceCodeNumber'), { messageText });
}

const addressForms = [
  ['stateCode', 'state-code', /^(0[1-9]|1[0-7])$/],
  ['postcode', 'postcode', /^\d{5}$/],
  ['country', 'country-code', /^[A-Z]{3}$/],
] as const;

/** A field next to the address or contact counts as present: the service may accept it there. */
function* checkParty(party: JsonValue | undefined, name: 'supplier' | 'buyer', at: At): Problems {
  const address = member(party, 'address');
  const missing = knownMembers.address.filter(
    (field) => isBlank(member(address, field)) && isBlank(member(party, field)),
  );
  if (missing.length > 0) {
    const fields = missing.map((field) => text(`field.${field}`));
    const messageText = text('problem.address-incomplete', { party: text(`field.${name}`), fields });
    yield invoiceProblem('address-recommended', at(name, 'address'), { messageText });
  }
  for (const [field, rule, form] of addressForms) {
    const value = member(address, field);
    if (typeof value !== 'string' || isBlank(value) || form.test(value)) continue;
    const details = { expected: text(`expected.${rule}`), actual: shortened(value, 20) };
    yield invoiceProblem(rule, at(name, 'address', field), details);
  }
  const telephone = member(member(party, 'contact'), 'telephone');
  const place = at(name, 'contact', 'telephone');
  if (isBlank(telephone) && isBlank(member(party, 'telephone'))) {
    yield invoiceProblem('contact-recommended', place);
  } else if (typeof telephone === 'string' && !isBlank(telephone) && !/^\+?\d{8,20}$/.test(telephone)) {
    yield invoiceProblem('telephone', place, { expected: text('expected.telephone') });
  }
}

function isBlank(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** A tax has one type, unless `extra` replaces it, its list or its line. */
function* checkTaxTypes({ lines, extra: further }: MalaysiaInvoice): Problems {
  if (replaces(further, 'lines')) return;
  for (const [index, { taxes, extra: ofLine }] of lines.entries()) {
    if (replaces(ofLine, 'taxes')) continue;
    for (const [taxIndex, { type, otherType, extra }] of taxes.entries()) {
      if (isBlank(otherType) !== isBlank(type) || replaces(extra, 'type')) continue;
      const at = [...root, 'lines', String(index), 'taxes', String(taxIndex)];
      yield invoiceProblem('tax-type-one', at, { expected: text('expected.one-type') });
    }
  }
}

/** Whether a member is sent from `extra`, in place of the field. */
export function replaces(extra: WithExtra['extra'], field: string): boolean {
  return member(extra ?? null, field) !== undefined;
}

function* checkLines(docType: MalaysiaDocType | undefined, lines: JsonValue | undefined, at: At): Problems {
  if (!Array.isArray(lines)) return;
  if (lines.length === 0) yield invoiceProblem('lines-empty', at('lines'));
  const signs = new Set<number>();
  const rule = docType && signRules[docType];
  function* checkAmount(amount: ExactNumber | null, ...steps: string[]): Problems {
    if (!amount) return;
    signs.add(amount.sign);
    if (rule?.wrong === amount.sign) yield signProblem(rule, at(...steps), amount.text);
  }
  for (const [index, line] of lines.entries()) {
    const steps = ['lines', String(index)];
    yield* checkAmount(numberOf(member(line, 'amountExclTax')), ...steps, 'amountExclTax');
    const taxes = member(line, 'taxes');
    for (const [taxIndex, tax] of Array.isArray(taxes) ? taxes.entries() : []) {
      const inTax = [...steps, 'taxes', String(taxIndex)];
      const type = member(tax, 'type');
      if (isSst(type)) {
        const details = { expected: taxTypes.join(', '), actual: type.trim() };
        yield invoiceProblem('tax-type-sst', at(...inTax, 'type'), details);
      }
      yield* checkAmount(numberOf(member(tax, 'amount')), ...inTax, 'amount');
    }
  }
  if (signs.has(1) && signs.has(-1)) {
    yield invoiceProblem('mixed-signs', at('lines'), { expected: text('expected.one-sign') });
  }
}

/** Whether a tax type is SST, which is ambiguous: sales tax and service tax are two types. */
export function isSst(taxType: JsonValue | undefined): taxType is string {
  return typeof taxType === 'string' && /^\s*sst\s*$/i.test(taxType);
}

interface SignRule {
  readonly rule: InvoiceRule;
  /** The sign of an amount that breaks the rule. */
  readonly wrong: 1 | -1;
  /** The rule whose text is used. Default: the rule itself. */
  readonly textRule?: InvoiceRule;
}

const signRules: Partial<Record<MalaysiaDocType, SignRule>> = {
  credit_note: { rule: 'credit-note-negative', wrong: 1 },
  debit_note: { rule: 'debit-note-positive', wrong: -1 },
  refund_note: { rule: 'refund-note-negative', wrong: 1 },
  self_billed_credit_note: { rule: 'self-billed-sign', wrong: 1, textRule: 'credit-note-negative' },
  self_billed_debit_note: { rule: 'self-billed-sign', wrong: -1, textRule: 'debit-note-positive' },
  self_billed_refund_note: { rule: 'self-billed-sign', wrong: 1, textRule: 'refund-note-negative' },
};

const totalsRules: Partial<Record<MalaysiaDocType, SignRule>> = {
  credit_note: { rule: 'credit-note-totals-negative', wrong: 1 },
  debit_note: { rule: 'debit-note-totals-positive', wrong: -1 },
};

function signProblem({ rule, wrong, textRule = rule }: SignRule, at: Path, actual: string): InputProblem {
  const expected = text(wrong > 0 ? 'expected.zero-or-less' : 'expected.zero-or-more');
  return invoiceProblem(rule, at, { messageText: text(`rule.${textRule}`), expected, actual });
}

/** The service's document does not name the members of `totals`: a rate or a count may have either sign, so a problem is a warning. */
function* checkTotals(docType: MalaysiaDocType | undefined, totals: JsonValue | undefined, at: At): Problems {
  const rule = docType && totalsRules[docType];
  if (!rule) return;
  const found: InputProblem[] = [];
  visitLeaves(totals, ['totals'], (leaf, steps) => {
    const number = numberOf(leaf);
    if (number?.sign === rule.wrong) found.push(signProblem(rule, at(...steps), number.text));
  });
  yield* found;
}

/** Reports the members of every `extra` that are fields of the schema. */
function* checkExtras(invoice: MalaysiaInvoice): Problems {
  const { reference, supplier, buyer, lines } = invoice;
  yield* checkExtra(invoice, 'invoice', root);
  yield* checkExtra(reference, 'reference', [...root, 'reference']);
  for (const [name, party] of Object.entries({ supplier, buyer })) {
    yield* checkExtra(party, 'party', [...root, name]);
    yield* checkExtra(party?.address, 'address', [...root, name, 'address']);
    yield* checkExtra(party?.contact, 'contact', [...root, name, 'contact']);
  }
  for (const [index, line] of lines.entries()) {
    const at = [...root, 'lines', String(index)];
    yield* checkExtra(line, 'line', at);
    for (const [taxIndex, tax] of line.taxes.entries()) {
      yield* checkExtra(tax, 'tax', [...at, 'taxes', String(taxIndex)]);
    }
  }
}

type KnownMember = (typeof knownMembers)[keyof typeof knownMembers][number];

function* checkExtra(
  level: WithExtra | null | undefined,
  levelName: keyof typeof knownMembers,
  path: Path,
): Problems {
  const known: readonly KnownMember[] = knownMembers[levelName];
  for (const given of Object.keys(level?.extra ?? {})) {
    const name = known.find((member) => member === given);
    if (!name) continue;
    const messageText = text('problem.extra-replaces', { field: text(`field.${name}`) });
    yield invoiceProblem('extra-names-known-member', [...path, 'extra', name], { messageText });
  }
}
