/** Reads an invoice that is being typed: values may be missing or not readable yet. */
import type { InputProblem } from '../../input-problems.ts';
import { text } from '../../texts/texts.ts';
import { ExactNumber, type JsonObject } from '../../tools/exact-number.ts';
import { quoted } from '../../tools/shortened.ts';
import { isSst, type Path, replaces, root } from './check-invoice.ts';
import {
  docTypeOf,
  docTypes,
  type MalaysiaDocType,
  type MalaysiaInvoice,
  type MalaysiaLine,
  type MalaysiaTax,
  type Optional,
  taxTypes,
} from './invoice.ts';
import { invoiceProblem } from './invoice-rule-table.ts';
import { visitLeaves } from './json-search.ts';

/** A value of an invoice as it is typed: each member may be missing, and amounts and enum values are any text. */
type Typed<T> = T extends ExactNumber
  ? string | number
  : T extends string | null | undefined
    ? string
    : T extends readonly (infer Item)[]
      ? readonly Typed<Item>[]
      : T extends JsonObject
        ? T
        : { readonly [Name in keyof T]?: Typed<NonNullable<T[Name]>> | null | undefined };

export type InvoiceDraft = Typed<MalaysiaInvoice>;
type LineDraft = Typed<MalaysiaLine>;
type TaxDraft = Typed<MalaysiaTax>;

/** Why the schema of the import would refuse a value before any rule is applied, and what it would accept. */
const expectations = {
  'value-required': undefined,
  'amount-not-decimal': text('expected.decimal'),
  'doc-type-unknown': docTypes.join(', ').toUpperCase(),
  'tax-type-sst': taxTypes.join(', '),
  'tax-type-unknown': taxTypes.join(', '),
} as const;

/** Substitute for an amount: zero has no sign and changes no total. */
const zero = ExactNumber.sum([]);

/** Values that cannot be read are replaced by values that break no rule and change no total. */
export function readDraft(draft: InvoiceDraft) {
  const reader = new DraftReader();
  const invoice = reader.readInvoice(draft);
  return { unreadable: reader.unreadable, invoice };
}

class DraftReader {
  readonly unreadable: InputProblem[] = [];

  readInvoice({ docType, docNumber, lines, ...rest }: InvoiceDraft): MalaysiaInvoice {
    const areReplaced = replaces(rest.extra, 'lines');
    const invoice: MalaysiaInvoice = {
      ...rest,
      docType: this.#readDocType(docType, [...root, 'docType']),
      docNumber: docNumber ?? this.#missing('–', [...root, 'docNumber']),
      lines:
        lines?.map((line, index) => this.#readLine(line, [...root, 'lines', String(index)], areReplaced)) ??
        this.#missing([{ amountExclTax: zero, taxes: [] }], [...root, 'lines']),
    };
    // The import refuses the numbers in `totals` and every `extra` that are not exact.
    visitLeaves(invoice, [...root], (leaf, path) => {
      const isInexact = typeof leaf === 'number' && ExactNumber.fromFloat(leaf) === null;
      if (isInexact) this.#report('amount-not-decimal', [...path], writtenNumber(leaf));
    });
    return invoice;
  }

  /** Returns `invoice` if the type cannot be read: no rule depends on that type. */
  #readDocType(name: Optional<string>, path: Path): MalaysiaDocType {
    if (!name) return this.#missing('invoice', path);
    const docType = name === name.toUpperCase() ? docTypeOf(name.toLowerCase()) : undefined;
    if (!docType) this.#report('doc-type-unknown', path, name);
    return docType ?? 'invoice';
  }

  /** `isReplaced`: another line is sent in place of this one. */
  #readLine({ amountExclTax, taxes, extra }: LineDraft, path: Path, isReplaced: boolean): MalaysiaLine {
    const areReplaced = isReplaced || replaces(extra, 'taxes');
    const readable = taxes === null ? this.#missing([], [...path, 'taxes']) : (taxes ?? []);
    return {
      amountExclTax: this.#readAmount(amountExclTax, [...path, 'amountExclTax']),
      taxes: readable.map((tax, index) => this.#readTax(tax, [...path, 'taxes', String(index)], areReplaced)),
      extra,
    };
  }

  /** `isReplaced`: another tax is sent in place of this one. */
  #readTax({ type, amount, ...rest }: TaxDraft, path: Path, isReplaced: boolean): MalaysiaTax {
    const at = [...path, 'type'];
    const known = taxTypes.find((taxType) => taxType === type);
    const isOther = Boolean(rest.otherType?.trim());
    const isMissing = type === null || type === undefined || (type === '' && !isOther);
    const isSent = !isReplaced && !replaces(rest.extra, 'type');
    if (isMissing && !isOther && (isSent || type === '')) this.#report('value-required', at);
    else if (!isMissing && !known) this.#report(isSst(type) ? 'tax-type-sst' : 'tax-type-unknown', at, type);
    const substitute = isOther ? undefined : 'SALES_TAX';
    return { ...rest, type: known ?? substitute, amount: this.#readAmount(amount, [...path, 'amount']) };
  }

  #readAmount(typed: Optional<string | number>, path: Path): ExactNumber {
    if (typed === null || typed === undefined || typed === '') return this.#missing(zero, path);
    const isNumber = typeof typed === 'number';
    const amount = isNumber ? ExactNumber.fromFloat(typed) : ExactNumber.parse(typed);
    if (!amount) this.#report('amount-not-decimal', path, isNumber ? writtenNumber(typed) : typed);
    return amount ?? zero;
  }

  #missing<T>(substitute: T, path: Path): T {
    this.#report('value-required', path);
    return substitute;
  }

  #report(rule: keyof typeof expectations, path: Path, actual?: string): void {
    const details = { expected: expectations[rule], actual: actual && quoted(actual) };
    this.unreadable.push(invoiceProblem(rule, path, details));
  }
}

function writtenNumber(number: number): string | undefined {
  return Number.isFinite(number) ? String(number) : undefined;
}
