/** An invoice as the schema has it, and as it is sent. */
import type { ExactNumber, JsonObject, JsonValue } from '../../tools/exact-number.ts';

/** What each document type is, by the service's words, which are the names of the schema in lower case. */
export const scenarios = {
  invoice: 'An invoice (portal type 01).',
  credit_note: 'Reduces an invoice without returning money (02). Its amounts are negative.',
  debit_note: 'Increases an invoice (03). Its amounts are positive.',
  refund_note:
    'Confirms money returned to the buyer (04). Its amounts are negative when they reduce the original.',
  self_billed_invoice: 'An invoice issued by the buyer (11).',
  self_billed_credit_note: 'A credit note issued by the buyer (12).',
  self_billed_debit_note: 'A debit note issued by the buyer (13).',
  self_billed_refund_note: 'A refund note issued by the buyer (14).',
};

export type MalaysiaDocType = keyof typeof scenarios;

export const docTypes = Object.keys(scenarios) as readonly MalaysiaDocType[];

/** The document type that the service names with this word; undefined for any other value. */
export function docTypeOf(word: unknown): MalaysiaDocType | undefined {
  return docTypes.find((docType) => docType === word);
}

/** Whether a document refers to an original one. */
export function isNote(docType: MalaysiaDocType | undefined): boolean {
  return docType?.endsWith('_note') ?? false;
}

/** The tax types in the service's document. */
export const taxTypes = ['SALES_TAX', 'SERVICE_TAX'] as const;

export type Optional<T> = T | null | undefined;

export const knownMembers = {
  invoice: ['docType', 'docNumber', 'reference', 'supplier', 'buyer', 'lines', 'totals'],
  reference: ['originalInvoiceCodeNumber'],
  party: ['address', 'contact'],
  address: ['line1', 'city', 'stateCode', 'postcode', 'country'],
  contact: ['telephone'],
  line: ['amountExclTax', 'taxes'],
  tax: ['type', 'otherType', 'amount'],
} as const;

export interface WithExtra {
  /** Additional members, merged in as given. They replace a field of the same name. */
  readonly extra?: Optional<JsonObject>;
}

/** A level of which every field is a text. */
type Texts<Level extends keyof typeof knownMembers> = WithExtra & {
  readonly [Name in (typeof knownMembers)[Level][number]]?: Optional<string>;
};

export interface MalaysiaInvoice extends WithExtra {
  readonly docType: MalaysiaDocType;
  readonly docNumber: string;
  readonly reference?: Optional<Texts<'reference'>>;
  readonly supplier?: Optional<MalaysiaParty>;
  readonly buyer?: Optional<MalaysiaParty>;
  readonly lines: readonly MalaysiaLine[];
  readonly totals?: Optional<JsonObject>;
}

export interface MalaysiaParty extends WithExtra {
  readonly address?: Optional<Texts<'address'>>;
  readonly contact?: Optional<Texts<'contact'>>;
}

export interface MalaysiaLine extends WithExtra {
  readonly amountExclTax: ExactNumber;
  readonly taxes: readonly MalaysiaTax[];
}

export interface MalaysiaTax extends WithExtra {
  readonly type?: Optional<(typeof taxTypes)[number]>;
  /** Used in place of `type` for a type that the service's document does not name. Sent as written. */
  readonly otherType?: Optional<string>;
  readonly amount: ExactNumber;
}

/**
 * The invoice in the format of the import (docs/service.md, "Import a Malaysian e-invoice"): `extra` is merged in at its
 * level, absent and null members are omitted, and numbers keep their text.
 */
export function toWire({ reference, supplier, buyer, lines, ...invoice }: MalaysiaInvoice): JsonObject {
  return withExtra({
    ...invoice,
    reference: reference && withExtra(reference),
    supplier: supplier && partyToWire(supplier),
    buyer: buyer && partyToWire(buyer),
    lines: lines.map((line) => withExtra({ ...line, taxes: line.taxes.map(taxToWire) })),
  });
}

function partyToWire({ address, contact, extra }: MalaysiaParty): JsonObject {
  return withExtra({ address: address && withExtra(address), contact: contact && withExtra(contact), extra });
}

function taxToWire(tax: MalaysiaTax): JsonObject {
  return withExtra({ ...tax, type: tax.type ?? tax.otherType, otherType: undefined });
}

/** The object's members without absent and null ones, followed by all members of `extra`, including null. */
function withExtra<T extends WithExtra>({ extra, ...own }: T): JsonObject {
  const given: JsonObject = {};
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && value !== null) given[name] = value as JsonValue;
  }
  return extra ? { ...given, ...extra } : given;
}
