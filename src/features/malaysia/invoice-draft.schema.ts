/** The input of an invoice that is still being typed, and the query that checks one. */
import { builder } from '../../graphql/builder.ts';
import type { UpstreamCallsExtension } from '../../graphql/service-field.ts';
import { mostSevere, problemsOf } from './check-invoice.ts';
import { boundedInvoice, CheckType, sharedInputs } from './invoice.schema.ts';
import { toWire } from './invoice.ts';
import { computeTotals } from './invoice-totals.ts';
import { type InvoiceDraft, readDraft } from './read-draft.ts';

const asTyped = 'as it was typed: any text, or a number';

const { ReferenceInput, PartyInput } = sharedInputs('Draft', 'JSONObjectDraft');

const TaxDraftInput = builder.inputType('MalaysiaTaxDraftInput', {
  description: 'One tax of a line that is still being typed.',
  fields: (t) => ({
    type: t.string({ description: 'A name of MalaysiaTaxType; any text is accepted.' }),
    otherType: t.string({ description: 'As in MalaysiaTaxInput.' }),
    amount: t.field({ type: 'DecimalDraft', description: `The amount of the tax, ${asTyped}.` }),
    extra: t.field({ type: 'JSONObjectDraft', description: 'As in MalaysiaTaxInput.' }),
  }),
});

const LineDraftInput = builder.inputType('MalaysiaLineDraftInput', {
  description: 'One line of an invoice that is still being typed.',
  fields: (t) => ({
    amountExclTax: t.field({
      type: 'DecimalDraft',
      description: `The line’s amount without tax, ${asTyped}.`,
    }),
    taxes: t.field({
      type: [TaxDraftInput],
      description:
        'The line’s taxes; absent or empty when it has none. null is a problem, since the import refuses it.',
    }),
    extra: t.field({ type: 'JSONObjectDraft', description: 'As in MalaysiaLineInput.' }),
  }),
});

const InvoiceDraftInput = builder.inputType('MalaysiaInvoiceDraftInput', {
  description:
    'An invoice that is still being typed: MalaysiaInvoiceInput with the same names, in which every value may be missing, and ' +
    'amounts and enum values are any text.',
  fields: (t) => ({
    docType: t.string({ description: 'A name of MalaysiaDocType; any text is accepted.' }),
    docNumber: t.string({ description: 'Document number in your own books.' }),
    reference: t.field({ type: ReferenceInput, description: 'As in MalaysiaInvoiceInput.' }),
    supplier: t.field({ type: PartyInput, description: 'The seller.' }),
    buyer: t.field({ type: PartyInput, description: 'The buyer.' }),
    lines: t.field({ type: [LineDraftInput], description: 'The lines, in their order.' }),
    totals: t.field({ type: 'JSONObjectDraft', description: 'As in MalaysiaInvoiceInput.' }),
    extra: t.field({ type: 'JSONObjectDraft', description: 'As in MalaysiaInvoiceInput.' }),
  }),
});

builder.queryField('checkMalaysiaInvoiceDraft', (t) =>
  t.field({
    type: CheckType,
    description:
      'Checks an invoice while it is being typed: a value that is missing or cannot be read yet is a problem with a path, not an error of ' +
      'the request. Rules: `value-required`, `amount-not-decimal`, `doc-type-unknown`, `tax-type-unknown`, ' +
      'and those of the import for all values that can be read. An amount that cannot be read counts as 0 in `totals`; rules that depend on ' +
      'a `docType` that cannot be read are not applied. Paths are those of importMalaysiaInvoice. No call to the service. Credentials: none.',
    extensions: { calls: 0 } satisfies UpstreamCallsExtension,
    args: {
      invoice: t.arg({ type: InvoiceDraftInput, required: true, description: 'The invoice as it is now.' }),
    },
    resolve: (_root, { invoice: draft }, context) =>
      context.doPart(() => {
        const { unreadable, invoice } = readDraft(draft as InvoiceDraft);
        const wire = toWire(boundedInvoice(invoice));
        const problems = mostSevere([...unreadable, ...problemsOf(invoice, wire)]);
        return { problems, totals: computeTotals(wire) };
      }),
  }),
);
