/** The input of an invoice, and the query that checks one. */
import { badUserInput } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { InputProblem } from '../../graphql/invalid-input.ts';
import type { UpstreamCallsExtension } from '../../graphql/service-field.ts';
import { hasErrors, maxProblems, type InputProblem as Problem } from '../../input-problems.ts';
import { checkInvoice } from './check-invoice.ts';
import { type MalaysiaDocType as DocType, type MalaysiaInvoice, scenarios, toWire } from './invoice.ts';
import { type ComputedTotals, computeTotals } from './invoice-totals.ts';

export const MalaysiaDocType = builder.enumType('MalaysiaDocType', {
  description: 'The business scenario of an e-invoice; the self-billed ones are issued by the buyer.',
  values: Object.fromEntries(
    Object.entries(scenarios).map(([word, description]) => [
      word.toUpperCase(),
      { value: word as DocType, description },
    ]),
  ),
});

const MalaysiaTaxType = builder.enumType('MalaysiaTaxType', {
  description:
    'The two values that the service’s document names; a line without tax has an empty `taxes`. The ambiguous SST is not a value: it cannot be sent.',
  values: {
    SALES_TAX: { description: 'Sales tax.' },
    SERVICE_TAX: { description: 'Service tax.' },
  } as const,
});

const extra =
  'Additional members, merged in as sent. One that is a field of the schema is sent instead of it (`extra-names-known-member`).';

/** The inputs of an invoice that an import and a draft share, but for their names and the scalar of `extra`. */
export function sharedInputs(infix: '' | 'Draft', json: 'JSONObject' | 'JSONObjectDraft') {
  const ReferenceInput = builder.inputType(`MalaysiaReference${infix}Input`, {
    description: 'The document that a note refers to.',
    fields: (t) => ({
      originalInvoiceCodeNumber: t.string({
        description:
          'The `docNumber` of the original invoice, or self-billed invoice for a self-billed note. Required for the six notes (`reference-required`).',
      }),
      extra: t.field({ type: json, description: extra }),
    }),
  });

  const AddressInput = builder.inputType(`MalaysiaAddress${infix}Input`, {
    description: 'An address; all fields are recommended.',
    fields: (t) => ({
      line1: t.string({ description: 'Street and number.' }),
      city: t.string({ description: 'City.' }),
      stateCode: t.string({ description: 'The portal’s state code, `01` to `17`.' }),
      postcode: t.string({ description: 'Five digits.' }),
      country: t.string({ description: 'ISO 3166-1 alpha-3, e.g. `MYS`.' }),
      extra: t.field({ type: json, description: extra }),
    }),
  });

  const ContactInput = builder.inputType(`MalaysiaContact${infix}Input`, {
    description: 'How to reach a party.',
    fields: (t) => ({
      telephone: t.string({ description: 'Recommended: 8 to 20 digits, optionally after a `+`.' }),
      extra: t.field({ type: json, description: extra }),
    }),
  });

  const PartyInput = builder.inputType(`MalaysiaParty${infix}Input`, {
    description: 'A supplier or a buyer. Both keep their meaning in self-billed documents.',
    fields: (t) => ({
      address: t.field({ type: AddressInput, description: 'Recommended.' }),
      contact: t.field({ type: ContactInput, description: 'Recommended.' }),
      extra: t.field({ type: json, description: extra }),
    }),
  });
  return { ReferenceInput, PartyInput };
}

const { ReferenceInput, PartyInput } = sharedInputs('', 'JSONObject');

const TaxInput = builder.inputType('MalaysiaTaxInput', {
  description:
    'A tax of a line. Exactly one of `type` and `otherType` is required (`tax-type-one`). SST is refused in both (`tax-type-sst`). ' +
    'Tax is stated at lines only.',
  fields: (t) => ({
    type: t.field({ type: MalaysiaTaxType, description: 'The type of the tax.' }),
    otherType: t.string({
      description: 'The type of the tax in the service’s own words, if `type` has no value for it.',
    }),
    amount: t.field({
      type: 'Decimal',
      required: true,
      description: 'The amount of the tax, with the sign of the document.',
    }),
    extra: t.field({ type: 'JSONObject', description: extra }),
  }),
});

const LineInput = builder.inputType('MalaysiaLineInput', {
  description: 'One line of an invoice.',
  fields: (t) => ({
    amountExclTax: t.field({
      type: 'Decimal',
      required: true,
      description: 'The line’s amount without tax, with the sign of the document.',
    }),
    taxes: t.field({
      type: [TaxInput],
      required: true,
      defaultValue: [],
      description: 'The line’s taxes; empty when it has none.',
    }),
    extra: t.field({ type: 'JSONObject', description: extra }),
  }),
});

export const InvoiceInput = builder.inputType('MalaysiaInvoiceInput', {
  description: 'A Malaysian e-invoice or note.',
  fields: (t) => ({
    docType: t.field({ type: MalaysiaDocType, required: true, description: 'The business scenario.' }),
    docNumber: t.string({ required: true, description: 'Document number in your own books.' }),
    reference: t.field({
      type: ReferenceInput,
      description: 'Required for credit, debit and refund notes, normal and self-billed.',
    }),
    supplier: t.field({ type: PartyInput, description: 'The seller; recommended.' }),
    buyer: t.field({ type: PartyInput, description: 'The buyer; recommended.' }),
    lines: t.field({
      type: [LineInput],
      required: true,
      description: 'The lines; at most 5,000 lines and taxes.',
    }),
    totals: t.field({
      type: 'JSONObject',
      description:
        'Totals of the document. The service’s document does not name the members: they are sent as given. Numbers follow the rule of Decimal.',
    }),
    extra: t.field({ type: 'JSONObject', description: extra }),
  }),
});

const TotalsType = builder.objectRef<ComputedTotals>('MalaysiaComputedTotals').implement({
  description: 'Exact sums of the lines.',
  fields: (t) => ({
    amountExclTax: t.expose('amountExclTax', {
      type: 'Decimal',
      nullable: false,
      description: 'Sum without tax.',
    }),
    taxAmount: t.expose('taxAmount', { type: 'Decimal', nullable: false, description: 'Sum of all taxes.' }),
    amountInclTax: t.expose('amountInclTax', {
      type: 'Decimal',
      nullable: false,
      description: 'Sum with tax.',
    }),
  }),
});

interface InvoiceCheck {
  readonly problems: readonly Problem[];
  readonly totals: ComputedTotals;
}

export const CheckType = builder.objectRef<InvoiceCheck>('MalaysiaInvoiceCheck').implement({
  description: 'The result of checking an invoice without importing it.',
  fields: (t) => ({
    isValid: t.boolean({
      nullable: false,
      description: 'True if there is no problem of severity ERROR.',
      resolve: ({ problems }) => !hasErrors(problems),
    }),
    problems: t.expose('problems', {
      type: [InputProblem],
      nullable: false,
      description: 'All problems, errors before warnings, each in the order of the invoice; at most 200.',
      extensions: { maxMembers: maxProblems } satisfies UpstreamCallsExtension,
    }),
    totals: t.expose('totals', {
      type: TotalsType,
      nullable: false,
      description: 'Exact sums of the lines, to compare with `totals`.',
    }),
  }),
});

builder.queryField('checkMalaysiaInvoice', (t) =>
  t.field({
    type: CheckType,
    description:
      'Checks an invoice by the rules of importMalaysiaInvoice without importing it: no call to the service, all problems at once. An amount ' +
      'or enum value that the schema refuses is BAD_USER_INPUT; while the invoice is being typed, use checkMalaysiaInvoiceDraft. Credentials: none.',
    extensions: { calls: 0 } satisfies UpstreamCallsExtension,
    args: { invoice: t.arg({ type: InvoiceInput, required: true, description: 'The invoice to check.' }) },
    resolve: (_root, { invoice }, context) =>
      context.doPart((): InvoiceCheck => {
        const wire = toWire(boundedInvoice(invoice));
        return { problems: checkInvoice(invoice, wire), totals: computeTotals(wire) };
      }),
  }),
);

/** Maximum number of lines and taxes in one invoice: every rule checks each of them. */
const maxAmounts = 5_000;

/** Returns the invoice, or throws BAD_USER_INPUT when it has too many lines and taxes. */
export function boundedInvoice(invoice: MalaysiaInvoice): MalaysiaInvoice {
  const amounts = invoice.lines.reduce((sum, { taxes }) => sum + 1 + taxes.length, 0);
  if (amounts <= maxAmounts) return invoice;
  throw badUserInput(`An invoice can have at most ${maxAmounts} lines and taxes together. Nothing was sent.`);
}
