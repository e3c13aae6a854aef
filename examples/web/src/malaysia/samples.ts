import { emptyParty, type InvoiceDraft, newLine, newTax, type PartyDraft } from './draft.ts';

const supplier: PartyDraft = {
  line1: '1 Jalan Contoh',
  city: 'Kuala Lumpur',
  stateCode: '14',
  postcode: '50000',
  country: 'MYS',
  telephone: '+60300000000',
};

/** A sample invoice that causes one warning. */
const buyer: PartyDraft = {
  ...emptyParty,
  line1: '2 Jalan Rekaan',
  city: 'Johor Bahru',
  stateCode: '1',
  postcode: '80000',
  country: 'MYS',
  telephone: '+60700000000',
};

/** New document numbers, because the portal rejects a number that was used before. */
export function freshNumber(prefix: string): string {
  return `${prefix}-${Date.now().toString(36).toUpperCase()}`;
}

export function sampleDraft(): InvoiceDraft {
  return {
    docType: 'INVOICE',
    docNumber: freshNumber('INV'),
    originalNumber: '',
    supplier,
    buyer,
    lines: [
      { ...newLine(), amountExclTax: '1336.50', taxes: [{ ...newTax(), amount: '100.00' }] },
      {
        ...newLine(),
        amountExclTax: '250.00',
        taxes: [{ ...newTax(), type: 'SERVICE_TAX', amount: '20.00' }],
      },
    ],
  };
}

/** As many documents as the gateway has to see before it knows how long they usually take, and some more. */
export function largeBatch(): string {
  const number = freshNumber('L');
  const rows = Array.from({ length: 120 }, (_, index) => `INVOICE,${number}-${index + 1},10.00,Ipoh,MYS`);
  return ['docType,docNumber,amountExclTax,supplier.city,supplier.country', ...rows].join('\n');
}

/** A batch with a row for each possible end of an import in the sandbox. */
export function sampleBatch(): string {
  const number = freshNumber('B');
  return [
    'docType,docNumber,originalInvoiceCodeNumber,amountExclTax,taxType,taxAmount,supplier.city,supplier.country',
    `INVOICE,${number}-1,,120.00,SALES_TAX,12.00,Ipoh,MYS`,
    `INVOICE,${number}-2-NOW,,80.50,SERVICE_TAX,6.44,Ipoh,MYS`,
    `INVOICE,${number}-3-REJ,,99.90,,,Ipoh,MYS`,
    `INVOICE,${number}-4-FAIL,,45.00,,,Ipoh,MYS`,
    `CREDIT_NOTE,${number}-5,${number}-1,20.00,,,Ipoh,MYS`,
    `DEBIT_NOTE,${number}-6,,15.00,,,Ipoh,MYS`,
    `INVOICE,${number}-7,,twelve,,,Ipoh,MYS`,
  ].join('\n');
}
