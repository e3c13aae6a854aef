import { ExactNumber, type JsonObject } from '../../upstream/exact-json.ts';

/** The document types as the service names them, and whether each is a note, which refers to an original document. */
export const docTypes = {
  invoice: { isNote: false },
  credit_note: { isNote: true },
  debit_note: { isNote: true },
  refund_note: { isNote: true },
  self_billed_invoice: { isNote: false },
  self_billed_credit_note: { isNote: true },
  self_billed_debit_note: { isNote: true },
  self_billed_refund_note: { isNote: true },
} as const;

export type MalaysiaDocType = keyof typeof docTypes;

/** The tax types in the service's document. */
export const taxTypes = ['SALES_TAX', 'SERVICE_TAX'] as const;

type Optional<T> = T | null | undefined;

interface WithExtra {
  /** Additional members, merged in as given. */
  readonly extra?: Optional<JsonObject>;
}

export interface MalaysiaInvoice extends WithExtra {
  readonly docType: MalaysiaDocType;
  readonly docNumber: string;
  readonly reference?: Optional<MalaysiaReference>;
  readonly supplier?: Optional<MalaysiaParty>;
  readonly buyer?: Optional<MalaysiaParty>;
  readonly lines: readonly MalaysiaLine[];
  readonly totals?: Optional<JsonObject>;
}

export interface MalaysiaReference extends WithExtra {
  readonly originalInvoiceCodeNumber?: Optional<string>;
}

export interface MalaysiaParty extends WithExtra {
  readonly address?: Optional<MalaysiaAddress>;
  readonly contact?: Optional<MalaysiaContact>;
}

export interface MalaysiaAddress extends WithExtra {
  readonly line1?: Optional<string>;
  readonly city?: Optional<string>;
  readonly stateCode?: Optional<string>;
  readonly postcode?: Optional<string>;
  readonly country?: Optional<string>;
}

export interface MalaysiaContact extends WithExtra {
  readonly telephone?: Optional<string>;
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

export interface ComputedTotals {
  readonly amountExclTax: ExactNumber;
  readonly taxAmount: ExactNumber;
  readonly amountInclTax: ExactNumber;
}

/** Exact sums. Each has the maximum number of decimal places of its addends. */
export function computeTotals(lines: readonly MalaysiaLine[]): ComputedTotals {
  const amounts = lines.map(({ amountExclTax }) => amountExclTax);
  const taxes = lines.flatMap((line) => line.taxes.map(({ amount }) => amount));
  return {
    amountExclTax: ExactNumber.sum(amounts),
    taxAmount: ExactNumber.sum(taxes),
    amountInclTax: ExactNumber.sum([...amounts, ...taxes]),
  };
}

/**
 * The invoice in the format of the import (docs/service.md, "Import a Malaysian e-invoice"): `extra` is merged in at its
 * level, absent and null members are omitted, and numbers keep their text.
 */
export function toWire({
  reference,
  supplier,
  buyer,
  lines,
  extra,
  ...invoice
}: MalaysiaInvoice): JsonObject {
  return withExtra({
    ...invoice,
    reference: reference && withExtra(reference),
    supplier: supplier && partyToWire(supplier),
    buyer: buyer && partyToWire(buyer),
    lines: lines.map((line) => withExtra({ ...line, taxes: line.taxes.map(taxToWire) })),
    extra,
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
  const given = Object.entries(own).filter(([, value]) => value !== undefined && value !== null);
  return { ...(Object.fromEntries(given) as JsonObject), ...extra };
}
