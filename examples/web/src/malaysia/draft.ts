import { newKey } from '@folio/client';
import type { MalaysiaDocType, MalaysiaPartyInput, MalaysiaTaxType } from '../graphql/graphql.ts';
import { sharedText } from '../language/language.ts';

/** An invoice while it is typed: every value is text. */
export interface InvoiceDraft {
  readonly docType: MalaysiaDocType;
  readonly docNumber: string;
  readonly originalNumber: string;
  readonly supplier: PartyDraft;
  readonly buyer: PartyDraft;
  readonly lines: readonly LineDraft[];
}

export const partyFields = ['line1', 'city', 'stateCode', 'postcode', 'country', 'telephone'] as const;

export type PartyField = (typeof partyFields)[number];

export type PartyDraft = Readonly<Record<PartyField, string>>;

export interface LineDraft {
  /** React key; not sent. */
  readonly id: string;
  readonly amountExclTax: string;
  readonly taxes: readonly TaxDraft[];
}

export interface TaxDraft {
  readonly id: string;
  readonly type: MalaysiaTaxType;
  readonly amount: string;
}

export const docTypes: readonly MalaysiaDocType[] = [
  'INVOICE',
  'CREDIT_NOTE',
  'DEBIT_NOTE',
  'REFUND_NOTE',
  'SELF_BILLED_INVOICE',
  'SELF_BILLED_CREDIT_NOTE',
  'SELF_BILLED_DEBIT_NOTE',
  'SELF_BILLED_REFUND_NOTE',
];

/** The document type in the language of the page, as the gateway's messages name it. */
export function docTypeName(docType: MalaysiaDocType): string {
  const name = sharedText(`document.${docType.toLowerCase() as Lowercase<MalaysiaDocType>}`);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export const taxTypes: readonly MalaysiaTaxType[] = ['SALES_TAX', 'SERVICE_TAX'];

export const emptyParty: PartyDraft = {
  line1: '',
  city: '',
  stateCode: '',
  postcode: '',
  country: '',
  telephone: '',
};

export function newTax(): TaxDraft {
  return { id: newKey(), type: 'SALES_TAX', amount: '' };
}

export function newLine(): LineDraft {
  return { id: newKey(), amountExclTax: '', taxes: [] };
}

export function newDraft(): InvoiceDraft {
  return {
    docType: 'INVOICE',
    docNumber: '',
    originalNumber: '',
    supplier: emptyParty,
    buyer: emptyParty,
    lines: [newLine()],
  };
}

export function isNote(docType: MalaysiaDocType): boolean {
  return docType.endsWith('_NOTE');
}

/** Whether the schema accepts the text as a Decimal. */
export function isAmount(text: string): boolean {
  return /^-?(0|[1-9]\d{0,40})(\.\d{1,10})?$/.test(text.trim());
}

/** The input that is sent. Amounts are as typed: `checkMalaysiaInvoiceDraft` accepts any text, the import only decimals. */
export function inputOf({ docType, docNumber, originalNumber, supplier, buyer, lines }: InvoiceDraft) {
  return {
    docType,
    docNumber: docNumber.trim(),
    reference:
      isNote(docType) && originalNumber.trim() ? { originalInvoiceCodeNumber: originalNumber.trim() } : null,
    supplier: partyInput(supplier),
    buyer: partyInput(buyer),
    lines: lines.map(({ amountExclTax, taxes }) => ({
      amountExclTax: amountExclTax.trim(),
      taxes: taxes.map((tax) => ({ type: tax.type, amount: tax.amount.trim() })),
    })),
  };
}

/** Whether the import can be sent: an amount that the schema refuses would fail the whole request. */
export function hasBadAmount({ lines }: InvoiceDraft): boolean {
  return lines.some(({ amountExclTax, taxes }) =>
    [amountExclTax, ...taxes.map(({ amount }) => amount)].some((amount) => !isAmount(amount)),
  );
}

function partyInput({ telephone, ...address }: PartyDraft): MalaysiaPartyInput {
  const given = Object.fromEntries(Object.entries(address).filter(([, value]) => value.trim() !== ''));
  return { address: given, contact: telephone.trim() ? { telephone: telephone.trim() } : null };
}
